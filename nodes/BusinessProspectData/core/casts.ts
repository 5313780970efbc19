/** The package's only casts: `test/unit/walls.test.ts` allows them in no other file. */
import type { DisplayCondition, IDataObject } from 'n8n-workflow';

/** n8n compares values deeply, but the type `DisplayCondition` allows only primitive values. */
export const IS_EMPTY_COLLECTION = { _cnd: { eq: {} } } as unknown as DisplayCondition;

/** The cast holds if `Values` gives each name the type that `valueOf` returns for it. */
export function valuesByName<Parameter extends { readonly name: string }, Values>(
	parameters: readonly Parameter[],
	valueOf: (parameter: Parameter) => unknown,
): Values {
	const values: Record<string, unknown> = {};
	for (const parameter of parameters) values[parameter.name] = valueOf(parameter);
	return values as Values;
}

/** The cast holds for values of parsed JSON. */
export const valueAsRecord = (name: string, value: unknown): IDataObject =>
	({ [name]: value }) as IDataObject;
