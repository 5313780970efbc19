import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_ID_FORMAT, PROSPECT_ID_FORMAT } from '../catalog/service';
import { idsParameter } from '../runtime/lists';
import { optionsParameter } from '../runtime/parameters';

const LIST_FORMATS =
	'separated by commas, spaces or line breaks. An expression may return a list. The IDs of all rows are sent together, in batches.';

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
	PROSPECT_ID_FORMAT,
);

export const businessIds = idsParameter(
	{
		displayName: 'Business IDs',
		name: 'businessIds',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.business_id }}',
		description: `One or more business IDs (32 characters, from Business: Find or Prospect: Get Many), ${LIST_FORMATS}`,
	},
	BUSINESS_ID_FORMAT,
);

/** Creates the parameter Output: rows (the default), or the whole response as one row. */
export function outputParameter(
	rows: { readonly name: string; readonly value: string; readonly description: string },
	summary: string,
) {
	// n8n's lint recognizes only a literal or a plain name as a default.
	const { value: initial } = rows;
	return optionsParameter({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: initial,
		options: [rows, { name: 'Summary', value: 'summary', description: summary }],
		description: 'What to return',
	});
}

/** A response as one row, with `response_context` last, so that people see the data first. */
export const summaryRow = ({ response_context: context, ...members }: IDataObject): IDataObject =>
	context === undefined ? members : { ...members, response_context: context };
