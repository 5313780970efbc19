import { made } from '../world/hash';
import type { World } from '../world/world';

export interface Context {
	readonly world: World;
	readonly now: Date;
	/** The `response_context` of the answer. */
	readonly responseContext: (status: 'success' | 'miss' | 'failure') => Record<string, unknown>;
}

/** An answer other than 200. */
export class Refused extends Error {
	constructor(
		readonly status: number,
		readonly body: Record<string, unknown>,
	) {
		super(`Refused with status ${status}`);
	}
}

/** Makes the body of an answer with status 200 from a request that the contract allows. */
export type Handler = (input: unknown, context: Context) => unknown;

/** Gives a handler its input type: the request's schema has been checked before. */
export const handler =
	<Input>(handle: (input: Input, context: Context) => unknown): Handler =>
	(input, context) =>
		handle(input as Input, context);

/** The response envelope (contract: "Common conventions"): a miss when nothing was found. */
export const envelope = (
	context: Context,
	found: boolean,
	total: number,
	members: Record<string, unknown>,
) => ({
	response_context: context.responseContext(found ? 'success' : 'miss'),
	total_results: total,
	entity_id: null,
	...members,
});

type Data = Record<string, unknown>;

/** A bulk answer: rows in the order of the ids; an id without data gets one row of nulls (contract: "Missing data"). */
export function bulkAnswer(
	context: Context,
	schema: Data,
	idMember: string,
	ids: readonly string[],
	dataOf: (id: string) => readonly Data[],
) {
	const known = ids.map((id) => ({ id, list: dataOf(id) }));
	const names = Object.keys(schema.properties as object);
	// Every member null, `business_id` apart.
	const nothing = (id: string) => made(names, (name) => (name === 'business_id' ? id : null));
	const data = known.flatMap(({ id, list }) =>
		(list.length > 0 ? list : [nothing(id)]).map((own) => ({ [idMember]: id, data: own })),
	);
	return envelope(
		context,
		known.some(({ list }) => list.length > 0),
		data.length,
		{ data },
	);
}
