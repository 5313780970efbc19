/** The trigger's settings. */
import type { IPollFunctions, NodeParameterValueType } from 'n8n-workflow';
import { HOUR_MS } from '../../../nodes/BusinessProspectData/parameters/dates';
import { EVENT_TRIGGERS } from '../../../nodes/BusinessProspectData/trigger/parameters';
import {
	checkStartFrom,
	readEventsSettings,
} from '../../../nodes/BusinessProspectData/trigger/events/poll';

const A = 'a'.repeat(40);

function read(parameters: Record<string, NodeParameterValueType | object>) {
	const context = {
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getTimezone: () => 'Europe/Berlin',
	} as unknown as IPollFunctions;
	const trigger = EVENT_TRIGGERS.find(({ value }) => value === 'prospectEvent');
	if (trigger === undefined) throw new Error('There is no such option');
	return readEventsSettings(context, trigger);
}

test('prospects by default, with all their event types', () => {
	const {
		source,
		watch,
		simplify,
		requestsPerPoll,
		requestOptions: client,
		requestContext,
	} = read({ ids: A });

	expect(source.path).toBe('/v1/prospects/events');
	expect(watch).toEqual({
		entityType: 'prospect',
		ids: [A],
		types: ['prospect_changed_company', 'prospect_changed_role', 'prospect_job_start_anniversary'],
		lookbackMs: 72 * HOUR_MS,
	});
	expect([simplify, requestsPerPoll, requestContext]).toEqual([true, 60, undefined]);
	expect(client).toMatchObject({
		maxConcurrentRequests: 4,
		maxTries: 5,
		maxWait: 300,
		timeout: 120,
	});
});

test('ignores Other Event Types for prospects, where the editor hides it', () => {
	const { watch } = read({
		ids: A,
		eventTypes: ['prospect_changed_role'],
		otherEventTypes: 'zoo_visit',
	});

	expect(watch.types).toEqual(['prospect_changed_role']);
});

test('Look Back (Hours) sets the lookback window', () => {
	const options = { lookBackHours: 5 };

	expect(read({ ids: A, options }).watch.lookbackMs).toBe(5 * HOUR_MS);
});

test('removes duplicate IDs, ignoring case', () => {
	expect(read({ ids: `${A}, ${A.toUpperCase()}` }).watch.ids).toEqual([A]);
});

test.each([
	[{ ids: A, eventTypes: [] }, 'Event Types: choose at least one of: prospect_changed_company,'],
	[{ ids: A, options: { startFrom: 'soon' } }, 'Start From: "soon" is not a date'],
])('%j throws', (parameters, message) => {
	expect(() => read(parameters)).toThrow(message);
});

describe('Start From', () => {
	const NOW = Date.UTC(2026, 10, 20);
	const check = (startFrom?: string) => () =>
		checkStartFrom(read({ ids: A, options: startFrom === undefined ? {} : { startFrom } }), NOW);

	test("may be up to a day before the service's window", () => {
		expect(check()).not.toThrow();
		expect(check('2026-08-19T00:00:00Z')).not.toThrow();
		expect(check('2026-08-18T23:59:59Z')).toThrow(
			'Start From: "2026-08-18T23:59:59.000Z" is more than 3 months ago, and the service has no older events. Choose a later date.',
		);
	});
});
