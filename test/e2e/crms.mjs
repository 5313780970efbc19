// The examples with other CRMs than n8n's data tables: rows of each CRM's shape, read with the expressions of docs/crm.md.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { listen } from '../n8n/ports.mjs';
import { atEnd } from './stage.mjs';

/** The field of From your CRM that names the columns of the CRM for Stop; it is the same for every CRM. */
const COLUMNS = 'crm_columns';

const digits = (index) => `90071992547409${93001 + index}`;
/** What a CRM's IDs look like, by its name in docs/crm.md. The last one has the columns of the practice table. */
const CRMS = {
	HubSpot: (index) => String(151 + index),
	Salesforce: (index) => `003Qy00000F${'aAbBcC'[index % 6]}XyZIA${index}`,
	Pipedrive: (index) => 12 + index,
	'Google Sheets': (index) => index + 2,
	Airtable: (index) => `rec${'xYzAbC'[index % 6]}9Qw3eRt5Us${index}p0`,
	'19 digits': digits,
};

const EXPRESSION = /\{\{ \$json\.(\S+) \}\}/g;
/** The places in a row that an expression reads: `emails[0].value` is `['emails', '0', 'value']`. */
const placesIn = (expression) =>
	[...expression.matchAll(EXPRESSION)].map(([, path]) =>
		path.replaceAll('[', '.').replaceAll(']', '').split('.'),
	);

/** @param {string[]} path */
function put(row, path, value) {
	const [name = '', ...rest] = path;
	if (rest.length === 0) row[name] = value;
	else put((row[name] ??= /^\d+$/.test(String(rest[0])) ? [] : {}), rest, value);
}

/** Puts a value where an expression reads it: an expression with two parts gets the first word and the others. */
function putWhere(row, expression, value) {
	const places = placesIn(expression);
	if (places.length === 1) return put(row, places[0], value);
	const [first, ...others] = (value ?? '').split(' ');
	put(row, places[0], first || undefined);
	put(row, places[1], others.join(' ') || undefined);
}

/** The expressions of a table in docs/crm.md, by CRM and field. */
async function expressionsOf(table) {
	const page = await readFile(new URL('../../docs/crm.md', import.meta.url), 'utf8');
	const [, after = ''] = page.split(`<!-- crm:${table} -->`);
	const lines = after.trim().split('\n');
	const rows = lines.slice(0, lines.indexOf('')).map((line) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim().replace(/^`|`$/g, '')),
	);
	const [[, ...crms], , ...fields] = rows;
	return Object.fromEntries(
		crms.map((crm, at) => [
			crm,
			Object.fromEntries(fields.map(([field, ...cells]) => [field, `=${cells[at]}`])),
		]),
	);
}

const nodeOf = ({ nodes }, name) => nodes.find((node) => node.name === name);
const assignmentsOf = (workflow, name) => nodeOf(workflow, name).parameters.assignments.assignments;

/** A server that gives the rows of a CRM. */
async function startCrm(t) {
	const crm = { url: '', rows: [] };
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(crm.rows));
	});
	const port = await listen(server);
	crm.url = `http://127.0.0.1:${port}/rows`;
	atEnd(t, async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	});
	return crm;
}

/** The example as a person has it after replacing its table nodes and changing the fields of From your CRM. */
function withCrm(workflow, crm, expressions) {
	const changed = structuredClone(workflow);
	for (const field of assignmentsOf(changed, 'From your CRM')) {
		if (field.name === COLUMNS) continue;
		assert.ok(field.name in expressions, `docs/crm.md lacks ${field.name}`);
		field.value = expressions[field.name];
	}
	const replace = (name, type, typeVersion, parameters) => {
		const node = nodeOf(changed, name);
		if (node) Object.assign(node, { type: `n8n-nodes-base.${type}`, typeVersion, parameters });
	};
	replace('Read CRM', 'httpRequest', 4.2, { url: crm.url, options: {} });
	replace('Write to CRM', 'noOp', 1, {});
	replace('Add to CRM', 'noOp', 1, {});
	return changed;
}

/**
 * Runs an example with rows of each CRM's shape. What it writes must have the IDs that it read, and a second run must cost
 * nothing. Then with an ID, and with what identifies the rows, at no place where From your CRM looks, and without rows.
 *
 * @param {import('node:test').TestContext} t
 * @param {any} lab
 * @param {{ rest: any }} n8n
 * @param {object} workflow the example
 * @param {{
 *   trigger: string,
 *   table: 'contacts' | 'accounts',
 *   identifiedBy: string[],
 *   rows: (world: any) => object[],
 *   prepare?: (lab: any, at: number) => Promise<void>,
 *   written?: (result: any) => object[],
 *   check?: (written: object[], rows: object[]) => void,
 *   asksEveryTime?: boolean,
 *   checkAdded?: (result: any, lab: any) => void,
 *   paid?: string,
 *   mayBeEmpty?: boolean,
 * }} example `rows` and what `check` gets have the example's own names for fields; `identifiedBy` are those of which one must be
 *   filled. One that adds rows to a CRM has `checkAdded` in place of `check`. `paid` is the endpoint that is paid for, by default all
 */
export async function checkCrms(t, lab, n8n, workflow, example) {
	const { run, sandbox } = lab;
	const { log, world } = sandbox;
	const { trigger, identifiedBy, prepare = async () => {}, check = () => {} } = example;
	const crm = await startCrm(t);
	const documented = await expressionsOf(example.table);
	const own = Object.fromEntries(
		assignmentsOf(workflow, 'From your CRM')
			.filter(({ name }) => name !== COLUMNS)
			.map(({ name, value }) => [name, value]),
	);
	async function runWith(expressions) {
		const changed = { ...withCrm(workflow, crm, expressions), id: undefined };
		const { id } = await n8n.rest('POST', '/workflows', changed);
		return { id, result: await run(id, trigger) };
	}
	const rowsOf = (rows, expressions) =>
		rows.map((row) => {
			const made = {};
			for (const [field, value] of Object.entries(row))
				if (field in expressions) putWhere(made, expressions[field], value);
			return made;
		});
	function writtenToCrm(result) {
		const [{ name, value }] = assignmentsOf(workflow, 'To your CRM');
		assert.equal(value, '={{ $json.crm_id }}');
		return result.rows('Write to CRM').map(({ [name]: crm_id, ...row }) => ({ crm_id, ...row }));
	}
	const { written: writtenBy = writtenToCrm } = example;
	const rowsFor = (idOf) =>
		example.rows(world).map((row, index) => ({ crm_id: idOf(index), ...row }));

	for (const [at, [name, idOf]] of Object.entries(CRMS).entries())
		await t.test(name, async () => {
			await prepare({ ...lab, world }, at);
			const rows = rowsFor(idOf);
			const expressions = documented[name] ?? own;
			crm.rows = rowsOf(rows, expressions);
			const { id, result: first } = await runWith(expressions);
			assert.equal(first.status, 'success', first.error);
			if (example.checkAdded) return example.checkAdded(first, lab);

			const written = writtenBy(first);
			assert.deepEqual(
				written.map(({ crm_id }) => crm_id).sort(),
				rows.map(({ crm_id }) => String(crm_id)).sort(),
			);
			const of = (row) => written.find(({ crm_id }) => crm_id === String(row.crm_id));
			check(rows.map(of), rows);

			crm.rows = rowsOf(
				rows.map((row) => ({ ...row, ...of(row), crm_id: row.crm_id })),
				expressions,
			);
			const second = await run(id, trigger);
			assert.equal(second.status, 'success', second.error);
			assert.deepEqual(writtenBy(second), []);
			if (!example.asksEveryTime) assert.equal(log.requestsTo().length, 0);
		});

	await t.test('a missing key, or no rows', async () => {
		async function stops(expressions, message) {
			const { result } = await runWith(expressions);
			assert.equal(result.status, 'error');
			assert.match(result.error, message);
			assert.equal(log.requestsTo(example.paid).length, 0);
		}
		crm.rows = rowsOf(rowsFor(digits), own);
		const [column] = Object.keys(crm.rows[0]);
		const message = new RegExp(
			`rows read: ${crm.rows.length}, rows with crm_id and .+: 0\\..+From your CRM.+Fields of the first row: ${column}`,
		);
		await stops({ ...own, crm_id: '={{ $json.wrong }}' }, message);
		const elsewhere = identifiedBy.map((field) => [field, '={{ $json.wrong }}']);
		await stops({ ...own, ...Object.fromEntries(elsewhere) }, message);
		// What is found for one row would be written to all that have its ID.
		if (nodeOf(workflow, 'To your CRM') && !example.checkAdded) {
			crm.rows = rowsOf(
				rowsFor(() => 'twice'),
				own,
			);
			await stops(own, /several rows have the same crm_id, such as twice\. .+From your CRM/);
		}
		crm.rows = [];
		if (!example.mayBeEmpty) await stops(own, /your CRM returned no rows/);
	});
}
