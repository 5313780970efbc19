/** Runs the node in a workflow against a service whose responses the test defines. */
import { DataDeduplicationService } from 'n8n-core';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { BusinessProspectDataApi } from '../../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { type NodeRun, type NodeRunOptions, rowOfSource, runNode } from '../../harness/engine';

export const BASE_URL = 'https://service.example';
const CREDENTIALS = { baseUrl: BASE_URL, apiKey: 'sandbox-key' };

export const CONTINUE_MODES = ['continueRegularOutput', 'continueErrorOutput'] as const;

/** The prospect ID of a person. */
export const person = (number: number): string => number.toString(16).padStart(40, '0');

export const people = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ id: person(row), row }));

/** A request that the service received. */
interface ReceivedRequest {
	readonly path: string;
	readonly body: IDataObject & { prospect_ids?: string[] };
}

export type FakeResponse = [status: number, body: IDataObject | IDataObject[] | string];

const success = { correlation_id: 'c-200', request_status: 'success' };

/** A bulk response with `{ full_name }` for each requested person. */
export const enriched = ({ body }: ReceivedRequest): FakeResponse => [
	200,
	{
		response_context: success,
		data: (body.prospect_ids ?? []).map((id) => ({
			prospect_id: id,
			data: { full_name: nameOf(id) },
		})),
	},
];

const nameOf = (id: string): string => `Person ${Number.parseInt(id, 16)}`;

/** Responds to all requests from now on. Returns the list of requests, which grows. */
export function serve(
	reply: (request: ReceivedRequest, requestNumber: number) => FakeResponse | Promise<FakeResponse>,
): ReceivedRequest[] {
	const requests: ReceivedRequest[] = [];
	nock(BASE_URL)
		.persist()
		.post(/.*/)
		.reply(async (uri, body) => {
			const request = { path: uri.replace('/v1/', ''), body: body as ReceivedRequest['body'] };
			requests.push(request);
			return await reply(request, requests.length);
		});
	return requests;
}

/** Runs Prospect: Enrich for the profile of `$json.id`, unless the parameters say otherwise. */
export async function run(
	items: NodeRunOptions['items'],
	parameters: INodeParameters = {},
	more: Partial<NodeRunOptions> = {},
): Promise<NodeRun> {
	return await runNode({
		node: new BusinessProspectData(),
		credentials: CREDENTIALS,
		credentialType: new BusinessProspectDataApi(),
		parameters: {
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: '={{ $json.id }}',
			dataSets: ['profile'],
			...parameters,
		},
		items,
		expressionAfter: rowOfSource,
		...more,
	});
}

/** Get Many with Only New Prospects, which finds one person: what n8n remembers of earlier runs can't be read. */
export async function runWithoutMemory(more: Partial<NodeRunOptions> = {}): Promise<NodeRun> {
	jest.spyOn(DataDeduplicationService, 'getInstance').mockImplementation(() => {
		throw new Error('The database is locked.');
	});
	serve(() => [200, { total_results: 1, total_pages: 1, data: [{ prospect_id: person(0) }] }]);
	const options = { onlyNewProspects: true };
	return await run([{}], { operation: 'getAll', options }, { mode: 'trigger', ...more });
}

export const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

/** Keeps all requests on this machine, and removes the responses and mocks after each test. */
export function interceptRequests(): void {
	beforeAll(() => {
		// An earlier test file may have restored the network.
		if (!nock.isActive()) nock.activate();
		nock.disableNetConnect();
		nock.enableNetConnect('127.0.0.1');
	});
	afterEach(() => {
		nock.cleanAll();
		jest.restoreAllMocks();
	});
	afterAll(() => {
		nock.enableNetConnect();
		nock.restore();
	});
}
