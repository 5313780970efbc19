import { type IDataObject, UserError } from 'n8n-workflow';
import { textOf } from '../../api/json';
import { refusal, type ValuesOf } from '../../runtime/parameters';
import { businessId, companyName, type details, email, fullName } from './matchParameters';

/** Contract: Prospect match input. */
const MEMBERS = [
	'business_id',
	'full_name',
	'company_name',
	'email',
	'phone_number',
	'network',
] as const;

/** Whom to find, as a request has it; null for what is not given. */
export type MatchInput = Readonly<Record<(typeof MEMBERS)[number], string | null>>;

/** The details that a request has of a person: those that are given. */
export const sentDetails = (input: MatchInput): IDataObject =>
	Object.fromEntries(Object.entries(input).filter(([, detail]) => detail !== null));

/** What makes two inputs the same: case aside. */
export const printOf = (input: IDataObject | MatchInput): string =>
	JSON.stringify(MEMBERS.map((member) => textOf(input[member])?.trim().toLowerCase() ?? null));

/**
 * The match input of one item.
 *
 * @throws UserError when nothing identifies the person, or a name lacks its company.
 */
export function matchInput(values: ValuesOf<typeof details>): MatchInput {
	const named = values.fullName !== '' && values.companyName !== '';
	if (!named && values.fullName !== '') {
		throw refusal(
			companyName.property,
			'is empty. Full Name is only used together with Company Name.',
		);
	}
	if (!named && values.companyName !== '') {
		throw refusal(
			fullName.property,
			'is empty. Company Name is only used together with Full Name.',
		);
	}
	if (!named && values.email === '' && values.phoneNumber === '' && values.network === '') {
		throw new UserError(
			'There is nothing to find this person by. Fill in Email, Phone Number, Network URL, or Full Name with Company Name. A Business ID is not enough by itself.',
			{ extra: { field: email.name } },
		);
	}
	if (values.businessId.length > 1) {
		throw refusal(
			businessId.property,
			'are several business IDs; give one.',
			values.businessId.join(', '),
		);
	}
	return {
		business_id: values.businessId[0] ?? null,
		full_name: values.fullName || null,
		company_name: values.companyName || null,
		email: values.email || null,
		phone_number: values.phoneNumber || null,
		network: values.network || null,
	};
}
