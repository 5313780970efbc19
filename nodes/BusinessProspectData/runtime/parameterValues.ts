import type { IExecuteFunctions } from 'n8n-workflow';
import type { Failure, Outcome } from '../core/outcome';
import { toOutcome } from './toOutcome';
import { valuesFrom } from './casts';
import type { Parameter, ValuesOf } from './parameters';

/**
 * Reads the parameters of one item after the other. A parameter without an expression is read once for all items:
 * n8n's expression engine takes far longer than all else that happens to an item here.
 */
export function createValuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (item: number) => Outcome<ValuesOf<Parameters>> {
	const readers = new Map(
		parameters.map((parameter) => [parameter.name, reader(context, parameter)]),
	);
	return (item) => {
		let failed: Failure | undefined;
		const values = valuesFrom(parameters, ({ name }) => {
			const read = failed === undefined ? readers.get(name)?.(item) : undefined;
			failed ??= read?.failure;
			return read?.value;
		});
		return failed === undefined ? { value: values } : { failure: failed };
	};
}

function reader(
	context: IExecuteFunctions,
	{ name, property, read }: Parameter,
): (item: number) => Outcome<unknown> {
	const saved: unknown = context.getNodeParameter(name, 0, property.default, {
		rawExpressions: true,
	});
	const readAt = (item: number): Outcome<unknown> => {
		const { value, failure } = toOutcome(() =>
			read(context.getNodeParameter(name, item, property.default), isExpression(saved)),
		);
		if (failure === undefined) return { value };
		// What n8n says of a failing expression does not say where it stands.
		const message =
			failure.field === undefined ? `${property.displayName}: ${failure.message}` : failure.message;
		return { failure: { ...failure, message, field: failure.field ?? name } };
	};
	if (hasExpression(saved)) return readAt;
	let kept: Outcome<unknown> | undefined;
	return () => (kept ??= readAt(0));
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return isExpression(saved);
	return Object.values(saved ?? {}).some(hasExpression);
}

const isExpression = (saved: unknown): boolean =>
	typeof saved === 'string' && saved.startsWith('=');
