import { PROSPECT_ID_FORMAT } from '../catalog/service';
import { COMPANY_NAME, EMAIL } from '../parameters/cellKinds';
import { cellParameter } from '../parameters/cells';
import { idsParameter } from '../parameters/lists';
import { parameterError, type ValuesOf } from '../parameters/parameter';
import { WEBSITE } from '../parameters/webAddresses';
import type { BlankWording } from '../fields/row';
import type { CompanyInput } from './companyChoice';

export const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Acme, Inc.',
		description: 'A legal form such as GmbH may be missing',
	},
	COMPANY_NAME,
);

export const website = cellParameter(
	{
		displayName: 'Website',
		name: 'website',
		type: 'string',
		default: '',
		placeholder: 'e.g. example.com',
		description: 'Decides between companies of similar names. May be empty.',
	},
	WEBSITE,
);

export const prospectId = idsParameter(
	{
		displayName: 'Prospect ID',
		name: 'prospectId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.prospect_id }}',
		description: 'ID, from Match or Get Many, of a person who works there',
	},
	PROSPECT_ID_FORMAT,
);

export const workEmail = cellParameter(
	{
		displayName: 'Work Email',
		name: 'workEmail',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. nathan@example.com',
		description: 'Of a person who works there',
	},
	EMAIL,
);

const blank = (lacks: string, advice: string): { readonly blank: BlankWording } => ({
	blank: { rows: `without ${lacks}`, advice },
});

const NO_NAME = blank('a company name', 'Fill in Company Name.');
const ONLY_WEBSITE = blank(
	'a company name, but with a website',
	'The service finds companies by their names, not by websites alone: fill in Company Name, or set Identify By to Work Email.',
);
export const NO_PROSPECT_ID = blank('a prospect ID', 'Fill in Prospect ID.');
export const NO_EMAIL = blank('a work email', 'Fill in Work Email.');

/** A person whose company is looked for. */
export interface PersonInput {
	readonly prospectId: string;
}

type CompanyValues = ValuesOf<
	readonly [typeof companyName, typeof website, typeof prospectId, typeof workEmail]
>;

export const nameInput = ({
	companyName: { value: name },
	website: { value: address },
}: CompanyValues): CompanyInput | { readonly blank: BlankWording } =>
	name === null
		? address === null
			? NO_NAME
			: ONLY_WEBSITE
		: { companyName: name, website: address ?? '' };

/**
 * Undefined for a blank row.
 *
 * @throws UserError if there are several IDs
 */
export function personId({ prospectId: [id, ...others] }: CompanyValues): string | undefined {
	if (id === undefined || others.length === 0) return id;
	const rule = 'contains several prospect IDs. Enter one.';
	throw parameterError(prospectId.property, rule, [id, ...others].join(', '));
}
