import type { IExecuteFunctions } from 'n8n-workflow';
import { type Parameter, type ValuesOf, valuesFrom } from './parameters';

/**
 * Reads the parameters of one item after the other. A parameter without an expression is read once for all items:
 * n8n's expression engine takes far longer than all else that happens to an item here.
 *
 * The function it returns throws what is wrong with the item's values.
 */
export function valuesReader<const Parameters extends readonly Parameter[]>(
	context: IExecuteFunctions,
	parameters: Parameters,
): (item: number) => ValuesOf<Parameters> {
	const readers = new Map(
		parameters.map(({ name, property, read }): [string, (item: number) => unknown] => {
			const saved: unknown = context.getNodeParameter(name, 0, property.default, {
				rawExpressions: true,
			});
			const readAt = (item: number) => read(context.getNodeParameter(name, item, property.default));
			return [name, hasExpression(saved) ? readAt : once(() => readAt(0))];
		}),
	);
	return (item) => valuesFrom(parameters, ({ name }) => readers.get(name)?.(item));
}

function hasExpression(saved: unknown): boolean {
	if (typeof saved === 'string') return saved.startsWith('=');
	return typeof saved === 'object' && saved !== null && Object.values(saved).some(hasExpression);
}

/** What is wrong is thrown each time: it is wrong for every item. */
function once<Value>(read: () => Value): () => Value {
	let kept: { readonly value: Value } | undefined;
	return () => (kept ??= { value: read() }).value;
}
