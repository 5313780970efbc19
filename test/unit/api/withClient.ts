import type { IDataObject, INodeType } from 'n8n-workflow';
import nock from 'nock';
import { BusinessProspectDataApi } from '../../../credentials/BusinessProspectDataApi.credentials';
import {
	type Client,
	type RequestOptions,
	createClient,
} from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { type NodeRunOptions, runNode } from '../../harness/engine';
import { KEY, SETTINGS } from './service';

export const HOST = 'https://service.example';

/** Keeps the tests of a file off the network, each without the responses of another. */
export function interceptRequests(): void {
	beforeAll(() => nock.disableNetConnect());
	beforeEach(() => nock.cleanAll());
	afterAll(() => {
		nock.cleanAll();
		nock.enableNetConnect();
		nock.restore();
	});
}

interface WithClientOptions extends Pick<NodeRunOptions, 'cancelAfter'> {
	/** `HOST` by default. */
	baseUrl?: string;
}

/**
 * Calls a function with a client in a node that n8n's own engine runs, with n8n's request helper and the package's
 * credential. Returns the function's result as n8n would record it.
 */
export async function withClient<Result extends object>(
	use: (client: Client) => Promise<Result>,
	options: Partial<RequestOptions> = {},
	{ cancelAfter, baseUrl = `${HOST}/v1/` }: WithClientOptions = {},
): Promise<Result> {
	const probe: INodeType = {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Sends requests to the service',
			defaults: { name: 'Probe' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'businessProspectDataApi', required: true }],
			properties: [],
		},
		async execute() {
			const client = await createClient(this, {
				...SETTINGS,
				maxTries: 1,
				maxWait: 0,
				...options,
			});
			const json = (await use(client)) as IDataObject;
			client.stop();
			return [[{ json, pairedItem: { item: 0 } }]];
		},
	};
	const run = await runNode({
		node: probe,
		credentials: { baseUrl, apiKey: ` ${KEY} `, tenant: 'made-up-tenant' },
		credentialType: new BusinessProspectDataApi(),
		cancelAfter,
	});
	if (run.failure !== undefined) throw run.failure;
	return run.main[0]?.json as unknown as Result;
}

/** A failure as text, to search for secrets. */
export const shown = (failure: Failure | undefined): string => JSON.stringify(failure ?? {});

/** Result of one request, and the client's success count. */
export interface SentOne {
	value?: unknown;
	failure?: Failure;
	successes: number;
}

/** Sends one request, as `withClient` does. */
export async function sendOne(
	request: ServiceRequest,
	options: Partial<RequestOptions> = {},
	baseUrl?: string,
): Promise<SentOne> {
	const send = async (client: Client) => {
		const { value, failure } = await client.send(request);
		return { value, failure, successes: client.successCount() };
	};
	return await withClient(send, options, { baseUrl });
}
