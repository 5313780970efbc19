import type { IExecuteFunctions } from 'n8n-workflow';
import { isEmpty, isObject, type JsonValue, textOf } from '../core/json';
import type { Failure } from '../core/outcome';
import type { Parameter } from '../parameters/parameter';
import { skipRows, skipRowsFields } from '../parameters/skipRows';

/** A single field of the input row, such as `={{ $json.email }}`. */
const FIELD = /^=\{\{\s*\$json(?:\.([\w$]+)|\[\s*(["'])(.+?)\2\s*\])\s*\}\}$/;

interface CheckedColumns {
	/** The failure of all rows. */
	readonly failure?: Failure;
	readonly warnings: readonly string[];
}

/** Skip Rows decides what is paid for, so a field that can't be the one that was meant must not go unnoticed. */
export function checkSkipColumns(
	context: IExecuteFunctions,
	{ name, property }: Pick<Parameter, 'name' | 'property'>,
): CheckedColumns {
	const options: unknown = context.getNodeParameter(name, 0, property.default, {
		rawExpressions: true,
	});
	const rules = isObject(options) ? options[skipRows.name] : undefined;
	if (!isObject(rules)) return { warnings: [] };
	const { filledField, lastChecked } = skipRowsFields;
	const typed = rules[filledField.name];
	if (!isEmpty(typed) && !isExpression(typed)) {
		const text = textOf(typed);
		const message = `${filledField.property.displayName}: "${text}" is a text, not a field, so every row would be skipped. Drag the field here, which gives {{ $json.${text} }}.`;
		return { failure: { kind: 'input', field: filledField.name, message }, warnings: [] };
	}
	const rows = context.getInputData();
	const warnings = [filledField, lastChecked].flatMap((rule) => {
		const [, byDot, , byBracket] = FIELD.exec(textOf(rules[rule.name]).trim()) ?? [];
		const field = byDot ?? byBracket;
		if (field === undefined || rows.length < 2) return [];
		if (rows.some(({ json }) => Object.hasOwn(json, field))) return [];
		return [
			`No row has the field "${field}", which ${rule.property.displayName} in ${skipRows.property.displayName} reads. Check its name. If no row has a value yet, ignore this.`,
		];
	});
	return { warnings };
}

const isExpression = (saved: JsonValue): boolean =>
	typeof saved === 'string' && saved.startsWith('=');
