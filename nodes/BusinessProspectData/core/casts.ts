/** The package's only casts: `test/unit/walls.test.ts` allows them in no other file. */
import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

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

/** The cast holds for values of parsed JSON. */
export const jsonOf = (value: unknown): IDataObject[string] =>
	(value ?? null) as IDataObject[string];

/** The cast holds because n8n needs no other members of an inline sub-workflow. */
export const inlineWorkflow = (
	workflow: Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>,
): IWorkflowBase => workflow as IWorkflowBase;
