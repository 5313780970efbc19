/** One request for the events of several entities. test/workflows/events.test.ts shows what becomes of its results. */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import { PROSPECT_EVENTS } from '../../../nodes/BusinessProspectData/catalog/service';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import {
	type EventsQuery,
	queryEvents,
	retentionStart,
} from '../../../nodes/BusinessProspectData/events/query';
import { stubClient } from '../api/service';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

const DOWN: Failure = { kind: 'server', message: 'Down.' };

/** Queries the events of each ID. Without a response, a request fails. Returns the events, the failure of the request, and what was sent. */
async function query(
	ids: readonly [string, ...string[]],
	respond: (request: ServiceRequest) => unknown,
	more: Partial<EventsQuery> = {},
) {
	const requests: ServiceRequest[] = [];
	const client = stubClient({
		async send(request) {
			requests.push(request);
			const value = respond(request);
			return value === undefined ? { failure: DOWN } : { value };
		},
	});
	const [first, ...others] = ids.map((id) => ({ id, types: ['t'], ...more }));
	if (first === undefined) throw new Error('No ID');
	const queries = [first, ...others] as const;
	const result = await queryEvents(PROSPECT_EVENTS)(client, queries, () => undefined);
	const events = queries.map((one) => result.value?.outcomeOf(one)?.value?.events);
	const { value, failure } = result.value?.outcomeOf(first) ?? {};
	const { unassigned } = value ?? {};
	return { events, unassigned, failure: result.failure ?? failure, requests };
}

const event = (event_id: string, prospect_id: string): IDataObject => ({ event_id, prospect_id });

test.each([
	{ message: 'Down for maintenance' },
	{ data: { output_events: [{ event_id: '1' }] } },
	{ response_context: { request_status: 'success' } },
])('%j is a failure: it does not say whether there were any', async (response) => {
	const { requests } = await query([A], () => ({}));

	expect(requests[0]?.expects?.isIn(response)).toBe(false);
	expect(requests[0]?.expects?.isIn({})).toBe(true);
});

test('an event belongs to an ID in another case, with spaces, and comes once', async () => {
	const own = event('1', ` ${A.toUpperCase()} `);
	const { events, requests } = await query([A, B], () => ({ output_events: [own, { ...own }] }));

	expect(events).toEqual([[event('1', A)], []]);
	expect(requests).toHaveLength(1);
});

test('drops the events of an entity that was not requested, and counts them', async () => {
	const respond = () => ({ output_events: [event('1', 'c'.repeat(40))] });
	const { events, unassigned, failure, requests } = await query([A, B], respond);

	expect([events, unassigned, failure]).toEqual([[[], []], 1, undefined]);
	expect(requests).toHaveLength(1);
});

test.each([{ event_id: '2' }, { error: 'Quota exceeded' }])(
	'%j without an ID belongs to the only entity; of several, those without events fail',
	async (row) => {
		const respond = () => ({ output_events: [row, event('1', B)] });
		const [both, other, alone] = [
			await query([A, B], respond),
			await query([B, A], respond),
			await query([A], () => ({ output_events: [row] })),
		];

		expect(both.failure?.message).toContain('1 event without an ID');
		expect(other.failure).toBeUndefined();
		expect(alone.failure?.message ?? alone.events).toEqual(
			'error' in row ? expect.stringContaining('Quota exceeded') : [[{ ...row, prospect_id: A }]],
		);
	},
);

test.each([
	['the same day three months before', '2026-05-20T12:30:00Z', '2026-02-20T12:30:00Z'],
	['the last day of a shorter month', '2026-05-31T08:00:00Z', '2026-02-28T08:00:00Z'],
	['in a leap year', '2028-05-31T08:00:00Z', '2028-02-29T08:00:00Z'],
	['while it is the 31st further east', '2026-05-30T12:00:00Z', '2026-02-28T12:00:00Z'],
	['while it is still the 31st further west', '2026-06-01T02:00:00Z', '2026-03-01T02:00:00Z'],
])('the service has events from %s', (_what, now, start) => {
	expect(retentionStart(Date.parse(now))).toBe(Date.parse(start));
});
