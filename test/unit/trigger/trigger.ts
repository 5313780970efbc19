/** The trigger in an n8n context with the test's clock, service and log. */
import {
	type IDataObject,
	type IHttpRequestOptions,
	type IPollFunctions,
	type WorkflowActivateMode,
	sleep,
} from 'n8n-workflow';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import type { FakeResponse } from '../api/service';
import { fakeService, settled } from '../api/service';

export const poll = async (context: IPollFunctions) =>
	await new BusinessProspectDataTrigger().poll.call(context);

/** What a poll outputs, on the fake clock. */
export const polled = async (context: IPollFunctions) => {
	const output = await settled(poll(context));
	return output === null ? null : output[0]?.map(({ json }) => json);
};

/** The values of a field of what a poll outputs. */
export const polledValues = async (context: IPollFunctions, field: string) =>
	(await polled(context))?.map((json) => json[field]);

/** A fake clock for each test of a file. */
export function useFakeClock(): void {
	beforeEach(() => jest.useFakeTimers({ now: NOW }));
	afterEach(() => jest.useRealTimers());
}

export const NOW = Date.UTC(2026, 4, 20, 12);

/** Prospect IDs. */
export const idsOf = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => index.toString(16).padStart(40, '0'));

/** An event of a prospect, `after` milliseconds from `NOW`. */
export const eventOf = (prospect: string, name: string, after = 0): IDataObject => ({
	event_id: name,
	event_name: 'prospect_changed_role',
	event_time: new Date(NOW + after).toISOString(),
	prospect_id: prospect,
});

/** A response with these events, and with the number of the request in its context. */
export const eventsResponse = (
	events: readonly IDataObject[],
	requestNumber = 1,
): FakeResponse => ({
	status: 200,
	body: { response_context: { correlation_id: `c-${requestNumber}` }, output_events: events },
});

export const UNAUTHORIZED: FakeResponse = { status: 401, body: {} };

/** A request as the service received it. */
export interface EventsRequest {
	readonly ids: readonly string[];
	readonly types: readonly string[];
	readonly from: string;
	readonly body: IDataObject;
	/** Milliseconds. */
	readonly timeout: number | undefined;
}

interface ContextOptions {
	/** The result of `getPollBudgetMs`, which n8n's durable schedule has; without it, the context has no such function. */
	readonly budgetMs?: unknown;
	readonly mode?: string;
	/** How long n8n takes to provide the credential, in milliseconds. */
	readonly credentialMs?: number;
	readonly activation?: WorkflowActivateMode;
}

export interface Trigger {
	readonly requests: EventsRequest[];
	readonly warnings: string[];
	/** What n8n's log has apart from warnings. */
	readonly infos: string[];
	/** The messages of failed executions, apart from errors that were thrown. */
	readonly reported: string[];
	readonly state: IDataObject;
	/** A context as n8n makes it for an activation, and reuses for later polls. */
	context(options?: ContextOptions): IPollFunctions;
}

let triggers = 0;

/** Makes a trigger node with its own state. */
export function triggerWith(
	parameters: IDataObject,
	respond: (request: EventsRequest, number: number) => FakeResponse,
	state: IDataObject = {},
): Trigger {
	const requests: EventsRequest[] = [];
	const warnings: string[] = [];
	const infos: string[] = [];
	const reported: string[] = [];
	const service = fakeService((_request, number) => {
		const request = requests[number - 1];
		if (request === undefined) throw new Error('A request that was not recorded');
		return respond(request, number);
	});
	const { httpRequestWithAuthentication: send } = service.context.helpers;
	const helpers = {
		async httpRequestWithAuthentication(type: string, options: IHttpRequestOptions) {
			const body = options.body as IDataObject;
			requests.push({
				ids: (body.prospect_ids ?? body.business_ids) as string[],
				types: body.event_types as string[],
				from: String(body.timestamp_from),
				body,
				timeout: options.timeout,
			});
			return (await send.call(service.context, type, options)) as unknown;
		},
	};
	const id = `trigger-${++triggers}`;
	return {
		requests,
		warnings,
		infos,
		state,
		reported,
		context: ({ budgetMs, mode = 'trigger', credentialMs = 0, activation = 'activate' } = {}) =>
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
					if (credentialMs > 0) await sleep(credentialMs);
					return await service.context.getCredentials(type);
				},
				helpers,
				logger: {
					warn: (message: string) => warnings.push(message),
					info: (message: string) => infos.push(message),
				},
				...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
			}) as unknown as IPollFunctions,
	};
}

/** The error that a promise rejects with, on the fake clock; throws when it does not reject. */
export async function rejected(promise: Promise<unknown>): Promise<Error> {
	try {
		await settled(promise);
	} catch (error) {
		if (error instanceof Error) return error;
	}
	throw new Error('The promise did not reject');
}
