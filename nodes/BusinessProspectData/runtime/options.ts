import type { ClientSettings } from '../api/client';
import type { Shape } from './output';
import { readList } from './lists';
import { collection, count, flag, json, parameter, type Parameter, readNumber } from './parameters';

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

/** Options that say how requests are sent. They hold for the whole run, so a row can't set them by an expression. */
export const requestOptions = [
	count({
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		type: 'number',
		noDataExpression: true,
		default: 4,
		typeOptions: { minValue: 1, maxValue: 50 },
		description: 'How many requests are under way at once',
	}),
	count({
		displayName: 'Max Tries',
		name: 'maxTries',
		type: 'number',
		noDataExpression: true,
		default: 5,
		typeOptions: { minValue: 1, maxValue: 20 },
		description:
			'How often a request is tried when the service fails. Waits for the rate limit do not count.',
	}),
	count({
		displayName: 'Max Wait (Seconds)',
		name: 'maxWait',
		type: 'number',
		noDataExpression: true,
		default: 300,
		typeOptions: { minValue: 0, maxValue: 86400 },
		description: 'How long one request may wait for the rate limit and between tries, in all',
	}),
	count({
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		noDataExpression: true,
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

/** How many values go into one request. The editor keeps an option when the operation changes, so it may be too large. */
export const batchSize = (limit: number) =>
	parameter(
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			type: 'number',
			noDataExpression: true,
			default: limit,
			typeOptions: { minValue: 1, maxValue: limit },
			description: `How many values go into one request, at most ${limit}. Smaller batches mean more requests.`,
		},
		(raw, property) =>
			Math.min(readNumber(raw, { ...property, typeOptions: { minValue: 1 } }), limit),
	);

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
