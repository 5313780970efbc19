import type { IExecuteFunctions } from 'n8n-workflow';
import { toFailure } from '../api/errors';
import { valuesByName } from '../core/casts';
import type { Failure, Outcome } from '../core/outcome';
import type { Parameter, ValuesOf } from './parameter';

/**
 * The reader returns the values of an item, or the failure of the first parameter that can't be read. A parameter without an
 * expression is read once, because its value is the same for all items.
 */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (itemIndex: number) => Outcome<ValuesOf<Parameters>> {
	const readers = parameters.map((parameter) => ({
		name: parameter.name,
		...createReader(context, parameter),
	}));
	const readValues = (itemIndex: number): Outcome<ValuesOf<Parameters>> => {
		let failure: Failure | undefined;
		const value = valuesByName<(typeof readers)[number], ValuesOf<Parameters>>(
			readers,
			({ read }) => {
				// After a failure, the other values aren't used.
				if (failure !== undefined) return undefined;
				const outcome = read(itemIndex);
				failure = outcome.failure;
				return outcome.value;
			},
		);
		return failure === undefined ? { value } : { failure };
	};
	return readers.some(({ varies }) => varies) ? readValues : once(readValues);
}

function once<Value>(read: (itemIndex: number) => Value): (itemIndex: number) => Value {
	let first: { readonly value: Value } | undefined;
	return () => (first ??= { value: read(0) }).value;
}

/** `varies` is true if the value may differ between items. */
function createReader(
	context: IExecuteFunctions,
	{ name, property, read }: Parameter,
): { readonly read: (itemIndex: number) => Outcome<unknown>; readonly varies: boolean } {
	const readAt = (itemIndex: number): Outcome<unknown> => {
		try {
			return { value: read(context.getNodeParameter(name, itemIndex, property.default)) };
		} catch (error) {
			const { field, message, ...failure } = toFailure(error);
			// n8n's message about a failing expression doesn't name the parameter.
			return field === undefined
				? { failure: { ...failure, message: `${property.displayName}: ${message}`, field: name } }
				: { failure: { ...failure, message, field } };
		}
	};
	const varies = isMapped(context, { name, property });
	return { read: varies ? readAt : once(readAt), varies };
}

/** The parameter as the workflow has it, with its expressions. */
export const savedValue = (
	context: IExecuteFunctions,
	{ name, property }: Pick<Parameter, 'name' | 'property'>,
): unknown => context.getNodeParameter(name, 0, property.default, { rawExpressions: true });

/** True if the parameter, or something in it, is an expression. */
export const isMapped = (
	context: IExecuteFunctions,
	parameter: Pick<Parameter, 'name' | 'property'>,
): boolean => hasExpression(savedValue(context, parameter));

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return Object.values(saved ?? {}).some(hasExpression);
}
