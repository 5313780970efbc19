import type { ClientSettings } from '../api/client';
import type { Shape } from './output';
import { readList } from './lists';
import { collection, count, flag, json, parameter, type Parameter } from './parameters';

/** The options that the runtime itself acts on. */
export interface SharedOptions extends ClientSettings, Shape {
	/** Present where the endpoint takes a list. */
	readonly batchSize?: number;
	readonly dropItemsWithoutData?: boolean;
}

/** Options that say which fields of a row are put out. */
const shapeOptions = [
	parameter(
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'string',
			default: '',
			placeholder: 'e.g. prospect_id, profile.job_title',
			description:
				'Names of the fields to output, separated by commas; a dot reaches into an object. Leave empty for all fields.',
		},
		(raw, property) => readList(raw, property, /[,\n]/),
	),
	flag({
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: false,
		description:
			"Whether to output the input row's fields too; where both have a field, the result's value counts",
	}),
] as const;

/** Options that say how requests are sent. */
export const requestOptions = [
	count({
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		type: 'number',
		default: 4,
		typeOptions: { minValue: 1, maxValue: 50 },
		description: 'How many requests are under way at once',
	}),
	count({
		displayName: 'Max Tries',
		name: 'maxTries',
		type: 'number',
		default: 5,
		typeOptions: { minValue: 1, maxValue: 20 },
		description:
			'Maximum attempts per request; waits for the rate limit do not count. A request is sent again when the service cannot be reached or reports that it failed (HTTP 500, 502, 503), paid requests too. When there is no response, the service may have done the work: only free requests are sent again.',
	}),
	count({
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		default: 300,
		typeOptions: { minValue: 0, maxValue: 86400 },
		description: 'How long one request may wait for the rate limit and between tries, in all',
	}),
	count({
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		default: 120,
		typeOptions: { minValue: 1, maxValue: 3600 },
		description: 'How long the service may be silent before a request is given up',
	}),
] as const;

/** Goes along with requests that have a body (contract: Common conventions). */
export const requestContext = json({
	displayName: 'Request Context',
	name: 'requestContext',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "campaign": "spring" }',
	description:
		'JSON object sent with every request as <code>request_context</code>. The service does not document its effect; leave it empty if unsure.',
});

export const simplify = flag({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

/** How many values go into one request. */
export const batchSize = <const Limit extends number>(limit: Limit) =>
	count({
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		default: limit,
		typeOptions: { minValue: 1, maxValue: limit },
		description: `How many values go into one request, at most ${limit}. Smaller batches mean more requests.`,
	});

export const dropItemsWithoutData = flag({
	displayName: 'Drop Items Without Data',
	name: 'dropItemsWithoutData',
	type: 'boolean',
	default: false,
	description: 'Whether to leave out rows for which the service has no data',
});

/** The Options collection of an operation: its own options and the common ones. */
export const options = <const Own extends readonly Parameter[]>(...own: Own) =>
	collection<'options', readonly [...Own, ...typeof shapeOptions, ...typeof requestOptions]>(
		'options',
		'Options',
		'Add option',
		[...own, ...shapeOptions, ...requestOptions],
	);
