/**
 * The package's only casts, each with the reason why it holds. `test/unit/walls.test.ts` allows casts in no other file.
 */
import type { DisplayCondition, IDataObject } from 'n8n-workflow';

/** Display condition that an empty collection meets. n8n compares values deeply, but its type allows only primitive ones. */
export const IS_EMPTY_COLLECTION = { _cnd: { eq: {} } } as unknown as DisplayCondition;

/** The values of parameters, by name. The cast holds if `Values` gives each name the type that `valueOf` returns for it. */
export function valuesByName<Parameter extends { readonly name: string }, Values>(
	parameters: readonly Parameter[],
	valueOf: (parameter: Parameter) => unknown,
): Values {
	const values: Record<string, unknown> = {};
	for (const parameter of parameters) values[parameter.name] = valueOf(parameter);
	return values as Values;
}

/** A record with one member. The cast holds because callers pass values of parsed JSON. */
export const valueAsRecord = (name: string, value: unknown): IDataObject =>
	({ [name]: value }) as IDataObject;
