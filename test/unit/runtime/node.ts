/** Runs the real node, in a workflow, against a service that the test plays. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import nock from 'nock';
import { BusinessProspectDataApi } from '../../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../../nodes/BusinessProspectData/BusinessProspectData.node';
import { type NodeRun, type NodeRunOptions, runNode } from '../../harness/engine';

export const BASE_URL = 'https://service.example';
export const CREDENTIALS = { baseUrl: BASE_URL, apiKey: 'sandbox-key' };

export const CONTINUES = ['continueRegularOutput', 'continueErrorOutput'] as const;

/** The prospect ID of a person. */
export const person = (number: number): string => number.toString(16).padStart(40, '0');

/** `{ id, row }` of each of so many people. */
export const people = (count: number) =>
	Array.from({ length: count }, (_, row) => ({ id: person(row), row }));

/** A request that the service got. */
export interface Asked {
	readonly path: string;
	readonly body: IDataObject & { prospect_ids?: string[] };
}

export type Reply = [status: number, body: IDataObject | IDataObject[] | string];

export const success = { correlation_id: 'c-200', request_status: 'success' };

/** A bulk answer with `{ full_name }` for each person that was asked for. */
export const enriched = ({ body }: Asked): Reply => [
	200,
	{
		response_context: success,
		data: (body.prospect_ids ?? []).map((id) => ({
			prospect_id: id,
			data: { full_name: nameOf(id) },
		})),
	},
];

/** A profile as Simplify shows it. */
export const profileOf = (known: IDataObject): IDataObject => ({
	full_name: null,
	job_title: null,
	job_department_main: null,
	job_level_main: null,
	company_name: null,
	company_website: null,
	country_name: null,
	region_name: null,
	city: null,
	network: null,
	...known,
});

/** What the made-up service calls a person. */
export const nameOf = (id: string): string => `Person ${Number.parseInt(id, 16)}`;

/** A validation error at these places in the request. */
export const refused = (...locations: Array<Array<string | number>>): Reply => [
	422,
	{
		detail: locations.map((loc) => ({ loc, msg: 'Not known', type: 'value_error' })),
		correlation_id: 'c-422',
	},
];

/** Answers every request from now on; gives the requests, which grow as they come. */
export function serve(reply: (asked: Asked, nth: number) => Reply | Promise<Reply>): Asked[] {
	const requests: Asked[] = [];
	nock(BASE_URL)
		.persist()
		.post(/.*/)
		.reply(async (uri, body) => {
			const asked = { path: uri.replace('/v1/', ''), body: body as Asked['body'] };
			requests.push(asked);
			return await reply(asked, requests.length);
		});
	return requests;
}

/** Runs Prospect: Enrich, for `$json.id` of each row, unless the parameters say otherwise. */
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
			...parameters,
		},
		items,
		expressionAfter: "{{ $('CRM').item.json.row }}",
		...more,
	});
}

export const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

/** No request leaves this machine, and none is answered after its test. */
export function playTheService(): void {
	beforeAll(() => {
		nock.disableNetConnect();
		nock.enableNetConnect('127.0.0.1');
	});
	afterEach(() => nock.cleanAll());
	afterAll(() => {
		nock.enableNetConnect();
		nock.restore();
	});
}
