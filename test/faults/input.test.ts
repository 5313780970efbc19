/**
 * Any value in any parameter of any operation: nothing is thrown in a Continue mode, no row is lost, no request violates
 * the contract, and each row has the same output as alone. New operations, parameters and options join by description.
 *
 */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { errorOf, type NodeRun, runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { bySize, everyNth } from '../size';
import { stopClock } from '../workflows/clock';
import { itemOf } from '../workflows/service';
import { mergeParameters, type ParameterPath, parameterPathsOf } from './parameterPaths';
import {
	anyValueFor,
	CONTRACT_OPERATIONS,
	isRequired,
	validValue,
	valuesFor,
} from './sampleValues';

const NOW = '2026-11-18T12:00:00Z';
const CONTINUE_MODES = ['continueRegularOutput', 'continueErrorOutput'] as const;
/** Each run tries the same values. */
const SEED = 20261118;
/** Operations whose result may be an empty list, and parameters with which others' may be. */
const MAY_HAVE_NO_ROWS = [
	'getAll',
	'getEvents',
	'getStatistics',
	'search',
	'output',
	'options.dropItemsWithoutData',
];

/** What the rows of a run share: test/workflows/spending.test.ts. */
const RUN_WIDE = ['maxRecordsToPay', 'maxCreditsToPay', 'estimateOnly'];

interface Row {
	/** The value of each parameter, by path. */
	readonly values: Readonly<Record<string, unknown>>;
	/** The path of a parameter whose expression throws. */
	readonly throws?: string;
}

let sandbox: Sandbox;
beforeAll(async () => {
	const now = new Date(NOW);
	sandbox = await startSandbox({
		rateLimit: null,
		now: () => now,
		people: 120,
		companies: 20,
		eventsPerDay: 5,
	});
});
beforeEach(() => {
	stopClock(NOW);
	sandbox.clear();
});
afterAll(async () => await sandbox.close());

const run = async (
	parameters: INodeParameters,
	rows: readonly Row[],
	onError: OnError,
): Promise<NodeRun> =>
	await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters,
		items: rows.map((row) => ({ ...row })),
		onError,
	});

const expressionFor = (path: string) => {
	const text = JSON.stringify(path);
	return `={{ $json.throws === ${text} ? $('Nowhere').item.json.x : $json.values[${text}] }}`;
};

/** What an operation takes instead of an ID: a choice in Identify By. */
function detailsOf(resource: string, value: string): INodeParameters[] {
	const operation = CONTRACT_OPERATIONS.find(
		(one) => one.resource === resource && one.value === value,
	);
	const { options = [] } = operation?.properties.find(({ name }) => name === 'identifyBy') ?? {};
	return options.slice(1).map((choice) => ({ identifyBy: 'value' in choice ? choice.value : '' }));
}

const validFor = ({ property }: ParameterPath) => validValue(property, sandbox.world);

const isError = (item: INodeExecutionData) => typeof errorOf(item).message === 'string';

/** The items of each row on both outputs. Each must belong to a row, in the order of the rows. */
function byRow({ main, error }: NodeRun, count: number): INodeExecutionData[][] {
	const found: INodeExecutionData[][] = Array.from({ length: count }, () => []);
	for (const output of [main, error]) {
		const rows = output.map((item) => Number(itemOf(item)));
		// As text, since Jest compares many numbers slowly.
		expect(rows.join()).toBe([...rows].sort((a, b) => a - b).join());
		expect(rows.filter((row) => !(row < count))).toEqual([]);
		output.forEach((item, index) => found[rows[index] ?? count]?.push(item));
	}
	return found;
}

function expectSuccess({ failure, task, status }: NodeRun): void {
	expect([failure?.message, task?.error?.message, status]).toEqual([
		undefined,
		undefined,
		'success',
	]);
	expectValidRequests();
}

function expectValidRequests(): void {
	expect(sandbox.log.defects()).toEqual([]);
	const failed = sandbox.log.entries.filter(({ status }) => status !== 200);
	expect(failed.map(({ status, query, body }) => ({ status, query, body }))).toEqual([]);
	expect(Object.keys(Object.prototype)).toEqual([]);
}

/** The rows without an item. A hint counts those with a blank ID. */
function rowsWithoutItems(
	rows: readonly Row[],
	outputs: INodeExecutionData[][],
	{ hints }: NodeRun,
) {
	const without = rows.filter((_, index) => outputs[index]?.length === 0);
	expect(without.filter((row) => row.throws !== undefined)).toEqual([]);
	const isBlankId = ([path, value]: [string, unknown]) =>
		/^\w+Ids$/.test(path) && (value === null || (typeof value === 'string' && !value.trim()));
	if (without.some(({ values }) => Object.entries(values).some(isBlankId))) {
		expect(hints.map(({ message }) => message).join(' ')).toMatch(/ without an ID/);
	}
	return without;
}

describe.each(CONTRACT_OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const all = parameterPathsOf(resource, operation).filter(
			({ path }) => !RUN_WIDE.includes(path),
		);

		test.each(all.map((parameter, turn) => [parameter.path, parameter, turn] as const))(
			'%s may have any value',
			async (path, parameter, turn) => {
				const rows: Row[] = [
					...everyNth(4, valuesFor(parameter.property, validFor(parameter)), turn).map((value) => ({
						values: { [path]: value },
					})),
					{ values: {}, throws: path },
				];
				const required = all
					.filter(isRequired)
					.map((other) => other.withValue(validFor(other) as string));
				const parameters = mergeParameters(
					...required,
					parameter.shownWith,
					parameter.withValue(expressionFor(path)),
				);

				const together = await run(parameters, rows, 'continueErrorOutput');

				expectSuccess(together);
				const outputs = byRow(together, rows.length);
				const without = rowsWithoutItems(rows, outputs, together);
				if (![operation, path].some((name) => MAY_HAVE_NO_ROWS.includes(name))) {
					expect(without).toEqual([]);
				}
				expect(outputs.at(-1)?.map(isError)).toEqual([true]);

				sandbox.log.clear();
				const alone = await run(parameters, rows.slice(0, 1), 'continueErrorOutput');
				expectSuccess(alone);
				expect(comparable(outputs[0])).toEqual(comparable(byRow(alone, 1)[0]));
			},
		);

		const ways: INodeParameters[] = [{}, ...detailsOf(resource, operation)];
		const [defaultChoice] = CONTRACT_OPERATIONS.filter(
			(one) => one.resource === resource && one.value === operation,
		).flatMap(({ properties }) =>
			properties.filter(({ name }) => name === 'identifyBy').map((property) => property.default),
		);

		test.each(ways)('rows with any values have the same output as alone %j', async (way) => {
			// A busy machine may exceed the shortest timeout.
			const used = all.filter(
				({ path, shownWith }) =>
					path !== 'options.requests.timeout' &&
					// n8n drops the others, so that none of their expressions can fail.
					[undefined, way.identifyBy ?? defaultChoice].includes(shownWith.identifyBy),
			);
			const parameters = mergeParameters(
				{ resource, operation, ...way },
				...used.map(({ path, withValue }) => withValue(expressionFor(path))),
			);

			await fc.assert(
				fc.asyncProperty(
					fc.array(anyRow(used), { minLength: 1, maxLength: 8 }),
					fc.constantFrom(...CONTINUE_MODES),
					async (rows, onError) => {
						sandbox.clear();
						const together = await run(parameters, rows, onError);
						expectSuccess(together);
						const outputs = byRow(together, rows.length);
						const alone: INodeExecutionData[][] = [];
						for (const row of rows) {
							const own = await run(parameters, [row], onError);
							expectSuccess(own);
							alone.push(...byRow(own, 1));
						}
						expect(outputs.map(comparable)).toEqual(alone.map(comparable));
						rowsWithoutItems(rows, outputs, together);

						sandbox.clear();
						const stopping = await run(parameters, rows, 'stopWorkflow');
						const first = alone.findIndex((items) => items.some(isError));
						expectValidRequests();
						expect(stopping.failure === undefined).toBe(first < 0);
						expect(stopping.main.length).toBe(first < 0 ? together.main.length : 0);
						if (first < 0) return;
						const messages = new Set(
							alone.flatMap((items) => items.map((item) => errorOf(item).message)),
						);
						const named = `Row ${first + 1} of ${rows.length}: `;
						if (messages.size > 1) expect(stopping.failureText).toContain(named);
						expect(sandbox.log.entries).toEqual([]);
					},
				),
				{ seed: SEED, numRuns: bySize(1, 10) },
			);
		});
	},
);

/** A row with valid values for the required parameters. Up to four parameters have any value. */
const anyRow = (parameters: readonly ParameterPath[]): fc.Arbitrary<Row> => {
	const usual = {
		...Object.fromEntries(
			parameters.filter(isRequired).map((parameter) => [parameter.path, validFor(parameter)]),
		),
		...mergeParameters(...parameters.map(({ shownWith }) => shownWith)),
	};
	const anyChange = fc.constantFrom(...parameters).chain((parameter) =>
		fc.record({
			path: fc.constant(parameter.path),
			value: anyValueFor(parameter.property, validFor(parameter)),
			throws: fc.nat(15).map((chance) => chance === 0),
		}),
	);
	return fc.array(anyChange, { maxLength: 4 }).map((changes): Row => {
		const failing = changes.find((change) => change.throws);
		return {
			values: { ...usual, ...Object.fromEntries(changes.map(({ path, value }) => [path, value])) },
			...(failing && { throws: failing.path }),
		};
	});
};

/** Items without what differs in every response, and without columns that only other rows of the run fill. */
const comparable = (items: INodeExecutionData[] = []) =>
	items.map(({ json }) =>
		JSON.stringify(json, (key, value: IDataObject[string]) =>
			['response_context', 'correlation_id'].includes(key) ||
			(key.startsWith('candidate_') && value === null) ||
			(key === 'skipped' && value === false)
				? undefined
				: value,
		),
	);
