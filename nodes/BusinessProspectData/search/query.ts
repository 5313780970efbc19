import type { IDataObject } from 'n8n-workflow';
import { asText } from '../core/json';

/** Identifies a person across searches. */
export const prospectKey = (row: IDataObject): string =>
	asText(row.prospect_id) ?? JSON.stringify(row);
