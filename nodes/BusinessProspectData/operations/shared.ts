import { ids } from '../runtime/lists';
import { flag } from '../runtime/parameters';
import { PROSPECT_ID } from '../catalog/ids';

export const simplify = flag({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const HOW_TO_LIST =
	'one, several separated by commas, blanks or lines, or a list from an expression';

export const prospectIds = ids(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `IDs of 40 characters, from Match or Get Many: ${HOW_TO_LIST}. All input items go out in shared requests.`,
	},
	PROSPECT_ID,
);
