import { type IDataObject, UserError } from 'n8n-workflow';
import { isObject, asText } from '../../core/json';
import { parameterError, type ValuesOf } from '../../runtime/parameters';
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
export function sentDetails(input: MatchInput): IDataObject {
	const sent: IDataObject = {};
	for (const member of MEMBERS) if (input[member] !== null) sent[member] = input[member];
	return sent;
}

/** One detail by which a message may name the person. */
export const identifierOf = ({ email, network, phone_number, full_name }: MatchInput): string =>
	email ?? network ?? phone_number ?? full_name ?? '';

/** Whether what an answer repeats is an input letter by letter. */
export const isRepeated = (input: MatchInput, echo: unknown): boolean =>
	isObject(echo) && MEMBERS.every((member) => (echo[member] ?? null) === input[member]);

/** What makes two inputs the same: case aside. */
export const keyOf = (input: IDataObject | MatchInput): string =>
	MEMBERS.map((member) => {
		const detail = asText(input[member])?.trim().toLowerCase() ?? '';
		return `${detail.length}:${detail}`;
	}).join('');

/**
 * The match input of one item. A name without a company, or the reverse, is left out: the service takes only both.
 *
 * @throws UserError when nothing that is left identifies the person.
 */
export function matchInput(values: ValuesOf<typeof details>): MatchInput {
	const named = values.fullName !== '' && values.companyName !== '';
	const identified = values.email !== '' || values.phoneNumber !== '' || values.network !== '';
	if (!named && !identified) throw unidentified(values);
	if (values.businessId.length > 1) {
		throw parameterError(
			businessId.property,
			'are several business IDs; give one.',
			values.businessId.join(', '),
		);
	}
	return {
		business_id: values.businessId[0] ?? null,
		full_name: named ? values.fullName : null,
		company_name: named ? values.companyName : null,
		email: values.email || null,
		phone_number: values.phoneNumber || null,
		network: values.network || null,
	};
}

function unidentified({
	fullName: name,
	companyName: company,
}: ValuesOf<typeof details>): UserError {
	const others = 'or Email, Phone Number or Network URL.';
	if (name !== '') {
		return parameterError(
			companyName.property,
			`is empty. Full Name alone identifies nobody: fill in Company Name too, ${others}`,
		);
	}
	if (company !== '') {
		return parameterError(
			fullName.property,
			`is empty. Company Name alone identifies nobody: fill in Full Name too, ${others}`,
		);
	}
	return new UserError(
		'There is nothing to find this person by. Fill in Email, Phone Number, Network URL, or Full Name with Company Name. A Business ID is not enough by itself.',
		{ extra: { field: email.name } },
	);
}
