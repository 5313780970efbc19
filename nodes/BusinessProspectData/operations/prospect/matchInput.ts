import type { IDataObject } from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { isEmpty, isObject, textOf } from '../../api/json';
import { BUSINESS_ID } from '../../catalog/ids';
import { ids } from '../../runtime/lists';
import { refusal, text, type ValuesOf } from '../../runtime/parameters';

const email = text({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description: 'Email address of the person',
});

const phoneNumber = text({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +1 512 555 0100',
	description: 'Phone number of the person',
});

const fullName = text({
	displayName: 'Full Name',
	name: 'fullName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'First and last name; goes together with Company Name',
});

const companyName = text({
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Acme, Inc.',
	description: 'Name of the company the person works for; goes together with Full Name',
});

const network = text({
	displayName: 'Network URL',
	name: 'network',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://network.example.com/in/nathan-smith',
	description: "Address of the person's profile on the professional network",
});

const businessId = ids(
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.business_id }}',
		description:
			'Only match people at this business; not enough by itself. Business IDs come with the rows of Get Many.',
	},
	BUSINESS_ID,
);

/** The members of a match input (contract: Prospect match input). */
const MEMBERS = [
	'business_id',
	'full_name',
	'company_name',
	'email',
	'phone_number',
	'network',
] as const;

export type MatchInput = Readonly<Record<(typeof MEMBERS)[number], string | null>>;

/** What a person may be found by. */
export const details = [email, phoneNumber, fullName, companyName, network, businessId] as const;

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

/** What a person is found by; a company has many people. */
const TELLING = ['full_name', 'email', 'phone_number', 'network'] as const;

/** The letters and digits of a detail: the service may write a phone number or an address in another way. */
const bare = (detail: unknown): string =>
	(textOf(detail) ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a repeated input can be about the same person. */
const resembles = (echo: IDataObject, input: MatchInput): boolean =>
	TELLING.some((member) => {
		const [one, other] = [bare(echo[member]), bare(input[member])];
		return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
	});

/**
 * The answer's row for each input: by the `input` that it repeats, else by its place (contract: Match prospects), unless
 * it repeats that of somebody else.
 */
export function alignedRows(
	rows: readonly IDataObject[],
	inputs: readonly MatchInput[],
): Array<IDataObject | undefined> {
	const echoes = rows.map(({ input }) => (isObject(input) && !isEmpty(input) ? input : undefined));
	const wanted = inputs.map(printOf);
	const prints = echoes.map((echo) => (echo === undefined ? undefined : printOf(echo)));
	const firstByPrint = new Map(
		[...prints.entries()].reverse().map(([at, print]) => [print, rows[at]]),
	);
	return inputs.map((input, at) => {
		const own = firstByPrint.get(wanted[at]);
		if (own !== undefined) return own;
		if (rows.length !== inputs.length) return undefined;
		const echo = echoes[at];
		if (echo === undefined) return rows[at];
		const claimed = wanted.includes(prints[at] ?? '');
		return !claimed && resembles(echo, input) ? rows[at] : undefined;
	});
}
