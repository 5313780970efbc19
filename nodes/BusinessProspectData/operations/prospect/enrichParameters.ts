import { PROSPECT_DATA_SETS } from '../../catalog/dataSets';
import { LIMITS } from '../../catalog/service';
import { choices } from '../../runtime/lists';
import { choice, flag } from '../../runtime/parameters';
import { dataSetsParameter } from '../enrichment/dataSets';

export const dataSets = dataSetsParameter(PROSPECT_DATA_SETS, 'profile', 'prospects');

export const contactTypes = choices({
	displayName: 'Contact Types',
	name: 'contactTypes',
	type: 'multiOptions',
	default: ['email', 'phone'],
	displayOptions: { show: { dataSets: ['contacts'] } },
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Phone', value: 'phone' },
	],
	description:
		'Credits when asked one at a time: email only 2, phone only 5, both 5; the service does not publish the cost in a batch. With one type alone the service is asked for one prospect at a time: a request for each instead of one for every 50.',
});

export const offlineMode = flag({
	displayName: 'Offline Mode',
	name: 'offlineMode',
	type: 'boolean',
	default: false,
	description:
		'Whether to ask for Network Posts with <code>offline_mode</code>. The service does not document its effect.',
});

export const requestMode = choice({
	displayName: 'Request Mode',
	name: 'requestMode',
	type: 'options',
	default: 'batched',
	options: [
		{
			name: 'Batched',
			value: 'batched',
			description: `Up to ${LIMITS.enrich} prospects in a request`,
		},
		{ name: 'One per Prospect', value: 'single', description: 'One request for each prospect' },
	],
	description: 'How many prospects to ask for in a request',
});
