import type { IDataObject } from 'n8n-workflow';
import { PROSPECT_RECORD_FIELDS } from '../catalog/service';
import type { JsonValue } from '../core/json';
import { simplifyRecord } from '../core/simplify';
import { recordOutput } from '../runtime/output';
import { prospectKey } from './query';

/** The row of a person who was found. */
export const prospectRow = (row: IDataObject, responseContext: JsonValue, simplify: boolean) => ({
	identity: prospectKey(row),
	...recordOutput(
		simplifyRecord(row, PROSPECT_RECORD_FIELDS),
		() => row,
		responseContext,
		simplify,
	),
});
