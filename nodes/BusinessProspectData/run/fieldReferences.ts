import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isObject, textOf } from '../core/json';
import type { Parameter } from '../parameters/parameter';
import { savedValue } from '../parameters/read';

/** A single field of the input row, such as `={{ $json.email }}`. */
const FIELD = /^=\{\{\s*\$json(?:\.([\w$]+)|\[\s*(["'])([^"'\\]+)\2\s*\])\s*\}\}$/;

/**
 * An expression for a field that no row has gives nothing, and nothing has a meaning for some parameters: exclude nobody. Parameters with `columns` report empty ones themselves.
 */
export function missingFieldWarnings(
	context: IExecuteFunctions,
	parameters: ReadonlyArray<Pick<Parameter, 'name' | 'property' | 'columns'>>,
): string[] {
	const rows = context.getInputData();
	const warningsOf = (saved: unknown, { displayName, ...property }: INodeProperties): string[] => {
		if (isObject(saved)) {
			return Object.entries(saved).flatMap(([name, value]) => {
				const part = property.options?.find((option) => option.name === name);
				return part !== undefined && 'type' in part ? warningsOf(value, part) : [];
			});
		}
		const [, byDot, , byBracket] = FIELD.exec(textOf(saved).trim()) ?? [];
		const field = byDot ?? byBracket;
		if (field === undefined || rows.some(({ json }) => Object.hasOwn(json, field))) return [];
		return [
			`No row has the field "${field}", which ${displayName} reads. Check its name. If no row has a value yet, ignore this.`,
		];
	};
	return parameters.flatMap((parameter) =>
		parameter.columns === undefined
			? warningsOf(savedValue(context, parameter), parameter.property)
			: [],
	);
}
