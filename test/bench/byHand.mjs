// What somebody would write by hand for one job, without checks, retries or words: the baselines.

/** Runs an act for each of a list, so many at once. */
async function sideBySide(atOnce, list, act) {
	const left = list.values();
	const work = async () => {
		for (const one of left) await act(one);
	};
	await Promise.all(Array.from({ length: atOnce }, work));
}

function chunks(list, size) {
	const cut = [];
	for (let at = 0; at < list.length; at += size) cut.push(list.slice(at, at + size));
	return cut;
}

const DATA_SETS = [
	{ key: 'profile', path: '/v1/prospects/profiles/bulk_enrich' },
	{ key: 'contacts', path: '/v1/prospects/contacts_information/bulk_enrich' },
	{ key: 'network_posts', path: '/v1/prospects/network_posts/bulk_enrich', several: true },
];

/** Enriches in batches: one linked item for each input item. */
export async function enrich(send, items, atOnce) {
	const ids = [...new Set(items.map(({ json }) => json.prospect_id))];
	const rows = new Map(ids.map((id) => [id, { prospect_id: id }]));
	const requests = DATA_SETS.flatMap((set) => chunks(ids, 50).map((batch) => ({ set, batch })));
	await sideBySide(atOnce, requests, async ({ set: { key, path, several }, batch }) => {
		const { data } = await send(path, { prospect_ids: batch });
		for (const { prospect_id: id, data: own } of data) {
			const row = rows.get(id) ?? {};
			if (several) (row[key] ??= []).push(own);
			else row[key] = own;
		}
	});
	return items.map(({ json }, item) => ({
		json: rows.get(json.prospect_id),
		pairedItem: { item },
	}));
}

/** Enriches item after item, data set after data set. */
export async function enrichOneByOne(send, items) {
	const output = [];
	for (const [item, { json }] of items.entries()) {
		const id = json.prospect_id;
		const { data: profile } = await send('/v1/prospects/profiles/enrich', { prospect_id: id });
		const { data: contacts } = await send('/v1/prospects/contacts_information/enrich', {
			prospect_id: id,
		});
		const { data: posts } = await send('/v1/prospects/network_posts/bulk_enrich', {
			prospect_ids: [id],
		});
		const network_posts = posts.map(({ data }) => data);
		output.push({
			json: { prospect_id: id, profile, contacts, network_posts },
			pairedItem: { item },
		});
	}
	return output;
}

/** Fetches all pages of a search. */
export async function search(send, size, atOnce) {
	const fetchPage = async (page) =>
		await send('/v1/prospects', { mode: 'full', size, page_size: 100, page, filters: {} });
	const first = await fetchPage(1);
	const pages = [first.data];
	const rest = Array.from({ length: first.total_pages - 1 }, (_, nth) => nth + 2);
	await sideBySide(atOnce, rest, async (page) => {
		pages[page - 1] = (await fetchPage(page)).data;
	});
	return pages.flat().map((json) => ({ json, pairedItem: { item: 0 } }));
}
