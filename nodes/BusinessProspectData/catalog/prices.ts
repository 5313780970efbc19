import { getOrCreate } from '../core/collections';
import { BUSINESS_DATA_SETS } from './businessDataSets';
import { type DataSet, PROSPECT_DATA_SETS } from './dataSets';
import { CONTACT_CREDITS } from './service';

/** Something that may cost credits, once per record. */
export interface Charge {
	/** As credentials save it. */
	readonly value: string;
	/** As the credential shows it, with the resource. */
	readonly label: string;
	/** As estimates without a price name it. */
	readonly name: string;
	/** Credits per record (contract: Limits). Absent if the service publishes no price. */
	readonly published?: number;
}

const charge = (resource: string, { value, name }: Pick<Charge, 'value' | 'name'>): Charge => ({
	value,
	label: `${resource}: ${name}`,
	name,
});

export const MATCH_CHARGE = charge('Prospect', { value: 'match', name: 'Match' });

export const PROSPECT_EVENTS_CHARGE = charge('Prospect', {
	value: 'prospectEvents',
	name: 'Get Events',
});

export const BUSINESS_EVENTS_CHARGE = charge('Business', {
	value: 'businessEvents',
	name: 'Get Events',
});

const dataCharges = new Map<DataSet, Charge>();

/** The same object for all records of a data set, because a run keeps one for each record. */
const dataCharge = (resource: string, dataSet: DataSet): Charge =>
	getOrCreate(dataCharges, dataSet, () => charge(resource, dataSet));

export const prospectDataCharge = (dataSet: DataSet): Charge => dataCharge('Prospect', dataSet);

export const businessDataCharge = (dataSet: DataSet): Charge => dataCharge('Business', dataSet);

const contactCharge = (value: string, name: string, published: number): Charge => ({
	...charge('Prospect', { value, name }),
	published,
});

/** By Contact Types. Prices are published only for prospects that are requested one at a time. */
export const CONTACT_CHARGES = {
	both: contactCharge('contacts', 'Contacts, Email and Phone', CONTACT_CREDITS.both),
	email: contactCharge('contactsEmail', 'Contacts, Email Only', CONTACT_CREDITS.email),
	phone: contactCharge('contactsPhone', 'Contacts, Phone Only', CONTACT_CREDITS.phone),
} as const;

const withoutPrice = ({ value, label }: Charge, name: string): Charge => ({ value, label, name });

/** Like `CONTACT_CHARGES.both`, but for several prospects in a request. */
export const BATCHED_CONTACTS_CHARGE = withoutPrice(CONTACT_CHARGES.both, 'Contacts in batches');

/** All that can have a price in the credential. */
export const CHARGES: readonly Charge[] = [
	BUSINESS_EVENTS_CHARGE,
	...BUSINESS_DATA_SETS.map(businessDataCharge),
	...Object.values(CONTACT_CHARGES),
	...PROSPECT_DATA_SETS.filter(({ value }) => value !== CONTACT_CHARGES.both.value).map(
		prospectDataCharge,
	),
	PROSPECT_EVENTS_CHARGE,
	MATCH_CHARGE,
];
