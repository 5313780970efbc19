import { BUSINESS_ID, PROSPECT_ID } from '../catalog/rules';
import { ids } from '../runtime/lists';

const HOW_TO_LIST =
	'one, several separated by commas, spaces or line breaks, or a list from an expression. The IDs of all input items go out in shared requests.';

export const prospectIds = ids(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `IDs of 40 characters, from Match or Get Many: ${HOW_TO_LIST}`,
	},
	PROSPECT_ID,
);

export const businessIds = ids(
	{
		displayName: 'Business IDs',
		name: 'businessIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.business_id }}',
		description: `IDs of 32 characters, from the rows of Prospect: Get Many: ${HOW_TO_LIST}`,
	},
	BUSINESS_ID,
);
