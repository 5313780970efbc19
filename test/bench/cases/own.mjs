// The node's own work, without n8n, network and expressions: against the JSON of its rows, and how it grows.
import { setImmediate as otherWork } from 'node:timers/promises';
import { answer } from '../answers.mjs';
import { byTurns, cpu, longestBlock, lowest, ratio, shown } from '../measure.mjs';
import { runAlone } from '../node.mjs';
import { itemsOf } from '../people.mjs';

const prospectIds = ({ prospect_id }) => prospect_id;
const byId = { identifyBy: 'prospectId', prospectIds };
const enrich = { resource: 'prospect', operation: 'enrich', dataSets: ['profile'], ...byId };
const ONE_EACH = 'Enrich, one request each';
const OPERATIONS = {
	Enrich: enrich,
	[ONE_EACH]: { ...enrich, options: { requestMode: 'single' } },
	Match: {
		resource: 'prospect',
		operation: 'match',
		email: ({ email }) => email,
		fullName: ({ name }) => name,
		companyName: ({ company }) => company,
	},
	'Get Events': { resource: 'prospect', operation: 'getEvents', ...byId },
};

async function alone(name, items) {
	const output = await runAlone({ items, parameters: OPERATIONS[name], answer });
	if (output.length !== items.length) throw new Error(`${name} output ${output.length} items.`);
	return output;
}

/** The CPU of a run against the JSON round trip of its input and output rows. */
async function againstJson(name, count, rounds, most) {
	const input = itemsOf(count);
	// As the service sent them: what Simplify leaves out has to be read, too.
	const output = await runAlone({
		items: input,
		parameters: { ...OPERATIONS[name], simplify: false },
		answer,
	});
	const samples = await byTurns(
		rounds,
		{
			node: async () => await alone(name, input),
			json: () => {
				for (const row of [...input, ...output]) JSON.parse(JSON.stringify(row));
			},
		},
		cpu,
	);
	return ratio(
		{
			what: `Own CPU of ${name}, ${shown(count)} rows`,
			against: 'JSON round trip of input and output rows',
			unit: 'ms CPU',
			most,
		},
		samples.node,
		samples.json,
	);
}

/**
 * One run with many items against as many items in runs of 1,000, of which the output is kept as well.
 *
 * @param times how often, so that one collection of garbage more or less does not count
 */
async function growth(name, count, rounds, times, most = 1.1) {
	const items = itemsOf(count);
	const parts = Array.from({ length: count / 1_000 }, (_, nth) =>
		items.slice(nth * 1_000, (nth + 1) * 1_000),
	);
	await alone(name, parts[0]);
	const samples = await byTurns(
		rounds,
		{
			many: async () => {
				for (let time = 0; time < times; time++) await alone(name, items);
			},
			few: async () => {
				for (let time = 0; time < times; time++) {
					const kept = [];
					for (const part of parts) kept.push(await alone(name, part));
				}
			},
		},
		cpu,
	);
	return ratio(
		{
			what: `Growth of ${name}: CPU per row at ${shown(count)}`,
			against: 'CPU per row at 1,000',
			unit: 'ms CPU',
			most,
			gate: { most: Math.max(2, most) },
		},
		samples.many,
		samples.few,
	);
}

/** How long a run keeps n8n from all else. Answers come later, as those of a network. */
async function blocking(count, rounds) {
	const items = itemsOf(count);
	const parameters = { ...OPERATIONS.Match, ...enrich, identifyBy: 'personDetails' };
	const answerLater = async (path, body) => {
		await otherWork();
		return answer(path, body);
	};
	const samples = [];
	for (let round = 0; round < rounds; round++)
		samples.push(
			await longestBlock(async () => await runAlone({ items, parameters, answer: answerLater })),
		);
	return {
		what: `Enrich by details, ${shown(count)} rows: longest block of n8n`,
		against: '',
		unit: 'ms CPU',
		kind: 'size',
		measured: lowest(samples),
		result: lowest(samples),
		most: 150,
		gate: { most: 300 },
	};
}

export async function run({ short }) {
	const rounds = 5;
	const rows = [await blocking(short ? 10_000 : 100_000, 3)];
	// Match reads four cells of people's own writing in each row, and sends and outputs little.
	for (const [name, most] of [
		['Enrich', 1.5],
		['Match', 3.3],
	]) {
		rows.push(await againstJson(name, short ? 10_000 : 100_000, rounds, most));
	}
	for (const name of Object.keys(OPERATIONS)) {
		// Requests that wait all at once take memory: here only a multiple would be wrong.
		rows.push(await growth(name, 10_000, rounds, short ? 1 : 3, name === ONE_EACH ? 3 : undefined));
	}
	if (!short) {
		for (const name of ['Enrich', 'Match']) rows.push(await growth(name, 100_000, 7, 1));
	}
	return rows;
}
