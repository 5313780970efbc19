import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';
import { searchList } from './listSearch';

const node: INodeType = {
	description: {
		displayName: 'Lists',
		name: 'lists',
		group: ['transform'],
		version: 1,
		description: 'Has a list',
		defaults: { name: 'Lists' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'businessProspectDataApi', required: true }],
		properties: [{ displayName: 'Field', name: 'field', type: 'string', default: 'city' }],
	},
	methods: {
		listSearch: {
			async search(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
				const { apiKey } = await this.getCredentials('businessProspectDataApi');
				const values = [
					filter,
					paginationToken,
					String(apiKey),
					String(this.getCurrentNodeParameter('field')),
					String(this.getCurrentNodeParameter('&sibling')),
					this.getNode().name,
				];
				return {
					results: values.map((value) => ({ name: String(value), value: String(value) })),
					paginationToken: 2 as unknown as string,
				};
			},
			async fail(): Promise<never> {
				throw new Error('Wrong key');
			},
		},
	},
};
const options = { node, method: 'search', credentials: { apiKey: 'sandbox-key' } };

test('a list gets what the editor sends', async () => {
	const page = await searchList({
		...options,
		parameters: { field: 'country', filters: { sibling: 'beside' } },
		path: 'parameters.filters.city',
		filter: 'ber',
		paginationToken: '1',
	});

	expect(page.results.map(({ value }) => value)).toEqual([
		'ber',
		'1',
		'sandbox-key',
		'country',
		'beside',
		'Temp-Node',
	]);
	expect(page.paginationToken).toBe('2');
});

test('when the list opens there is no filter', async () => {
	const page = await searchList(options);

	expect(page.results[0]?.value).toBe('undefined');
});

test('an error of the method, and a method that is not there, are the caller to see', async () => {
	await expect(searchList({ ...options, method: 'fail' })).rejects.toThrow('Wrong key');
	await expect(searchList({ ...options, method: 'none' })).rejects.toThrow('"none"');
});
