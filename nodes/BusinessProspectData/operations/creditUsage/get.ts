import { asObjects } from '../../core/json';
import type { Resolution } from '../../catalog/service';
import { PATHS } from '../../catalog/paths';
import { perItem } from '../../runtime/operation';
import { options, requestContext } from '../../runtime/options';
import { mergeResults } from './mergeResults';
import { fromDate, mode, output, resolution, timezone, toDate } from './parameters';
import { splitRange, readTimezone } from './range';

/** The credits used in a range of time (contract: Credit aggregation); a long range takes several requests. */
export const get = perItem({
	resource: 'creditUsage',
	value: 'get',
	name: 'Get',
	action: 'Get credit usage',
	description: 'Report how many credits were used over time or by endpoint',
	parameters: [fromDate, toDate, mode, resolution, timezone, output],
	options: options(requestContext),
	input: (values, { requestContext: context }, setting) => {
		const zone = readTimezone(values.timezone, setting.timezone);
		const bucket = asResolution(values.resolution);
		return {
			parts: splitRange(values, zone, bucket, values.mode === 'timely'),
			members: {
				mode: values.mode,
				resolution: bucket,
				timezone: zone,
				request_context: context,
			},
		};
	},
	send: async (client, { parts, members }) => {
		const path = PATHS.credits;
		const outcomes = parts.map(async (part) => {
			const body = { ...part, ...members };
			return await client.send({ method: 'POST', path, body, idempotent: true });
		});
		return mergeResults(await Promise.all(outcomes));
	},
	rows: (result, values) => {
		const rows = values.output === 'points' ? asObjects(result.aggregations) : [result];
		return rows.map((json) => ({ json }));
	},
	wording: { verb: 'Returned', one: 'row' },
});

const asResolution = (value: string): Resolution =>
	value === 'hour' || value === 'month' ? value : 'day';
