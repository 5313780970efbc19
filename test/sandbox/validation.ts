/** From schema errors to the contract's error body `{ detail: [{ loc, msg, type }] }`. */
import type { FastifySchemaValidationError } from 'fastify';
import type { Problem } from './contract/rules';

const TYPES: Readonly<Record<string, string>> = {
	required: 'missing',
	additionalProperties: 'extra_forbidden',
	type: 'type_error',
	enum: 'enum',
	pattern: 'string_pattern_mismatch',
	minItems: 'too_short',
	maxItems: 'too_long',
	uniqueItems: 'not_unique',
	minimum: 'greater_than_equal',
	exclusiveMinimum: 'greater_than',
	maximum: 'less_than_equal',
	minProperties: 'too_short',
};

const message = ({
	keyword,
	message: text = 'is not valid',
	params,
}: FastifySchemaValidationError) =>
	keyword === 'enum' ? `${text}: ${String(params.allowedValues)}` : text;

/** The place that an error of the validator leads to; positions in lists are numbers. */
function locOf(where: string, error: FastifySchemaValidationError): Problem['loc'] {
	const path = error.instancePath
		.split('/')
		.slice(1)
		.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
	const member = error.params.missingProperty ?? error.params.additionalProperty;
	return [where, ...path, ...(typeof member === 'string' ? [member] : [])];
}

/** What the validator found, in the contract's terms. `where` is `body` or `query`. */
export const problemsOf = (
	where: string,
	errors: readonly FastifySchemaValidationError[],
): Problem[] =>
	errors.map((error) => ({
		loc: locOf(where, error),
		msg: message(error),
		type: TYPES[error.keyword] ?? 'value_error',
	}));

/** The contract types `loc` as an array of strings; services of this kind also send positions as numbers. */
export const detailBody = (problems: readonly Problem[], indexAs: 'text' | 'number' = 'text') => ({
	detail: problems.map(({ loc, msg, type }) => ({
		loc: loc.map((part) => (indexAs === 'text' ? String(part) : part)),
		msg,
		type,
	})),
});
