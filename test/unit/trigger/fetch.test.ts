/** What the outcome of a query means for the sweep. */
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import type { EventsResult } from '../../../nodes/BusinessProspectData/events/query';
import { toIdResults } from '../../../nodes/BusinessProspectData/trigger/events/fetch';
import type { IdResult } from '../../../nodes/BusinessProspectData/trigger/events/state';

const event = { event_id: '1' };
const succeeded = { value: { events: [event], responseContext: undefined } };
const failed = (kind: Failure['kind'], field?: string): Outcome<never> => ({
	failure: { kind, message: 'No.', field },
});

const [a, b] = [
	(outcome: Outcome<EventsResult>) => ({ id: 'a', outcome }),
	(outcome: Outcome<EventsResult>) => ({ id: 'b', outcome }),
];

test.each<[what: string, outcome: Outcome<never>, results: IdResult[]]>([
	['ran out of time', failed('stopped'), []],
	['hit the rate limit', failed('rateLimited'), []],
	['had no response', failed('noResponse'), [{ id: 'b' }]],
	['is rejected by itself', failed('invalid', 'ids'), [{ id: 'b', events: [] }]],
	['is in a rejected request', failed('invalid'), [{ id: 'b' }]],
	['is in a request with another invalid field', failed('invalid', 'eventTypes'), [{ id: 'b' }]],
	['is reported as failed', failed('reported', 'ids'), [{ id: 'b' }]],
])('an ID that %s', (_what, outcome, results) => {
	expect(toIdResults([a(succeeded), b(outcome)], false)).toEqual([
		{ id: 'a', events: [event] },
		...results,
	]);
});

test.each<[what: string, kind: Failure['kind'], results: IdResult[]]>([
	['that failed is retried', 'noResponse', [{ id: 'b' }]],
	['that ran out of time is still pending', 'stopped', []],
])('an ID with events and a failure %s', (_what, kind, results) => {
	expect(toIdResults([b({ ...succeeded, failure: { kind, message: 'No.' } })], true)).toEqual(
		results,
	);
});

test('IDs are retried when the service rejects all of them, unless it accepted others before', () => {
	const rejected = failed('invalid', 'ids');

	expect(toIdResults([a(rejected), b(rejected)], false)).toEqual([{ id: 'a' }, { id: 'b' }]);
	expect(toIdResults([a(rejected)], true)).toEqual([{ id: 'a', events: [] }]);
});
