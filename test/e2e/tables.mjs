// n8n's data tables: what a person sees and edits under "Data tables".

/** The most rows that n8n returns at once. */
const PAGE = 250;

/** The data tables of the owner's own project; `drop` removes one, if it is there. */
export async function tablesOf({ rest }) {
	const { id: project } = await rest('GET', '/projects/personal');
	const base = `/projects/${project}/data-tables`;
	async function pathOf(name) {
		const { data } = await rest('GET', base);
		const found = data.find((table) => table.name === name);
		return found && `${base}/${found.id}`;
	}
	return {
		/** Deletes the rows that the editor's filter "contains" finds. */
		async erase(name, columnName, text) {
			const filters = [{ columnName, condition: 'ilike', value: `%${text}%` }];
			const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
			await rest('DELETE', `${await pathOf(name)}/rows?filter=${filter}`);
		},
		async read(name) {
			const path = await pathOf(name);
			const rows = [];
			for (;;) {
				const query = `take=${PAGE}&skip=${rows.length}&sortBy=id:asc`;
				const { data } = await rest('GET', `${path}/rows?${query}`);
				rows.push(...data);
				if (data.length < PAGE) return rows;
			}
		},
		async drop(name) {
			const path = await pathOf(name);
			if (path !== undefined) await rest('DELETE', path);
		},
	};
}
