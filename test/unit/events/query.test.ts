/** One request for the events of several entities. test/workflows/events.test.ts shows what becomes of its results. */
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import { PROSPECT_EVENTS } from '../../../nodes/BusinessProspectData/catalog/service';
import { type EventsQuery, queryEvents } from '../../../nodes/BusinessProspectData/events/query';
import type { Batch } from '../../../nodes/BusinessProspectData/run/batches';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

/** A client with these responses, and the requests it sent. */
function clientWith(respond: (request: ServiceRequest) => Outcome<unknown>) {
	const requests: ServiceRequest[] = [];
	const client: Client = {
		async send(request) {
			requests.push(request);
			return respond(request);
		},
		stop: () => undefined,
		stopOnFailure: false,
		recordFailure: () => undefined,
		successCount: () => requests.length,
		lostResponseCount: () => 0,
		redact: (text) => text,
	};
	/** The outcome of each query. */
	async function send(...queries: Batch<EventsQuery>) {
		const { value: outcomeOf, failure } = await queryEvents(PROSPECT_EVENTS)(
			client,
			queries,
			() => undefined,
		);
		return { outcomes: queries.map((query) => outcomeOf?.(query)), failure };
	}
	return { send, requests };
}

const queryFor = (id: string, more: Partial<EventsQuery> = {}): EventsQuery => ({
	id,
	types: ['t'],
	...more,
});

const event = (event_id: string, prospect_id?: string): IDataObject => ({
	event_id,
	...(prospect_id !== undefined && { prospect_id }),
});

test('sends all IDs in one request, with the optional members of the query', async () => {
	const { send, requests } = clientWith(() => ({ value: {} }));
	const window = { from: '2026-01-01', to: '2026-02-01', requestContext: { team: 'x' } };

	await send(queryFor(A, window), queryFor(B, window));
	await send(queryFor(A));

	expect(requests).toEqual([
		{
			method: 'POST',
			path: '/v1/prospects/events',
			body: {
				event_types: ['t'],
				prospect_ids: [A, B],
				timestamp_from: '2026-01-01',
				timestamp_to: '2026-02-01',
				request_context: { team: 'x' },
			},
			safeToRetry: true,
			recordLabels: [A, B],
			mayBeEmpty: true,
		},
		expect.objectContaining({ body: { event_types: ['t'], prospect_ids: [A] } }),
	]);
});

test.each<[what: string, response: unknown]>([
	['an object without a list of events', { message: 'Down for maintenance' }],
	['a list of events in another place', { data: { output_events: [{ event_id: '1' }] } }],
])('%s is a failure: it does not say whether there were any', async (_what, response) => {
	const { send } = clientWith(() => ({ value: response }));

	const { failure } = await send(queryFor(A));

	expect(failure?.message).toMatch(/^The service's response has no list of events, so it is/);
});

test.each<[what: string, response: unknown, expected: string[][]]>([
	[
		'by an ID in another case, with spaces',
		{ output_events: [event('1', ` ${A.toUpperCase()} `)] },
		[['1'], []],
	],
	['once', { output_events: [event('1', A), event('1', A)] }, [['1'], []]],
])('assigns events %s', async (_what, response, expected) => {
	const { send, requests } = clientWith(() => ({ value: response }));

	const { outcomes } = await send(queryFor(A), queryFor(B));

	const events = outcomes.map((outcome) => outcome?.value?.events.map(({ event_id: id }) => id));
	expect(events).toEqual(expected);
	expect(requests).toHaveLength(1);
});

test('queries each entity again if an event has an ID that was not requested, as of a merged profile', async () => {
	const merged = event('1', 'c'.repeat(40));
	const { send, requests } = clientWith(({ recordLabels = [] }) => ({
		value: { output_events: recordLabels.includes(A) ? [merged] : [] },
	}));

	const both = await send(queryFor(A), queryFor(B));
	const alone = await send(queryFor(A));

	expect(both.outcomes).toMatchObject([{ value: { events: [merged] } }, { value: { events: [] } }]);
	expect(alone.outcomes).toMatchObject([{ value: { events: [merged] } }]);
	expect(requests.map(({ recordLabels }) => recordLabels)).toEqual([[A, B], [A], [B], [A]]);
});

test('identifies events without an ID by their content', async () => {
	const bare = { prospect_id: A, data: 1 };
	const { send } = clientWith(() => ({
		value: { output_events: [bare, { ...bare }, { ...bare, data: 2 }] },
	}));

	const { outcomes } = await send(queryFor(A));

	expect(outcomes[0]?.value?.events).toEqual([bare, { ...bare, data: 2 }]);
});
