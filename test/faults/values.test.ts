/**
 * Any value in any parameter of any operation, also none: nothing is thrown in a Continue mode, no row is lost, no request
 * violates the contract, and no row's output depends on the other rows. New operations, parameters and options join by
 * description.
 */
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { errorOf, type NodeRun, rowOfSource, runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { everyNth } from '../size';
import { stopClock } from '../workflows/clock';
import { failureOf } from '../workflows/service';
import { mergeParameters, type ParameterPath, parameterPathsOf } from './parameterPaths';
import { EMPTY_VALUES, isRequired, validValue, valuesFor, WORDS_FOR_NOTHING } from './sampleValues';

const NOW = '2026-11-18T12:00:00Z';
/** Operations whose result may be an empty list, and the option with which others' may be. */
const MAY_HAVE_NO_ROWS = /\b(getAll|getEvents|getStatistics|search|output|dropRowsWithoutData)\b/;
/** What the rows of a run share: test/workflows/costs.test.ts. */
const RUN_WIDE = ['maxRecordsToPay', 'options.estimateOnly', 'rememberIn', 'maxAge'];

let sandbox: Sandbox;
beforeAll(async () => {
	const now = new Date(NOW);
	const world = { people: 120, companies: 20, eventsPerDay: 5 };
	sandbox = await startSandbox({ ...world, rateLimit: null, now: () => now });
});
beforeEach(() => stopClock(NOW));
afterAll(async () => await sandbox.close());

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	onError: OnError = 'continueErrorOutput',
) => {
	sandbox.clear();
	const result = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters,
		items,
		onError,
		expressionAfter: rowOfSource,
	});
	expect(result.task?.error === undefined || onError === 'stopWorkflow').toBe(true);
	expect(sandbox.log.defects()).toEqual([]);
	return result;
};

const valueFor = ({ property }: ParameterPath) => validValue(property, sandbox.world);

/** The parameters that show a parameter, and those without which the operation can't run. */
const parametersAround = ({ path, shownWith }: ParameterPath, all: readonly ParameterPath[]) =>
	mergeParameters(
		...all
			.filter((other) => isRequired(other) && other.path !== path)
			.map((other) => other.withValue(valueFor(other) as string)),
		shownWith,
	);

describe.each(OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const all = parameterPathsOf(resource, operation);
		const named = all.map((parameter, turn) => [parameter.path, parameter, turn] as const);

		test.each(named)('%s without a value', async (path, parameter, turn) => {
			const { property, description, withValue } = parameter;
			const without = parametersAround(parameter, all);
			const allowed = [without];
			// By default, the body is an empty object.
			if (path === 'body') allowed.push(mergeParameters(without, withValue('')));
			if (property.type === 'boolean') {
				allowed.push(mergeParameters(without, withValue('={{ false }}')));
			}
			const allowedRequests: unknown[] = [];
			for (const parameters of allowed) {
				await run(parameters, [{}]);
				allowedRequests.push(requests());
			}
			const parameters = mergeParameters(without, withValue('={{ $json.empty }}'));

			const words = ANY_WORDS.includes(path) ? [] : everyNth(3, WORDS_FOR_NOTHING, turn);
			for (const empty of [...everyNth(5, EMPTY_VALUES, turn), ...words]) {
				if (path === 'body' && typeof empty === 'object' && empty !== null) continue;
				const { error, hints } = await run(parameters, [{ empty } as IDataObject]);

				if (requests().length > 0) {
					// The editor must say what it means. A filter is never left out: it would find everybody.
					expect(allowedRequests).toContainEqual(requests());
					expect(isFilter(path)).toBe(false);
					if (HAS_VALUE.includes(property.type) || DETAILS.includes(path)) continue;
					expect(description).toMatch(/\b(empty|none)\b/i);
				} else if (error.length > 0) {
					const [failure = { message: '', field: '' }] = error.map(failureOf);
					expect([error.length, typeof failure.message]).toEqual([1, 'string']);
					expect(path.split('.')).toContain(failure.field);
				} else {
					expect(IDENTIFYING).toContain(path);
					expect(hints.map(({ message }) => message).join()).toMatch(/1 row without/);
				}
			}
		});

		// What a custom API call sends, the user decides.
		if (resource === 'customApiCall') return;
		test.each(named.filter(([path]) => !RUN_WIDE.includes(path)))(
			'%s may have any value',
			async (path, parameter, turn) => {
				const values = everyNth(8, valuesFor(parameter.property, valueFor(parameter)), turn);
				// The last row's expression throws.
				const rows = [...values, undefined].map((value, row) => ({
					row,
					value,
					throws: row === values.length,
				})) as IDataObject[];
				const parameters = mergeParameters(
					parametersAround(parameter, all),
					parameter.withValue("={{ $json.throws ? $('Nowhere').item.json.x : $json.value }}"),
				);

				const outputs = outputsOf(await run(parameters, rows), rows);
				expectValidRequests();
				const reversed = outputsOf(await run(parameters, [...rows].reverse()), rows);
				const stopping = await run(parameters, rows, 'stopWorkflow');

				expect(outputs.at(-1)).toEqual([expect.stringContaining('"error"')]);
				if (!MAY_HAVE_NO_ROWS.test(`${operation} ${path}`)) {
					expect(outputs.map(({ length }) => length)).not.toContain(0);
				}
				expect(reversed).toEqual(outputs);
				// Which row is wrong is known before anything is sent.
				expect([stopping.main, sandbox.log.entries]).toEqual([[], []]);
				const first = outputs.findIndex(([output]) => output?.includes('"error":{"message"'));
				expect(stopping.failureText).toMatch(
					RegExp(`^(Row ${first + 1} of ${rows.length}: )?[A-Z]`),
				);
			},
		);
	},
);

/** In the editor, these have a value: an empty one means false or the default. */
const HAS_VALUE = ['boolean', 'number', 'options'];
/** Details of a person. Any one is enough. */
const DETAILS = [
	'email',
	'moreDetails.phoneNumber',
	'moreDetails.network',
	'fullName',
	'companyName',
];
/** Rows that have none of these are blank: nothing is sent for them, and a hint counts them. */
const IDENTIFYING = [
	...['prospectIds', 'businessIds', 'email', 'companyName', 'prospectId', 'workEmail'],
];
/** Companies, searched texts and paths may have any name, such as None. */
const ANY_WORDS = ['companyName', 'query', 'path'];
const isFilter = (path: string) =>
	/^(filters\..*|options\.additionalFilters)$/.test(path) &&
	path !== 'filters.job_title.include_related_job_titles';

const requests = () => sandbox.log.entries.map(({ path, query, body }) => ({ path, query, body }));

function expectValidRequests(): void {
	const rejected = sandbox.log.entries.filter(({ status }) => status !== 200);
	expect(rejected.map(({ status, query, body }) => ({ status, query, body }))).toEqual([]);
	expect(Object.keys(Object.prototype)).toEqual([]);
}

/** The items of each row, as text without what differs in every response. */
function outputsOf({ main, error, linked, linkedErrors }: NodeRun, rows: readonly unknown[]) {
	const items = [...main, ...error];
	const links = [...linked, ...linkedErrors];
	expect(links.filter((row) => !(Number(row) < rows.length))).toEqual([]);
	return rows.map((_, row) => items.filter((_item, at) => links[at] === row).map(textOf));
}

const textOf = (item: INodeExecutionData) =>
	JSON.stringify(
		errorOf(item).message === undefined ? item.json : { error: item.json.error },
		(key, value: unknown) =>
			['response_context', 'correlation_id'].includes(key) ? undefined : value,
	);
