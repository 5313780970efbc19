import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject, objectsIn } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import type { Resolution } from '../../catalog/limits';
import { isZone, type Moment, readMoment } from '../../runtime/dates';
import { perItem } from '../../runtime/operation';
import { options } from '../../runtime/options';
import type { Row } from '../../runtime/output';
import { refusal } from '../../runtime/parameters';
import { fromDate, mode, output, resolution, timezone, toDate } from './parameters';
import { isTooLong, joined, partsOf } from './parts';

/** A range that takes more requests is a slip in the year: it would ask for hours. */
const MOST_REQUESTS = 200;
const LONGEST = { hour: '7 days', day: '60 days', month: '2 years' } as const;

interface CreditsAsk {
	readonly parts: ReadonlyArray<{ readonly from_date: string; readonly to_date: string }>;
	readonly members: IDataObject;
}

export const get = perItem({
	resource: 'creditUsage',
	value: 'get',
	name: 'Get',
	action: 'Get credit usage',
	description: 'Report how many credits were used over time or by endpoint',
	parameters: [fromDate, toDate, mode, resolution, timezone, output],
	options: options(),
	ask: (values, { requestContext }, setting): CreditsAsk => {
		const zone = values.timezone || setting.timezone;
		if (!isZone(zone)) {
			throw refusal(
				timezone.property,
				'is not a time zone such as Europe/Berlin or UTC. Fill in Time Zone.',
				zone,
			);
		}
		const from = required(values.fromDate, fromDate.property, zone);
		const to = required(values.toDate, toDate.property, zone);
		if (from >= to) throw refusal(fromDate.property, 'is not before To.', String(values.fromDate));
		const bucket = asResolution(values.resolution);
		if (values.mode === 'endpoints' && isTooLong(from, to, bucket)) {
			throw refusal(
				toDate.property,
				`is too far from From: By Endpoint, with the resolution "${bucket}", the service takes ${LONGEST[bucket]} at most.`,
				String(values.toDate),
			);
		}
		if (isTooLong(from, to, bucket, MOST_REQUESTS)) {
			throw refusal(
				fromDate.property,
				`is too far from To: the range would take more than ${MOST_REQUESTS} requests. Check the years, or choose a longer Resolution.`,
				String(values.fromDate),
			);
		}
		const parts = partsOf(from.setZone(zone), to.setZone(zone), bucket);
		return {
			parts: parts.map((part) => ({ from_date: iso(part.from), to_date: iso(part.to) })),
			members: {
				mode: values.mode,
				resolution: bucket,
				timezone: zone,
				...(requestContext && { request_context: requestContext }),
			},
		};
	},
	send: async (client, { parts, members }): Promise<Outcome<IDataObject>> => {
		const outcomes = await Promise.all(
			parts.map(
				async (part) =>
					await client.send({
						method: 'POST',
						path: '/v1/credits/aggregation',
						body: { ...part, ...members },
						free: true,
					}),
			),
		);
		const failed = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
		const failure = failed.find(({ kind }) => kind !== 'stopped') ?? failed[0];
		const came = outcomes.flatMap(({ value }) => (value === undefined ? [] : [resultIn(value)]));
		if (failure === undefined) return { value: joined(came) };
		return came.length === 0 ? { failure } : { value: joined(came), failure };
	},
	rows: (answered, values) =>
		answered.flatMap(({ outcome }): Row[] => {
			const { value, failure } = outcome;
			// A part of a range is no row of its own: its total would be taken for that of the whole.
			if (failure !== undefined) return [{ failure, received: value }];
			const rows = values.output === 'points' ? objectsIn(value.aggregations) : [value];
			return rows.map((json) => ({ json }));
		}),
	wording: { verb: 'Returned', one: 'row', many: 'rows' },
});

/** The result, whether it stands in `data` or by itself: the contract leaves that open. */
function resultIn(answer: unknown): IDataObject {
	if (!isObject(answer)) return {};
	return isObject(answer.data) ? answer.data : answer;
}

function required(raw: unknown, property: INodeProperties, zone: string): Moment {
	if (raw === undefined) throw refusal(property, 'is empty. Give a date and time.');
	return readMoment(raw, property, zone);
}

const iso = (moment: Moment): string => new Date(moment.toMillis()).toISOString();

const asResolution = (value: string): Resolution =>
	value === 'hour' || value === 'month' ? value : 'day';
