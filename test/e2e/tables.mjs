// n8n's data tables: what a person sees and edits under "Data tables".

/** The most rows that n8n returns at once. */
const PAGE = 250;

/**
 * The data tables of the owner's own project.
 *
 * @param {Pick<Awaited<ReturnType<typeof import('../n8n/instance.mjs').startInstance>>, 'rest'>} n8n
 * @returns {Promise<{
 *   read: (name: string) => Promise<object[]>,
 *   drop: (name: string) => Promise<void>,
 * }>} rows with `id`, `createdAt` and `updatedAt`; `drop` removes a table, if there is one
 */
export async function tablesOf({ rest }) {
	const { id: project } = await rest('GET', '/projects/personal');
	const base = `/projects/${project}/data-tables`;
	async function pathOf(name) {
		const { data } = await rest('GET', base);
		const found = data.find((table) => table.name === name);
		return found && `${base}/${found.id}`;
	}
	return {
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
