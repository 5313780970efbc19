/** A list that loads as the user types in the editor. */
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { startService } from '../workflows/service';
import { searchList } from './listSearch';

test.each<[typed: string | undefined, first: object, count: number]>([
	[' germ ', { name: 'Germany', value: 'de' }, 1],
	[undefined, { name: 'United States', value: 'us' }, 13],
])('the list of countries after typing %j', async (filter, first, count) => {
	const { url: baseUrl, apiKey } = await startService();

	const { results } = await searchList({
		node: new BusinessProspectData(),
		method: 'search_country',
		credentials: { baseUrl, apiKey },
		credentialType: new BusinessProspectDataApi(),
		filter,
	});

	expect(results[0]).toEqual(first);
	expect(results).toHaveLength(count);
});
