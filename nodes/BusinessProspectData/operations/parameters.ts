import { BUSINESS_ID, PROSPECT_ID } from '../catalog/service';
import { idsParameter } from '../runtime/lists';
import { optionsParameter } from '../runtime/parameters';

const LIST_FORMATS =
	'one, several separated by commas, spaces or line breaks, or a list from an expression. The IDs of all input items share requests.';

export const prospectIds = idsParameter(
	{
		displayName: 'Prospect IDs',
		name: 'prospectIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: `IDs of 40 characters, from Match or Get Many: ${LIST_FORMATS}`,
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
		description: `IDs of 32 characters, from the rows of Prospect: Get Many: ${LIST_FORMATS}`,
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
