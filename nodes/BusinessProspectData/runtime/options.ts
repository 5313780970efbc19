import type { RequestOptions } from '../api/client';
import type { OutputOptions } from './output';
import { readList } from './lists';
import {
	collection,
	count,
	flag,
	json,
	parameter,
	type Parameter,
	readNumber,
	parameterError,
} from './parameters';

/** The options that the runtime itself acts on. */
export interface SharedOptions extends RequestOptions, OutputOptions {
	/** Present where the endpoint takes a list. */
	readonly batchSize?: number;
}

const fields = parameter(
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		placeholder: 'e.g. prospect_id, profile.job_title',
		description:
			'Names of the fields to output, separated by commas; a dot reaches into an object. The ID of a row always stays. Leave empty for all fields.',
	},
	(raw, property) => readList(raw, property, /[,\n]/),
);

/**
 * Refuses Fields that the rows won't have: they would come out without what was paid for.
 *
 * @param known the top-level fields of the rows
 * @throws UserError that names the field and those that there are
 */
export function checkFields(named: readonly string[], known: readonly string[]): void {
	const wrong = named.find((path) => !known.includes(path.split('.')[0] ?? ''));
	if (wrong === undefined) return;
	throw parameterError(
		fields.property,
		`is not a field of these rows. They have: ${known.join(', ')}. Use a dot to reach into one of them.`,
		wrong,
	);
}

/** Options that say which fields of a row are put out. */
const shapeOptions = [
	fields,
	flag({
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: false,
		description:
			"Whether to output the input row's fields and files too. Where both have a field, the result's value counts unless it is empty.",
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
			'Maximum attempts per request; waits for the rate limit do not count. A request is sent again when the service cannot be reached or reports that it failed (HTTP 500, 502, 503), paid requests too. When there is no response, the service may have done the work: only free requests are sent again.',
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
