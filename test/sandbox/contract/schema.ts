/** Small builders for the JSON Schemas of the contract. All objects are closed unless `open` is used. */
export type JsonSchema = { readonly [key: string]: unknown };
type Members = Record<string, JsonSchema>;

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const integer: JsonSchema = { type: 'integer' };
export const integerOrNull: JsonSchema = { type: ['integer', 'null'] };
export const numberOrNull: JsonSchema = { type: ['number', 'null'] };
export const booleanValue: JsonSchema = { type: 'boolean' };
export const booleanOrNull: JsonSchema = { type: ['boolean', 'null'] };
export const textsOrNull: JsonSchema = { type: ['array', 'null'], items: text };
export const anyListOrNull: JsonSchema = { type: ['array', 'null'] };

const BUSINESS_ID = '^[a-f0-9]{32}$';
const PROSPECT_ID = '^[a-f0-9]{40}$';
export const businessId: JsonSchema = { type: 'string', pattern: BUSINESS_ID };
export const prospectId: JsonSchema = { type: 'string', pattern: PROSPECT_ID };

const DATE = '\\d{4}-\\d{2}-\\d{2}';
const TIME = '[T ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d+)?)?(Z|[+-]\\d{2}(:?\\d{2})?)?';
/** ISO 8601 date and time; the zone may be missing. */
export const dateTime: JsonSchema = { type: 'string', pattern: `^${DATE}${TIME}$` };
/** ISO 8601 date and time, or `YYYY-MM-DD`. */
export const dateOrDateTime: JsonSchema = { type: 'string', pattern: `^${DATE}(${TIME})?$` };

export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
export const list = (items: JsonSchema, rules: JsonSchema = {}): JsonSchema => ({
	type: 'array',
	items,
	...rules,
});
export const orNull = (schema: JsonSchema): JsonSchema => ({
	...schema,
	type: [schema.type, 'null'].flat(),
});

/** An object with these members and no others. */
export const object = (
	members: Members,
	required: readonly string[] = [],
	rules: JsonSchema = {},
): JsonSchema => ({
	type: 'object',
	additionalProperties: false,
	properties: members,
	required,
	...rules,
});

/** An object with exactly these members, all of them present. */
export const record = (members: Members): JsonSchema => object(members, Object.keys(members));

/** The same schema for several members. */
export const each = (names: readonly string[], schema: JsonSchema): Members =>
	Object.fromEntries(names.map((name) => [name, schema]));

/** `request_context`: an object or null, without specified content (contract: Common conventions). */
export const requestContext: JsonSchema = { type: ['object', 'null'] };

/** `parameters`: an object or null with these members and no others (contract: Common conventions). */
export const parameters = (members: Members = {}): JsonSchema =>
	orNull(object(members)) as JsonSchema;

/** A request body: the given members, and `request_context` (contract: Common conventions). */
export const body = (members: Members, required: readonly string[] = []): JsonSchema =>
	object({ ...members, request_context: requestContext }, required);
