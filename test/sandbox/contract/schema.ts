/** Small builders for the JSON Schemas of the contract. */
export type JsonSchema = { readonly [key: string]: unknown };
/** Schemas by member: a key of several words stands for a member each, and a member with `?` may be missing. */
export type Members = Record<string, JsonSchema>;

export const words = (text: string): string[] => text.split(' ');

export const text: JsonSchema = { type: 'string' };
export const integer: JsonSchema = { type: 'integer' };
export const booleanValue: JsonSchema = { type: 'boolean' };
export const list = (items: JsonSchema, rules: JsonSchema = {}): JsonSchema => ({
	type: 'array',
	items,
	...rules,
});
export const orNull = (schema: JsonSchema): JsonSchema => ({
	...schema,
	type: [schema.type, 'null'].flat(),
});
export const textOrNull = orNull(text);
export const integerOrNull = orNull(integer);
export const numberOrNull = orNull({ type: 'number' });
export const booleanOrNull = orNull(booleanValue);
export const textsOrNull = orNull(list(text));
export const anyListOrNull = orNull(list({}));

export const ids = {
	business_id: { type: 'string', pattern: '^[a-f0-9]{32}$' },
	prospect_id: { type: 'string', pattern: '^[a-f0-9]{40}$' },
} as const;

const DATE = '\\d{4}-\\d{2}-\\d{2}';
const TIME = '[T ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d+)?)?(Z|[+-]\\d{2}(:?\\d{2})?)?';
/** ISO 8601 date and time; the zone may be missing. */
export const dateTime: JsonSchema = { type: 'string', pattern: `^${DATE}${TIME}$` };
/** ISO 8601 date and time, or `YYYY-MM-DD`. */
export const dateOrDateTime: JsonSchema = { type: 'string', pattern: `^${DATE}(${TIME})?$` };

export const oneOf = (values: string): JsonSchema => ({ type: 'string', enum: words(values) });

/** An object with these members and no others. */
export function object(members: Members, rules: JsonSchema = {}): JsonSchema {
	const all = Object.entries(members).flatMap(([names, schema]) =>
		words(names).map((name) => ({ name, schema })),
	);
	return {
		type: 'object',
		additionalProperties: false,
		properties: Object.fromEntries(all.map(({ name, schema }) => [name.replace('?', ''), schema])),
		required: all.flatMap(({ name }) => (name.endsWith('?') ? [] : [name])),
		...rules,
	};
}
