import { BUSINESS_ID, PROSPECT_ID } from '../catalog/service';
import { idsParameter } from '../runtime/lists';
import { optionsParameter } from '../runtime/parameters';

const LIST_FORMATS =
	'separated by commas, spaces or line breaks. An expression may return a list. IDs from all items are batched together.';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `One or more prospect IDs (40 characters, from Match or Get Many), ${LIST_FORMATS}`,
	},
	PROSPECT_ID,
);

export const businessIds = idsParameter(
	{
		displayName: 'Business IDs',
		name: 'businessIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.business_id }}',
		description: `One or more business IDs (32 characters, from the rows of Prospect: Get Many), ${LIST_FORMATS}`,
	},
	BUSINESS_ID,
);

/** Whether an operation returns `rows` or the whole result as one row. */
export const outputParameter = (
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) =>
	optionsParameter({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'summary',
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
