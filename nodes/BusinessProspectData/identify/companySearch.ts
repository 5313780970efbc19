import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/client';
import { BUSINESS_ID_FORMAT, LIMITS, PROSPECT } from '../catalog/service';
import { groupBy, largestOf } from '../core/collections';
import { asCount, asObjects, asText, isEmpty, isObject, textOf } from '../core/json';
import type { Advice, Outcome } from '../core/outcome';
import { pluralize } from '../core/text';
import { autocomplete } from '../filters/autocomplete';
import type { SendInputs } from '../run/batches';
import { type LookupStep, newLookup, type ResolvedId } from '../run/lookupStep';
import type { LookupOrBlank } from '../run/spec';
import { fetchSearchPage, LACKS_ROWS, lacksRows, type Page, prospectIdOf } from '../search/pages';
import { matchStep } from './matchStep';
import type { MatchResult } from './matchResult';
import { NO_DETAILS, type Person } from './person';
import {
	chooseCompany,
	companiesOf,
	type CompanyChoice,
	type CompanyInput,
	companyKey,
	companyQuestion,
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

interface CompanyPage extends Page {
	/** Names that the service suggests instead of one that it doesn't know. */
	readonly suggestions?: readonly string[];
	/** How many people the searches returned. */
	readonly people?: number;
}

/** Further suggestions fit less and less. */
const MAX_SUGGESTIONS = 3;

/** Each person may cost credits, and the first few nearly always work at the company. */
const FIRST_PEOPLE = 5;
/** Enough for the companies of similar names. */
const FURTHER_PEOPLE = 20;

/** Asks for several spellings, because the contract doesn't say how the filter compares names. */
const searchByName: SendInputs<CompanyInput, CompanyPage> = async (client, inputs, skipIf) => {
	const [first] = inputs;
	// The names of a group differ only in case and spaces, if at all.
	const { companyName: name } = first;
	const names = inputs.map((input) => input.companyName);
	const searchFor = async (values: readonly string[], count: number) =>
		await fetchSearchPage(
			client,
			{ filters: { company_name: { values: [...new Set(values)] } } },
			{ page: 1, pageSize: count, size: count },
			skipIf,
		);
	const spellings = [...spellingsOf(names), ...bareSpellingsOf(names)];
	/** Looks for a company that fits better, or for any if there is none. */
	const lookFurther = async (page: Page): Promise<Outcome<CompanyPage>> => {
		const { rows } = page;
		const { value: suggestions, failure } = await suggestNames(client, name);
		if (failure !== undefined) return { failure };
		const alike = suggestions.filter(alikeToAny([name]));
		const others =
			rows.length === 0 ? alike : alike.filter((suggestion) => !spellings.includes(suggestion));
		// People of a similar name may have filled the page.
		if (rows.length >= FIRST_PEOPLE) others.push(...spellingsOf(names));
		if (others.length === 0) {
			const shown = rows.length === 0 ? suggestions.slice(0, MAX_SUGGESTIONS) : [];
			return { value: { ...page, suggestions: shown } };
		}
		const { value: further, failure: furtherFailure } = await searchFor(others, FURTHER_PEOPLE);
		if (furtherFailure !== undefined) return { failure: furtherFailure };
		return {
			value: lacksRows(further) ? further : { ...further, rows: [...rows, ...further.rows] },
		};
	};
	const { value: firstPage, failure } = await searchFor(spellings, FIRST_PEOPLE);
	if (failure !== undefined) return { failure };
	// A further search for one input must not change the company that another one finds.
	const undecided = lacksRows(firstPage)
		? []
		: inputs.filter((input) => !chooseCompany(firstPage.rows, input).isClose);
	const { value: allPages = firstPage, failure: furtherFailure } =
		undecided.length === 0 ? { value: firstPage } : await lookFurther(firstPage);
	if (furtherFailure !== undefined) return { failure: furtherFailure };
	const people = allPages.rows.length;
	return {
		value: {
			outcomeOf: (input) => {
				const page = undecided.includes(input) ? allPages : firstPage;
				return lacksRows(page)
					? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
					: { value: withCompaniesOnly(page, people) };
			},
		},
	};
};

/**
 * Of many people of the same company, one says as much, and of that one only the company. Inputs don't share what it returns,
 * because later nodes may change it.
 */
const withCompaniesOnly = ({ rows, ...page }: CompanyPage, people: number): CompanyPage => ({
	...structuredClone(page),
	rows: [...new Map(rows.map((row) => [companyKeyOf(row), companyOf(row)])).values()],
	people,
});

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
	// Rows with unknown IDs may belong to the missing people.
	const isIncomplete =
		lacksRows(page) ||
		(page.totalRows ?? 0) > page.rows.length ||
		[...byId.keys()].some((id) => id === undefined || !ids.has(id));
	return {
		value: {
			outcomeOf: (input) => {
				const rows = byId.get(input.prospectId) ?? [];
				return rows.length === 0 && isIncomplete
					? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
					: { value: { ...page, rows, totalRows: rows.length } };
			},
		},
	};
};

/** The company that a search found, if any. `search` is absent if the person whose company it would be has no match. */
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

const companyOf = ({ business_id, company_name, company_website }: IDataObject): IDataObject => ({
	business_id,
	company_name,
	company_website,
});

const companyKeyOf = (row: IDataObject): string => JSON.stringify(companyOf(row));

const isCompany = ({ business_id: id }: IDataObject): boolean =>
	isEmpty(id) || BUSINESS_ID_FORMAT.pattern.test(textOf(id).trim().toLowerCase());

const readPage = (value: unknown): CompanyPage | undefined =>
	isObject(value) && Array.isArray(value.rows) && asObjects(value.rows).every(isCompany)
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
	key: companyQuestion,
	provisionalId: companyKey,
	maxBatchSize: () => Infinity,
	maxRequests: () => 3,
	maxRecords: FIRST_PEOPLE + FURTHER_PEOPLE,
	// The lookups of a request share its searches.
	recordsIn: (results) => largestOf(results.map(({ outcome }) => outcome.value?.people)) ?? 0,
	isSearch: true,
	inputMember: () => 'filters',
	parameterName: companyName.name,
	send: searchByName,
	remembered: {
		key: (input) => `company ${companyQuestion(input)}`,
		read: readPage,
		fewerDetails: {
			inputs: (input) => (input.website === '' ? [] : [{ ...input, website: '' }]),
			keysAbout: () => [],
			// A company that the website fits ends the search, so a new one would find the same.
			isKnown: (input, _fewer, _about, page) => chooseFrom(page, input).company !== undefined,
		},
	},
	resolve: (page, input) => foundCompany(chooseFrom(page, input), page, input),
};

/** A person's row in a search names the person's company (contract: Fetch prospects). */
const companyOfMatch: LookupStep<PersonInput, CompanyPage, FoundCompany> = {
	idFormat: BUSINESS_ID_FORMAT,
	groupKey: () => '',
	key: ({ prospectId: id }) => id,
	maxBatchSize: () => LIMITS.pageSize,
	maxRecords: 1,
	recordsIn: (results) =>
		results.reduce((sum, { outcome }) => sum + (outcome.value?.rows.length ?? 0), 0),
	isSearch: true,
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
export function companyLookup(
	values: Parameters<typeof nameInput>[0] & { readonly identifyBy: string },
): LookupOrBlank<FoundCompany> | undefined {
	if (values.identifyBy === 'companyName') {
		const input = nameInput(values);
		return 'blank' in input ? input : newLookup(companyByName, input);
	}
	if (values.identifyBy === 'prospectId') {
		const id = personId(values);
		if (id === undefined) return NO_PROSPECT_ID;
		return newLookup(companyOfPerson, { prospectId: id });
	}
	if (values.identifyBy !== 'workEmail') return undefined;
	const { value: email } = values.workEmail;
	if (email === null) return NO_EMAIL;
	const person = { ...NO_DETAILS, email };
	return newLookup<Person, MatchResult, FoundCompany>(matchEmail, person, {
		next: (id) => {
			const foundBefore = { [PROSPECT.idField]: id };
			return newLookup(companyOfMatch, { prospectId: id }, { foundBefore });
		},
	});
}

const matchEmail = { ...matchStep, parameterName: workEmail.name };

/** About companies that were looked up by name. */
export function notFoundAdvice(companies: readonly FoundCompany[]): Advice[] {
	const candidates = companies.flatMap(({ search, candidates: own }) =>
		own !== undefined && search !== undefined && 'companyName' in search.input ? [own] : [],
	);
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
