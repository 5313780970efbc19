import type { IDataObject, INodeType } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../../credentials/BusinessProspectDataApi.credentials';
import {
	type Client,
	type RequestOptions,
	createClient,
} from '../../../nodes/BusinessProspectData/api/client';
import type { ServiceRequest } from '../../../nodes/BusinessProspectData/api/httpRequest';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { type NodeRunOptions, runNode } from '../../harness/engine';
import { KEY, SETTINGS, TENANT } from './service';

export const HOST = 'https://service.example';

interface WithClientOptions extends Pick<NodeRunOptions, 'cancelAfter'> {
	/** The credential's; by default the one of `HOST`. */
	baseUrl?: string;
}

/**
 * Lets the act use a client within a node that n8n's own engine runs, with the request helper and the credential of the
 * package; returns what the act returns, as n8n would record it.
 */
export async function withClient<Result extends object>(
	act: (client: Client) => Promise<Result>,
	settings: Partial<RequestOptions> = {},
	{ cancelAfter, baseUrl = `${HOST}/v1/` }: WithClientOptions = {},
): Promise<Result> {
	const probe: INodeType = {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['transform'],
			version: 1,
			description: 'Talks to the service',
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
				...settings,
			});
			const json = (await act(client)) as IDataObject;
			client.stop();
			return [[{ json, pairedItem: { item: 0 } }]];
		},
	};
	const run = await runNode({
		node: probe,
		credentials: { baseUrl, apiKey: ` ${KEY} `, tenant: TENANT },
		credentialType: new BusinessProspectDataApi(),
		cancelAfter,
	});
	if (run.failure !== undefined) throw run.failure;
	return run.main[0]?.json as unknown as Result;
}

/** The part of a failure that a person gets to see. */
export const shown = (failure: Failure | undefined): string => JSON.stringify(failure ?? {});

/** What came of one request, and how many were answered with data. */
export interface SentOne {
	value?: unknown;
	failure?: Failure;
	answered: number;
}

/** Sends one request, as `withClient` does. */
export async function sendOne(
	request: ServiceRequest,
	settings: Partial<RequestOptions> = {},
	baseUrl?: string,
): Promise<SentOne> {
	const act = async (client: Client) => {
		const { value, failure } = await client.send(request);
		return { value, failure, answered: client.successCount() };
	};
	return await withClient(act, settings, { baseUrl });
}
