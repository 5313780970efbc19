/**
 * An expression without a value, in every parameter of every operation: the row fails before any request and names the
 * empty field, or it is treated as without that parameter, if the editor says that empty means this. A filter never is:
 * without it, the search would find everybody.
 *
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { everyNth } from '../size';
import { stopClock } from '../workflows/clock';
import { failureOf } from '../workflows/service';
import { mergeParameters, type ParameterPath, parameterPathsOf } from './parameterPaths';
import { isRequired, validValue } from './sampleValues';

const NOW = '2026-11-18T12:00:00Z';

/** What expressions return for an empty cell. */
const EMPTY_VALUES: readonly unknown[] = [
	...['', [], null, ' ', [''], undefined],
	...['\n\t', [null, ' '], '\u00a0', {}],
];

/** Types with a value in the editor, to which empty means false or the default. */
const TYPES_WITH_VALUE = ['boolean', 'number', 'options'];
/** Details of a person. Any one is enough. */
const DETAILS = [
	...['email', 'phoneNumber', 'network'],
	...['fullName', 'firstName', 'lastName', 'companyName'],
];
/** A list or an object is a body, even an empty one. */
const isBody = (path: string, empty: unknown) =>
	path === 'body' && typeof empty === 'object' && empty !== null;
/** Rows that have none of these are blank: nothing is sent for them, and a hint counts them. */
const IDENTIFYING = [
	...['prospectIds', 'businessIds', 'email', 'companyName', 'prospectId', 'workEmail'],
];

const isFilter = ({ path }: ParameterPath) =>
	/^(filters\..*|options\.additionalFilters)$/.test(path) &&
	path !== 'filters.job_title.include_related_job_titles';

let sandbox: Sandbox;
beforeAll(async () => {
	const now = new Date(NOW);
	sandbox = await startSandbox({ rateLimit: null, now: () => now, people: 120, companies: 20 });
});
beforeEach(() => stopClock(NOW));
afterAll(async () => await sandbox.close());

async function run(parameters: INodeParameters, row: IDataObject = {}) {
	sandbox.clear();
	const result = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters,
		items: [row],
		onError: 'continueErrorOutput',
	});
	expect(result.task?.error).toBeUndefined();
	const requests = sandbox.log.entries.map(({ path, query, body }) => ({ path, query, body }));
	return { ...result, requests };
}

describe.each(OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const all = parameterPathsOf(resource, operation);

		test.each(all.map((parameter, turn) => [parameter.path, parameter, turn] as const))(
			'%s without a value',
			async (path, parameter, turn) => {
				const { property, description, withValue, shownWith } = parameter;
				const required = all
					.filter((other) => isRequired(other) && other.path !== path)
					.map((other) => other.withValue(validValue(other.property, sandbox.world) as string));
				const without = mergeParameters(...required, shownWith);
				const allowed = [(await run(without)).requests];
				// By default, the body is an empty object.
				if (path === 'body') {
					allowed.push((await run(mergeParameters(without, withValue('')))).requests);
				}
				if (property.type === 'boolean') {
					allowed.push((await run(mergeParameters(without, withValue('={{ false }}')))).requests);
				}
				const parameters = mergeParameters(without, withValue('={{ $json.empty }}'));

				const values = everyNth(5, EMPTY_VALUES, turn).filter((value) => !isBody(path, value));
				for (const empty of values) {
					const { requests, error, hints } = await run(parameters, { empty } as IDataObject);

					if (requests.length > 0) {
						expect(allowed).toContainEqual(requests);
						expect(isFilter(parameter)).toBe(false);
						if (TYPES_WITH_VALUE.includes(property.type) || DETAILS.includes(path)) continue;
						expect(description).toMatch(/\b(empty|none)\b/i);
					} else if (error.length === 0) {
						expect(IDENTIFYING).toContain(path);
						const said = hints.map(({ message }) => message).join();
						expect(said).toMatch(
							/1 row without (an ID|details|a company name|a prospect ID|a work email)/,
						);
					} else {
						const [failure = { field: '' }] = error.map(failureOf);
						expect([empty, error.length, failure]).toEqual([
							empty,
							1,
							{ message: expect.any(String), field: expect.any(String) },
						]);
						expect(path.split('.')).toContain(failure.field);
					}
				}
			},
		);
	},
);
