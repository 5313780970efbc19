import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { BUSINESS_ID_FORMAT, LIMITS, PROSPECT } from '../catalog/service';
import { groupBy } from '../core/collections';
import { asCount, asObjects, asText, isObject } from '../core/json';
import type { Outcome } from '../core/outcome';
import { pluralize } from '../core/text';
import { autocomplete } from '../filters/autocomplete';
import type { SendInputs } from '../run/batches';
import type { InputResult } from '../run/inputs';
import { type LookupStep, newLookup, type ResolvedId } from '../run/lookupStep';
import type { Start } from '../run/spec';
import { fetchSearchPage, LACKS_ROWS, lacksRows, type Page, prospectIdOf } from '../search/page';
import { matchStep } from './matchStep';
import type { MatchResult } from './matchResult';
import { NO_DETAILS, type Person } from './person';
import {
	chooseCompany,
	companiesOf,
	type CompanyChoice,
	type CompanyInput,
	companyKey,
	suggestedCandidate,
} from './companyChoice';
import {
	areAlike,
	bareSpellingsOf,
	comparableName,
	parseCompanyName,
	partialName,
	spellingsOf,
} from './companyName';
import {
	NO_EMAIL,
	NO_PROSPECT_ID,
	companyName,
	nameInput,
	personId,
	type PersonInput,
	prospectId,
	workEmail,
} from './companyParameters';
import type { Advice } from '../parameters/read';

export interface CompanyPage extends Page {
	/** Names that the service suggests instead of one that it doesn't know. */
	readonly suggestions?: readonly string[];
}

/** Further suggestions fit less and less. */
const MAX_SUGGESTIONS = 3;

/** Enough for the companies of similar names. */
const ROWS_PER_SEARCH = 25;

/** Asks for several spellings, because the contract doesn't say how the filter compares names. */
const searchByName: SendInputs<CompanyInput, CompanyPage> = async (client, inputs, skipIf) => {
	const [first] = inputs;
	// The names of a group differ only in case and spaces.
	const { companyName: name } = first;
	const names = inputs.map((input) => input.companyName);
	const searchFor = async (values: readonly string[]) =>
		await fetchSearchPage(
			client,
			{ filters: { company_name: { values: [...new Set(values)] } } },
			{ page: 1, pageSize: ROWS_PER_SEARCH, size: ROWS_PER_SEARCH },
			skipIf,
		);
	const spellings = [...spellingsOf(names), ...bareSpellingsOf(names)];
	/** For a company that fits better, or any if there is none. */
	const lookFurther = async (page: Page): Promise<Outcome<CompanyPage>> => {
		const { rows } = page;
		const { value: suggestions, failure } = await suggestNames(client, name);
		if (failure !== undefined) return { failure };
		const alike = suggestions.filter(alikeToAny([name]));
		const others =
			rows.length === 0 ? alike : alike.filter((suggestion) => !spellings.includes(suggestion));
		// People of a similar name may have filled the page.
		if (rows.length === ROWS_PER_SEARCH) others.push(...spellingsOf(names));
		if (others.length === 0) {
			const shown = rows.length === 0 ? suggestions.slice(0, MAX_SUGGESTIONS) : [];
			return { value: { ...page, suggestions: shown } };
		}
		const { value: further, failure: furtherFailure } = await searchFor(others);
		if (furtherFailure !== undefined) return { failure: furtherFailure };
		return {
			value: lacksRows(further) ? further : { ...further, rows: [...rows, ...further.rows] },
		};
	};
	const searched = await searchFor(spellings);
	const { value: found } = searched;
	const isFinal =
		found === undefined ||
		lacksRows(found) ||
		inputs.every((input) => chooseCompany(found.rows, input).isClose);
	const { value: page, failure } = isFinal ? searched : await lookFurther(found);
	if (failure !== undefined) return { failure };
	// Inputs don't share a page, because later nodes may change its rows.
	return {
		value: (input) =>
			lacksRows(page)
				? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
				: { value: input === first ? page : structuredClone(page) },
	};
};

const alikeToAny = (names: readonly string[]) => {
	const parsed = names.map(parseCompanyName);
	return (suggestion: string): boolean => {
		const own = parseCompanyName(suggestion);
		return parsed.some((one) => areAlike(own, one));
	};
};

/** The service's own spellings of what the name begins with (contract: Autocomplete). */
async function suggestNames(client: Client, name: string): Promise<Outcome<string[]>> {
	const { value: rows, failure } = await autocomplete(client, {
		field: 'company_name',
		query: partialName(name),
		semantic: false,
	});
	if (failure === undefined) {
		return { value: [...new Set(rows.flatMap(({ value }) => asText(value) ?? []))] };
	}
	return { failure };
}

/** A person's row names the person's company. Each input gets a page with its own rows only. */
const searchByPerson: SendInputs<PersonInput, CompanyPage> = async (client, inputs, skipIf) => {
	const values = inputs.map(({ prospectId: id }) => id);
	const { value: page, failure } = await fetchSearchPage(
		client,
		{ filters: { prospect_id: { values } } },
		{ page: 1, pageSize: LIMITS.pageSize, size: LIMITS.pageSize },
		skipIf,
	);
	if (failure !== undefined) return { failure };
	const byId = groupBy(page.rows, (row) => prospectIdOf(row)?.trim().toLowerCase());
	const ids = new Set(values);
	// Rows of nobody may be those of the people who are missing.
	const isIncomplete =
		lacksRows(page) ||
		(page.totalRows ?? 0) > page.rows.length ||
		[...byId.keys()].some((id) => id === undefined || !ids.has(id));
	return {
		value: (input) => {
			const rows = byId.get(input.prospectId) ?? [];
			return rows.length === 0 && isIncomplete
				? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
				: { value: { ...page, rows, totalRows: rows.length } };
		},
	};
};

/** What a search says about a company. Without `search`, the person whose company it would be has no match. */
export type FoundCompany = ResolvedId &
	Partial<CompanyChoice> & {
		readonly search?: { readonly page: CompanyPage; readonly input: CompanyInput | PersonInput };
	};

const foundCompany = (
	choice: CompanyChoice,
	page: CompanyPage,
	input: CompanyInput | PersonInput,
): FoundCompany => ({
	id: choice.company?.business_id ?? null,
	...choice,
	search: { page, input },
});

/** The company that a name means. Without candidates, if the service doesn't have it. */
const chooseFrom = ({ rows, suggestions = [] }: CompanyPage, input: CompanyInput) =>
	suggestions.length === 0
		? chooseCompany(rows, input)
		: { candidates: suggestions.map(suggestedCandidate) };

/** Without the person, of whom nothing needs to be remembered. */
const companyOf = ({ business_id, company_name, company_website }: IDataObject): IDataObject => ({
	business_id,
	company_name,
	company_website,
});

const companyKeyOf = (row: IDataObject): string => JSON.stringify(companyOf(row));

const readPage = (value: unknown): CompanyPage | undefined =>
	isObject(value) && Array.isArray(value.rows)
		? {
				rows: asObjects(value.rows),
				totalRows: asCount(value.totalRows),
				responseContext: value.responseContext,
				suggestions: [value.suggestions].flat().flatMap((name) => asText(name) ?? []),
			}
		: undefined;

/** See contract: Fetch prospects. */
const companyByName: LookupStep<CompanyInput, CompanyPage, FoundCompany> = {
	idFormat: BUSINESS_ID_FORMAT,
	groupKey: ({ companyName: name }) => comparableName(name),
	// Without the website, which matters only in the choice among the companies found.
	key: ({ companyName: name }) => name,
	provisionalId: companyKey,
	maxBatchSize: () => Infinity,
	maxRequests: () => 3,
	inputMember: () => 'filters',
	parameterName: companyName.name,
	send: searchByName,
	remembered: {
		key: ({ companyName: name }) => `company ${comparableName(name)}`,
		read: readPage,
		// Of many people of the same company, one says as much.
		keep: ({ rows, ...page }) => ({
			...page,
			rows: [...new Map(rows.map((row) => [companyKeyOf(row), companyOf(row)])).values()],
		}),
	},
	resolve: (page, input) => foundCompany(chooseFrom(page, input), page, input),
	advice: notFoundAdvice,
};

/** A person's row in a search names the person's company (contract: Fetch prospects). */
const companyOfMatch: LookupStep<PersonInput, CompanyPage, FoundCompany> = {
	idFormat: BUSINESS_ID_FORMAT,
	groupKey: () => '',
	key: ({ prospectId: id }) => id,
	maxBatchSize: () => LIMITS.pageSize,
	inputMember: () => 'filters',
	send: searchByPerson,
	remembered: {
		key: ({ prospectId: id }) => `company of prospect ${id}`,
		read: readPage,
	},
	resolve: (page, input) => {
		const [company] = companiesOf(page.rows);
		return foundCompany(company === undefined ? { candidates: [] } : { company }, page, input);
	},
};

const companyOfPerson = { ...companyOfMatch, parameterName: prospectId.name };

/** Undefined if the item has a business ID. */
export function startCompanyLookup(
	values: Parameters<typeof nameInput>[0] & { readonly identifyBy: string },
): Start<FoundCompany> | undefined {
	if (values.identifyBy === 'companyName') {
		const input = nameInput(values);
		return 'blank' in input ? input : { lookup: newLookup(companyByName, input) };
	}
	if (values.identifyBy === 'prospectId') {
		const id = personId(values);
		if (id === undefined) return NO_PROSPECT_ID;
		return { lookup: newLookup(companyOfPerson, { prospectId: id }) };
	}
	if (values.identifyBy !== 'workEmail') return undefined;
	const { value: email } = values.workEmail;
	if (email === null) return NO_EMAIL;
	const person = { ...NO_DETAILS, email };
	const lookup = newLookup<Person, MatchResult, FoundCompany>(matchEmail, person, {
		next: (id) => {
			const foundBefore = { [PROSPECT.idField]: id };
			return newLookup(companyOfMatch, { prospectId: id }, { foundBefore });
		},
	});
	return { lookup };
}

const matchEmail = { ...matchStep, parameterName: workEmail.name };

function notFoundAdvice(results: ReadonlyArray<InputResult<CompanyInput, CompanyPage>>): Advice[] {
	const candidates = results.flatMap(({ input, outcome: { value: page } }) => {
		const choice = page === undefined ? undefined : chooseFrom(page, input);
		return choice?.candidates === undefined ? [] : [choice.candidates];
	});
	const undecided = candidates.filter(({ length }) => length > 0).length;
	return [
		{
			rows: candidates.length - undecided,
			message:
				'Only companies for which the service has people can be found, and names may have to be spelled as the service spells them: Filter Value: Search with the field Company Name shows the spellings.',
		},
		{
			rows: undecided,
			message: `${pluralize(undecided, 'row fits', 'rows fit')} no single company: candidate_names shows what the service has. Correct the company name, or fill in or correct the website.`,
		},
	];
}
