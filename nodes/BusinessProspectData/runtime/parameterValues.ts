import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { toFailure } from './toOutcome';
import { valuesFrom } from '../core/casts';
import type { Parameter, ValuesOf } from './parameters';

/**
 * Creates a reader of an item's parameters. A parameter without an expression is read once for all items: n8n's expression
 * engine takes far longer than everything else that happens to an item.
 */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (item: number) => Outcome<ValuesOf<Parameters>> {
	const readers = parameters.map((parameter) => ({
		name: parameter.name,
		...createReader(context, parameter),
	}));
	const readValues = (item: number): Outcome<ValuesOf<Parameters>> => {
		let failure: Failure | undefined;
		const value = valuesFrom<(typeof readers)[number], ValuesOf<Parameters>>(
			readers,
			({ read }) => {
				// Discarded below: after a failure there are no values.
				if (failure !== undefined) return undefined;
				const outcome = read(item);
				failure = outcome.failure;
				return outcome.value;
			},
		);
		return failure === undefined ? { value } : { failure };
	};
	return readers.some(({ varies }) => varies) ? readValues : once(readValues);
}

/** Reads the first item; the others have the same values. */
function once<Value>(read: (item: number) => Value): (item: number) => Value {
	let first: { readonly value: Value } | undefined;
	return () => (first ??= { value: read(0) }).value;
}

/** The reader of one parameter, and whether items may differ in it. */
function createReader(
	context: IExecuteFunctions,
	{ name, property, read }: Parameter,
): { readonly read: (item: number) => Outcome<unknown>; readonly varies: boolean } {
	const saved: unknown = context.getNodeParameter(name, 0, property.default, {
		rawExpressions: true,
	});
	const readAt = (item: number): Outcome<unknown> => {
		try {
			return { value: read(context.getNodeParameter(name, item, property.default)) };
		} catch (error) {
			const { field, message, ...failure } = toFailure(error);
			// n8n's message about a failing expression doesn't name the parameter.
			return field === undefined
				? { failure: { ...failure, message: `${property.displayName}: ${message}`, field: name } }
				: { failure: { ...failure, message, field } };
		}
	};
	const varies = hasExpression(saved);
	return { read: varies ? readAt : once(readAt), varies };
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return Object.values(saved ?? {}).some(hasExpression);
}
