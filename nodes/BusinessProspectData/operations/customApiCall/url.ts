import type { INodeProperties } from 'n8n-workflow';
import { asObjects, isObject } from '../../core/json';
import { trimInvisible } from '../../core/text';
import { addressParameter, parameter, parameterError } from '../../parameters/parameter';

const EXAMPLE = 'Enter what follows Base URL, such as /v1/businesses/autocomplete.';

type PathRule = readonly [pattern: RegExp, error: string];

/** Rules for the path as written, without its leading slash. */
const PATH_RULES: readonly PathRule[] = [
	[/^$/, `is empty. ${EXAMPLE}`],
	[
		/^[a-z][a-z\d+.-]*:|^[/\\]/i,
		`must not contain a server's address. Requests go only to Base URL in the credential. ${EXAMPLE}`,
	],
	[/[?#]/, 'must not contain "?" or "#". Enter what follows "?" under Query Parameters.'],
	[
		/[^\w\-.~!$&'()*+,;=:@%/]|%(?![\da-f]{2})/i,
		"contains a character that a path can't have. Encode values, as in {{ encodeURIComponent($json.id) }}.",
	],
];

/** Rules for the decoded path: proxies and servers may decode it, and some drop what follows a `;`. */
const DECODED_PATH_RULES: readonly PathRule[] = [
	[/(^|[/\\;])\.{1,2}($|[/\\;])/, 'must not contain "." or ".." as a part. Enter the whole path.'],
	[
		/\/(\/|$)|(^|\/)(undefined|null|NaN|\s+)($|\/)/,
		'is incomplete: a part of it is blank, "undefined", "null" or "NaN". If the path contains an expression, it may have no value for this row.',
	],
];

function readPath(raw: unknown, property: INodeProperties): string {
	const text = addressParameter(property).read(raw).replace(/^\//, '');
	const broken =
		PATH_RULES.find(([pattern]) => pattern.test(text)) ??
		DECODED_PATH_RULES.find(([pattern]) => pattern.test(decodeAscii(text)));
	// Doesn't quote the path, because a pasted address may contain the API key.
	if (broken !== undefined) throw parameterError(property, broken[1]);
	return `/${text}`;
}

export const path = parameter(
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. /v1/businesses/autocomplete',
		description:
			"What follows Base URL in the endpoint's address. Encode values from expressions with encodeURIComponent.",
	},
	readPath,
);

/** Decodes until nothing changes, because a path may be encoded twice. Only ASCII: no other character is special in a path. */
function decodeAscii(text: string): string {
	const decoded = text.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
		String.fromCharCode(Number(`0x${code}`)),
	);
	return decoded === text ? text : decodeAscii(decoded);
}

interface QueryParameter {
	readonly name: string;
	/** The values that aren't blank; may be empty. */
	readonly values: readonly string[];
}

export const queryParameters = parameter(
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Add Query Parameter',
		typeOptions: { multipleValues: true },
		options: [
			{
				displayName: 'Query Parameter',
				name: 'parameters',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. field',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. country',
					},
				],
			},
		],
		description:
			'What follows "?" in the address. The node encodes the values. A list sends the parameter once for each value.',
	},
	(raw, property): QueryParameter[] => {
		const rows = asObjects(isObject(raw) ? raw.parameters : undefined);
		return rows.map(({ name: rawName, value }) => {
			const [name = ''] = nonBlankTexts(rawName, property);
			if (name === '') {
				throw parameterError(property, 'a parameter has no name. Enter one, or remove the row.');
			}
			return { name, values: nonBlankTexts(value, property) };
		});
	},
);

function nonBlankTexts(raw: unknown, property: INodeProperties): string[] {
	return [raw].flat().flatMap((value: unknown) => {
		if (value === null || value === undefined || Number.isNaN(value)) return [];
		if (!['string', 'number', 'boolean'].includes(typeof value)) {
			throw parameterError(
				property,
				'a name or value is neither text nor a list of texts. Correct its expression.',
			);
		}
		const text = trimInvisible(String(value));
		return text === '' ? [] : [text];
	});
}

/**
 * A parameter without a value is an error, because the service may read it as "all records". For AI agents, it is left out
 * instead, because models leave unused parameters empty.
 */
export function toQuery(
	parameters: readonly QueryParameter[],
	isTool: boolean,
): Array<readonly [name: string, value: string]> {
	const empty = parameters.find(({ values }) => values.length === 0);
	if (empty !== undefined && !isTool) {
		throw parameterError(
			queryParameters.property,
			'has no value for this row. Fill it in, or remove the parameter.',
			empty.name,
		);
	}
	return parameters.flatMap(({ name, values }) => values.map((value) => [name, value] as const));
}
