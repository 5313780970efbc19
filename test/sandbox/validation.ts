/** The validator, and schema errors as the contract's error body `{ detail: [{ loc, msg, type }] }`. */
import Ajv from 'ajv';
import type { FastifySchemaValidationError } from 'fastify';
import type { Problem } from './contract/rules';

/** Shared by all sandboxes of a process: it compiles each schema once. */
export const ajv = new Ajv({ addUsedSchema: false, allErrors: true, allowUnionTypes: true });

/** What the validator found, in the contract's terms. `where` is `body` or `query`. */
export const problemsOf = (
	where: string,
	errors: readonly FastifySchemaValidationError[],
): Problem[] =>
	errors.map(({ keyword, instancePath, params, message = 'is not valid' }) => {
		const member = params.missingProperty ?? params.additionalProperty;
		const path = instancePath.split('/').slice(1);
		return {
			loc: [where, ...path, ...(typeof member === 'string' ? [member] : [])],
			msg: keyword === 'enum' ? `${message}: ${String(params.allowedValues)}` : message,
			type: keyword,
		};
	});

/** The contract types `loc` as an array of strings. */
export const detailBody = (problems: readonly Problem[]) => ({
	detail: problems.map(({ loc, msg, type }) => ({ loc: loc.map(String), msg, type })),
});
