/** The trigger in a context of n8n whose clock, service and log are the test's. */
import {
	type IDataObject,
	type IHttpRequestOptions,
	type IPollFunctions,
	type WorkflowActivateMode,
	sleep,
} from 'n8n-workflow';
import type { FakeResponse } from '../api/service';
import { fakeService, settled } from '../api/service';

export const NOW = Date.UTC(2026, 4, 20, 12);

/** Prospect IDs. */
export const idsOf = (count: number): string[] =>
	Array.from({ length: count }, (_, nth) => nth.toString(16).padStart(40, '0'));

/** An event of a prospect, so many milliseconds from `NOW`. */
export const eventOf = (prospect: string, name: string, after = 0): IDataObject => ({
	event_id: name,
	event_name: 'prospect_changed_role',
	event_time: new Date(NOW + after).toISOString(),
	prospect_id: prospect,
});

/** What the service answers: these events, and in its context the number of the request. */
export const withEvents = (events: readonly IDataObject[], nth = 1): FakeResponse => ({
	status: 200,
	body: { response_context: { correlation_id: `c-${nth}` }, output_events: events },
});

export const REFUSED: FakeResponse = { status: 401, body: {} };

/** A request as it arrived. */
export interface Asked {
	/** Milliseconds after the trigger was made. */
	readonly at: number;
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly from: string;
	readonly body: IDataObject;
	/** Milliseconds. */
	readonly timeout: number | undefined;
}

export interface Trigger {
	readonly asked: Asked[];
	readonly warnings: string[];
	/** The messages of failed executions, other than of those that were thrown. */
	readonly reported: string[];
	readonly state: IDataObject;
	/**
	 * A context as n8n makes it for an activation, and keeps; with a budget as for one poll of its durable schedule. The
	 * credential takes so many milliseconds to come.
	 */
	context(
		budgetMs?: unknown,
		mode?: string,
		credentialAfter?: number,
		activation?: WorkflowActivateMode,
	): IPollFunctions;
}

let made = 0;

/** A node of its own, with a state of its own. */
export function triggerWith(
	parameters: IDataObject,
	answer: (asked: Asked, nth: number) => FakeResponse,
	state: IDataObject = {},
): Trigger {
	const asked: Asked[] = [];
	const warnings: string[] = [];
	const reported: string[] = [];
	const service = fakeService((_request, nth) => {
		const last = asked[nth - 1];
		if (last === undefined) throw new Error('A request that was not noted');
		return answer(last, nth);
	});
	const start = Date.now();
	const { httpRequestWithAuthentication: send } = service.context.helpers;
	const helpers = {
		async httpRequestWithAuthentication(type: string, options: IHttpRequestOptions) {
			const body = options.body as IDataObject;
			asked.push({
				at: Date.now() - start,
				ids: (body.prospect_ids ?? body.business_ids) as string[],
				types: body.event_types as string[],
				from: String(body.timestamp_from),
				body,
				timeout: options.timeout,
			});
			return (await send.call(service.context, type, options)) as unknown;
		},
	};
	const id = `trigger-${++made}`;
	return {
		asked,
		warnings,
		state,
		reported,
		context: (budgetMs, mode = 'trigger', credentialAfter = 0, activation = 'activate') =>
			({
				getNode: () => ({ id, name: 'Watch', type: 'trigger', parameters: {} }),
				getWorkflow: () => ({ id: 'w1' }),
				getWorkflowStaticData: (type: string) => (type === 'node' ? state : {}),
				getMode: () => mode,
				getActivationMode: () => activation,
				__emitError: (error: Error) => reported.push(error.message),
				getTimezone: () => 'UTC',
				getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
				async getCredentials(type: string) {
					if (credentialAfter > 0) await sleep(credentialAfter);
					return await service.context.getCredentials(type);
				},
				helpers,
				logger: { warn: (message: string) => warnings.push(message) },
				...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
			}) as unknown as IPollFunctions,
	};
}

/** What a promise was rejected with, on the fake clock; fails when it was not. */
export async function rejected(promise: Promise<unknown>): Promise<Error> {
	try {
		await settled(promise);
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('Nothing was thrown');
}
