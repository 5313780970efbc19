/** The events of several IDs in one request, and of as many IDs as there are. */
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Failure, Outcome } from '../../../nodes/BusinessProspectData/core/outcome';
import { PROSPECT_EVENTS } from '../../../nodes/BusinessProspectData/catalog/events';
import { toIdResults, fetchEvents } from '../../../nodes/BusinessProspectData/trigger/fetch';
import { type EventsQuery, queryEvents } from '../../../nodes/BusinessProspectData/events/query';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const CONTEXT = { correlation_id: 'c-1' };

/** A client that gives these answers, and what it was asked. */
function clientWith(answer: (request: ServiceRequest, nth: number) => Outcome<unknown>) {
	const sent: ServiceRequest[] = [];
	const client: Client = {
		async send(request, skipIf) {
			const failure = skipIf?.();
			if (failure !== undefined) return { failure };
			sent.push(request);
			return answer(request, sent.length);
		},
		stop: () => undefined,
		successCount: () => sent.length,
		redact: (text) => text,
	};
	return { client, sent };
}

const ask = (id: string, more: Partial<EventsQuery> = {}): EventsQuery => ({
	id,
	types: ['t'],
	...more,
});

const event = (event_id: string, prospect_id?: unknown): IDataObject =>
	({ event_id, ...(prospect_id !== undefined && { prospect_id }) }) as IDataObject;

/** The IDs of the events that came for each ask, and the kind of its failure. */
async function query(answer: unknown, asks = [ask(A), ask(B)]) {
	const { client } = clientWith(() => ({ value: answer }));
	const { value = [] } = await queryEvents(client, PROSPECT_EVENTS, asks);
	return value.map(({ value: own, failure }) => [
		...(own?.events.map(({ event_id: id }) => id) ?? []),
		...(failure === undefined ? [] : [failure.kind]),
	]);
}

describe('one request', () => {
	test('asks for all IDs, with what is given of the window and the context', async () => {
		const { client, sent } = clientWith(() => ({ value: {} }));
		const window = { from: '2026-01-01', to: '2026-02-01', requestContext: { team: 'x' } };

		await queryEvents(client, PROSPECT_EVENTS, [ask(A, window), ask(B, window)]);
		await queryEvents(client, PROSPECT_EVENTS, [ask(A)]);

		expect(sent).toEqual([
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
				free: true,
				records: [A, B],
				mayBeEmpty: true,
			},
			expect.objectContaining({ body: { event_types: ['t'], prospect_ids: [A] } }),
		]);
	});

	test('without IDs is none', async () => {
		const { client, sent } = clientWith(() => ({ value: {} }));

		expect(await queryEvents(client, PROSPECT_EVENTS, [])).toEqual({ value: [] });
		expect(sent).toEqual([]);
	});

	test('that fails has the failure', async () => {
		const failure: Failure = { kind: 'server', message: 'No.' };
		const { client } = clientWith(() => ({ failure }));

		expect(await queryEvents(client, PROSPECT_EVENTS, [ask(A)])).toEqual({ failure });
	});

	test.each<[what: string, answer: unknown, expected: unknown[][]]>([
		[
			'go to whom they name',
			{ output_events: [event('1', B), event('2', A), event('3', B)] },
			[['2'], ['1', '3']],
		],
		['name them in any case', { output_events: [event('1', ` ${A.toUpperCase()} `)] }, [['1'], []]],
		['come once each', { output_events: [event('1', A), event('1', A)] }, [['1'], []]],
		['may stand in a list by themselves', [event('1', A)], [['1'], []]],
		['of others are left out', { output_events: [event('1', 'c'.repeat(40))] }, [[], []]],
		['may be none', {}, [[], []]],
		['may be nothing at all', { output_events: null }, [[], []]],
	])('events %s', async (_what, answer, expected) => {
		expect(await query(answer)).toEqual(expected);
	});

	test('events without an ID of their own are told apart by what they say', async () => {
		const bare = { prospect_id: A, data: 1 };
		const { client } = clientWith(() => ({
			value: { output_events: [bare, { ...bare }, { ...bare, data: 2 }] },
		}));

		const { value } = await queryEvents(client, PROSPECT_EVENTS, [ask(A)]);

		expect(value?.[0]?.value?.events).toEqual([bare, { ...bare, data: 2 }]);
	});

	test('events that name nobody are those of the only ID', async () => {
		expect(await query({ output_events: [event('1')] }, [ask(A)])).toEqual([['1']]);
	});

	describe('events that name nobody among several IDs', () => {
		const idsOf = ({ body }: ServiceRequest) => (body as { prospect_ids: string[] }).prospect_ids;
		const nameless = { output_events: [event('1', A), event('2')] };

		test('make each ID be asked for alone, once, and what comes then counts', async () => {
			const { client, sent } = clientWith((request) => ({
				value:
					idsOf(request).length > 1
						? nameless
						: { output_events: [event(`of ${idsOf(request)[0]?.[0]}`)] },
			}));

			const { value } = await queryEvents(client, PROSPECT_EVENTS, [ask(A), ask(B)]);

			expect(sent.map(idsOf)).toEqual([[A, B], [A], [B]]);
			expect(sent.slice(1)).toMatchObject([{ free: true }, { free: true }]);
			expect(value?.map((one) => one.value?.events)).toEqual([[event('of a')], [event('of b')]]);
			expect(value?.map((one) => one.failure)).toEqual([undefined, undefined]);
		});

		test('an ID that fails then keeps what named it, beside its failure', async () => {
			const failure: Failure = { kind: 'stopped', message: 'No time.' };
			const { client } = clientWith((request) =>
				idsOf(request).length > 1 ? { value: nameless } : { failure },
			);

			const { value } = await queryEvents(client, PROSPECT_EVENTS, [ask(A), ask(B)]);

			expect(value).toEqual([
				{ value: { events: [event('1', A)], responseContext: undefined }, failure },
				{ value: { events: [], responseContext: undefined }, failure },
			]);
		});

		test('of other IDs are no reason to ask again', async () => {
			const { client, sent } = clientWith(() => ({
				value: { output_events: [event('1', 'c'.repeat(40))] },
			}));

			await queryEvents(client, PROSPECT_EVENTS, [ask(A), ask(B)]);

			expect(sent).toHaveLength(1);
		});
	});

	test('the context of the answer comes along', async () => {
		const { client } = clientWith(() => ({ value: { response_context: CONTEXT } }));

		const { value } = await queryEvents(client, PROSPECT_EVENTS, [ask(A)]);

		expect(value).toEqual([{ value: { events: [], responseContext: CONTEXT } }]);
	});
});

describe('many IDs', () => {
	const ids = Array.from({ length: 90 }, (_, nth) => nth.toString(16).padStart(40, '0'));

	test('are asked 40 at a time', async () => {
		const { client, sent } = clientWith(() => ({ value: {} }));

		const outcomes = await fetchEvents(client, PROSPECT_EVENTS, ids, { types: ['t'] }, Infinity);

		expect(sent).toHaveLength(3);
		expect(outcomes).toHaveLength(90);
		expect(outcomes.every(({ failure }) => failure === undefined)).toBe(true);
	});

	test('are not asked after the deadline', async () => {
		const { client, sent } = clientWith(() => ({ value: {} }));

		const outcomes = await fetchEvents(client, PROSPECT_EVENTS, ids, { types: ['t'] }, 0);

		expect(sent).toEqual([]);
		expect(new Set(outcomes.map(({ failure }) => failure?.kind))).toEqual(new Set(['stopped']));
	});
});

describe('what the outcomes mean for the sweep', () => {
	const failed = (kind: Failure['kind'], field?: string): Outcome<never> => ({
		failure: { kind, message: 'No.', field },
	});
	const answered = { value: { events: [event('1')], responseContext: undefined } };

	test.each<[what: string, outcome: Outcome<never>, meaning: unknown[]]>([
		['was not asked in time', failed('stopped'), []],
		['met the rate limit', failed('rateLimited'), []],
		['got no answer', failed('noResponse'), [{ id: 'b' }]],
		['is refused as a value', failed('invalid', 'ids'), [{ id: 'b', events: [] }]],
		['is in a refused request', failed('invalid'), [{ id: 'b' }]],
		['is in a request refused for another field', failed('invalid', 'eventTypes'), [{ id: 'b' }]],
		['is reported as failed', failed('reported', 'ids'), [{ id: 'b' }]],
	])('an ID that %s', (_what, outcome, meaning) => {
		expect(toIdResults(['a', 'b'], [answered, outcome])).toEqual([
			{ id: 'a', events: [event('1')] },
			...meaning,
		]);
	});

	test.each<[what: string, kind: Failure['kind'], meaning: unknown[]]>([
		['is to be asked again', 'noResponse', [{ id: 'b' }]],
		['was not asked alone in time', 'stopped', []],
	])('an ID with events and a failure beside them %s', (_what, kind, meaning) => {
		const partial = { ...answered, failure: { kind, message: 'No.' } };

		expect(toIdResults(['b'], [partial])).toEqual(meaning);
	});

	test('where all are refused, none is settled', () => {
		const refused = failed('invalid', 'ids');

		expect(toIdResults(['a', 'b'], [refused, refused])).toEqual([{ id: 'a' }, { id: 'b' }]);
	});
});
