import { PROSPECT_ID } from '../../catalog/rules';
import { LIMITS } from '../../catalog/service';
import { ids } from '../../runtime/lists';
import { count, flag } from '../../runtime/parameters';

export const countOnly = flag({
	displayName: 'Count Only',
	name: 'countOnly',
	type: 'boolean',
	default: false,
	description: 'Whether to return only how many people match, with one request of one row',
});

export const returnAll = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	displayOptions: { show: { countOnly: [false] } },
	description: 'Whether to return all results or only up to a given limit',
});

export const limit = count({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize },
	displayOptions: { show: { countOnly: [false], returnAll: [false] } },
	description: 'Max number of results to return',
});

export const exclude = ids(
	{
		displayName: 'Exclude Prospect IDs',
		name: 'exclude',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.known_ids }}',
		description:
			'People to leave out: IDs separated by commas, spaces or line breaks, or a list. Empty: nobody is left out.',
	},
	PROSPECT_ID,
);

export const startPage = count({
	displayName: 'Start Page',
	name: 'startPage',
	type: 'number',
	default: 1,
	typeOptions: { minValue: 1, maxValue: LIMITS.searchSize / LIMITS.pageSize },
	description: `Page of ${LIMITS.pageSize} rows to begin with, to go on where an earlier run ended`,
});
