/**
 * An expression that gives nothing, in every parameter of every operation: the row asks for nothing and says which field is
 * empty, or it asks for what it would without that parameter, where the editor says that this is what empty means. A
 * filter never does the latter: without it the search would be for everybody.
 *
 * Seen to fail: filters without a value left out, null taken for the default of a list of choices, a blank bound that
 * stands for none in a range without another, a description without the meaning of empty.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { type NodeRun, runNode } from '../harness/engine';
import { type Sandbox, startSandbox } from '../sandbox/sandbox';
import { stopClock } from '../workflows/clock';
import { failureOf } from '../workflows/service';
import { type Slot, slotsOf, together } from './slots';
import { goodValue, isNeeded } from './values';

const NOW = '2026-11-18T12:00:00Z';

/** What an expression gives for a cell with nothing in it. */
const BLANKS: readonly unknown[] = [
	...['', ' ', '\n\t', '\u00a0'],
	...[null, undefined],
	...[[], [''], [null, ' '], {}],
];

/** Whose value is in the editor while nothing else is chosen: empty is that value, or off. */
const WITH_A_VALUE = ['boolean', 'number', 'options'];
/** Ways to find a person: one that is empty is not used, and one is needed. */
const DETAILS = ['email', 'phoneNumber', 'fullName', 'companyName', 'network'];
/** A blank one is a row without data, which the hint counts. */
const IDS = ['prospectIds', 'businessIds'];

const isFilter = ({ name }: Slot) => /^(filters\..*|options\.additionalFilters)$/.test(name);
/** Say what becomes of a filter, and are none. */
const BESIDE_FILTERS = ['filters.job_title.include_related_job_titles'];

let sandbox: Sandbox;
beforeAll(async () => {
	const now = new Date(NOW);
	sandbox = await startSandbox({ rateLimit: null, now: () => now, people: 120, companies: 20 });
});
beforeEach(() => stopClock(NOW));
afterAll(async () => await sandbox.close());

/** Runs the operation for one row; `asked` is what went out. */
async function run(parameters: INodeParameters, row: IDataObject = {}) {
	sandbox.clear();
	const result: NodeRun = await runNode({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		parameters,
		items: [row],
		onError: 'continueErrorOutput',
	});
	expect(result.task?.error).toBeUndefined();
	const asked = sandbox.log.entries.map(({ path, query, body }) => ({ path, query, body }));
	return { ...result, asked };
}

describe.each(OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const slots = slotsOf(resource, operation);

		test.each(slots.map((slot) => [slot.name, slot] as const))('%s', async (name, slot) => {
			const others = slots.filter((other) => isNeeded(other) && other.name !== name);
			const needed = others.map((other) =>
				other.filled(goodValue(other.property, sandbox.world) as string),
			);
			const without = together(...needed, slot.shownWith);
			const allowed = [(await run(without)).asked];
			if (slot.property.type === 'boolean') {
				allowed.push((await run(together(without, slot.filled('={{ false }}')))).asked);
			}
			const parameters = together(without, slot.filled('={{ $json.blank }}'));

			for (const blank of BLANKS) {
				const { asked, error, hints } = await run(parameters, { blank } as IDataObject);

				if (asked.length > 0) {
					expect(allowed).toContainEqual(asked);
					expect(isFilter(slot) && !BESIDE_FILTERS.includes(name)).toBe(false);
					if (WITH_A_VALUE.includes(slot.property.type) || DETAILS.includes(name)) continue;
					expect(slot.described).toMatch(/\b(empty|none)\b/i);
				} else if (error.length === 0) {
					expect(IDS).toContain(name);
					expect(hints.map(({ message }) => message).join()).toContain('1 row had no ID');
				} else {
					expect([blank, error.map(failureOf)]).toEqual([
						blank,
						[{ message: expect.any(String), field: expect.any(String) }],
					]);
					const [{ field } = { field: '' }] = error.map(failureOf);
					expect(name.split('.')).toContain(field);
				}
			}
		});
	},
);
