import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../nodes/BusinessProspectData/catalog/dataSets';
import { PROSPECT_RECORD_FIELDS } from '../../nodes/BusinessProspectData/catalog/service';
import { simplifyRecord } from '../../nodes/BusinessProspectData/core/json';

const BY_KEY = new Map(
	[...PROSPECT_DATA_SETS, ...BUSINESS_DATA_SETS].map((set) => [set.outputField, set]),
);

const isRecord = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The service's data of a data set as Simplify shows it. What it shows is for test/unit/core/simplify.test.ts. */
export function simplified(key: string, data: unknown): unknown {
	const { fields = [] } = BY_KEY.get(key) ?? {};
	if (Array.isArray(data)) return data.map((entry) => simplified(key, entry));
	const isNone = data === null || (typeof data === 'string' && data.trim() === '');
	if (!isNone && !isRecord(data)) return data;
	return simplifyRecord(isRecord(data) ? data : {}, fields);
}

/** The fields of a data set in a row with Simplify on. */
export function flat(key: string, data: unknown): IDataObject {
	const value = simplified(key, data);
	return isRecord(value) ? flatRecord(key, value) : { [key]: value as IDataObject };
}

export const flatRecord = (key: string, record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [`${key}_${name}`, value]));

/** All that an error item keeps of a data set: what the service sent, and what Simplify makes of it. */
export const kept = (key: string, data: unknown): unknown =>
	isRecord(data) ? { ...(simplified(key, data) as IDataObject), ...data } : data;

/** A person of the search as Simplify shows it. */
export const simplifiedPerson = (person: IDataObject): IDataObject =>
	simplifyRecord(person, PROSPECT_RECORD_FIELDS);

/** An event as Simplify shows it. */
export const simplifiedEvent = ({ data, ...event }: IDataObject): IDataObject => ({
	...(data as IDataObject),
	...event,
});
