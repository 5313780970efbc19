/** The trigger in an n8n context with the test's state, service and log. */
import {
	type IDataObject,
	type IHttpRequestOptions,
	type INodeParameters,
	type IPollFunctions,
	sleep,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { type FakeResponse, fakeService, settled } from '../api/service';

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

/** The message of the error that a poll throws, on the fake clock. */
export async function pollError(context: IPollFunctions): Promise<string> {
	const result = await settled(poll(context).catch((error: unknown) => error));
	if (result instanceof Error) return result.message;
	throw new Error('The poll did not throw');
}

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

export const eventsResponse = (events: readonly IDataObject[]): FakeResponse => ({
	status: 200,
	body: { response_context: { correlation_id: 'c-1' }, output_events: events },
});

/** The page of a search that a request asks for; `ids` are of everyone who matches. */
export function searchResponse({ page, page_size }: IDataObject, ids: readonly string[]) {
	const [number, size] = [Number(page), Number(page_size)];
	const rows = ids.slice((number - 1) * size, number * size);
	const pageCount = Math.ceil(ids.length / size);
	const data = rows.map((prospect_id) => ({ prospect_id }));
	return { status: 200, body: { total_results: ids.length, total_pages: pageCount, data } };
}

export const UNAUTHORIZED: FakeResponse = { status: 401, body: {} };

interface ContextOptions {
	readonly parameters: INodeParameters;
	/** The node's static data. */
	readonly state: IDataObject;
	readonly workflowId: string;
	readonly name?: string;
	readonly send: (type: string, options: IHttpRequestOptions) => Promise<unknown>;
	/** The result of `getPollBudgetMs`; without it, the context has no such function, as before n8n 2.38. */
	readonly budgetMs?: unknown;
	readonly mode?: string;
	readonly activation?: WorkflowActivateMode;
	readonly beforeCredential?: () => Promise<unknown> | undefined;
	readonly report?: (kind: 'warning' | 'info' | 'execution', message: string) => void;
}

/** The context of a poll, or of several: by default, n8n reuses the context of an activation. */
export function pollContext(options: ContextOptions): IPollFunctions {
	const { parameters, state, workflowId, name = 'Watch', send, mode = 'trigger' } = options;
	const { report = () => undefined, budgetMs } = options;
	return {
		getNode: () => ({ id: 'node', name, type: 'trigger', parameters }),
		getWorkflow: () => ({ id: workflowId }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? state : {}),
		getMode: () => mode,
		getActivationMode: () => options.activation ?? 'activate',
		__emitError: (error: Error) => report('execution', error.message),
		getTimezone: () => 'UTC',
		getNodeParameter: (parameter: string, fallback: unknown) =>
			({ checkEvery: 'poll', ...parameters })[parameter] ?? fallback,
		async getCredentials() {
			await options.beforeCredential?.();
			return { baseUrl: 'https://service.example/v1', apiKey: 'made-up-key' };
		},
		helpers: { httpRequestWithAuthentication: send },
		logger: {
			warn: (message: string) => report('warning', message),
			info: (message: string) => report('info', message),
		},
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
	} as unknown as IPollFunctions;
}

/** A request as the service received it. */
export interface ReceivedRequest {
	readonly body: IDataObject;
	/** The IDs to query for events. */
	readonly ids: readonly string[];
	/** Milliseconds. */
	readonly timeout: number | undefined;
}

let triggers = 0;

/** A trigger node with its own state, log and service. */
export function triggerWith(
	parameters: INodeParameters,
	respond: (request: ReceivedRequest, number: number) => FakeResponse,
	state: IDataObject = {},
) {
	const requests: ReceivedRequest[] = [];
	const log = { warning: [] as string[], info: [] as string[], execution: [] as string[] };
	const service = fakeService((_request, number) => {
		const request = requests[number - 1];
		if (request === undefined) throw new Error('A request that was not recorded');
		return respond(request, number);
	});
	const { httpRequestWithAuthentication: sendToService } = service.context.helpers;
	const workflowId = `workflow ${++triggers}`;
	return {
		requests,
		/** The pages requested. */
		pages: (from = 0) => requests.slice(from).map(({ body }) => body.page),
		/** `execution` has the failed executions, apart from errors that were thrown. */
		log,
		state,
		context: ({
			credentialMs = 0,
			...options
		}: Pick<ContextOptions, 'budgetMs' | 'mode' | 'activation'> & { credentialMs?: number } = {}) =>
			pollContext({
				...options,
				parameters,
				state,
				workflowId,
				beforeCredential: () => (credentialMs > 0 ? sleep(credentialMs) : undefined),
				report: (kind, message) => log[kind].push(message),
				async send(type, request) {
					const body = request.body as IDataObject;
					const ids = (body.prospect_ids ?? body.business_ids ?? []) as string[];
					requests.push({ body, ids, timeout: request.timeout });
					return (await sendToService.call(service.context, type, request)) as unknown;
				},
			}),
	};
}
