/** The package's only casts: `test/unit/walls.test.ts` allows them in no other file. */
import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

/** The cast holds if each value has the type that its parameter reads. */
export const typedValues = <Values>(values: Readonly<Record<string, unknown>>): Values =>
	values as Values;

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
