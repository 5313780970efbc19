// The service of the benchmark, in a process of its own: it answers with prepared text 50 ms after a request arrived, so
// that its own work hardly counts. Ends with the process that started it.
import { createServer } from 'node:http';
import { listen } from '../n8n/ports.mjs';
import { idOf, personFor } from './people.mjs';

const DELAY_MS = 50;

const context = '"response_context":{"correlation_id":"bench","request_status":"success"}';
const answer = (...members) => `{${[context, ...members].join(',')}}`;
const prepared = new Map();
/** The JSON of what is known of a person, made once. */
function textsOf(id) {
	const person = personFor(id);
	const known = prepared.get(person);
	if (known !== undefined) return known;
	const { record, ...sets } = person;
	const texts = {
		record: JSON.stringify(record).split(record.prospect_id),
		...Object.fromEntries(
			Object.entries(sets).map(([set, rows]) => [set, rows.map((row) => JSON.stringify(row))]),
		),
	};
	prepared.set(person, texts);
	return texts;
}

const bulk =
	(set) =>
	({ prospect_ids: ids }) => {
		const rows = ids.flatMap((id) =>
			textsOf(id)[set].map((data) => `{"prospect_id":"${id}","data":${data}}`),
		);
		return answer(`"total_results":${rows.length}`, `"data":[${rows.join(',')}]`);
	};
const single =
	(set) =>
	({ prospect_id: id }) =>
		answer(`"data":${textsOf(id)[set][0]}`);

/** As many people match as `size` asks for. */
function page({ size, page_size: length, page: number }) {
	const rows = [];
	for (let nth = (number - 1) * length; nth < Math.min(number * length, size); nth++) {
		rows.push(textsOf(idOf(nth)).record.join(idOf(nth)));
	}
	const pages = Math.ceil(size / length);
	return answer(
		`"total_pages":${pages},"total_results":${size},"page":${number}`,
		`"data":[${rows.join(',')}]`,
	);
}

const ANSWERS = {
	'/v1/prospects': page,
	'/v1/prospects/profiles/bulk_enrich': bulk('profiles'),
	'/v1/prospects/contacts_information/bulk_enrich': bulk('contacts_information'),
	'/v1/prospects/network_posts/bulk_enrich': bulk('network_posts'),
	'/v1/prospects/profiles/enrich': single('profiles'),
	'/v1/prospects/contacts_information/enrich': single('contacts_information'),
};

let requests = 0;

const server = createServer((request, response) => {
	const chunks = [];
	request.on('data', (chunk) => chunks.push(chunk));
	request.on('end', () => {
		const arrived = performance.now();
		response.setHeader('content-type', 'application/json');
		if (request.url === '/requests') {
			response.end(String(requests));
			requests = 0;
			return;
		}
		requests++;
		const text = ANSWERS[request.url](JSON.parse(Buffer.concat(chunks).toString()));
		setTimeout(() => response.end(text), DELAY_MS - (performance.now() - arrived));
	});
});
process.send?.(`http://127.0.0.1:${await listen(server)}`);
process.on('disconnect', () => process.exit());
