import type { Client } from '../../api/client';
import { LIMITS } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import { asText, textOf } from '../../core/json';
import type { Failure, Outcome } from '../../core/outcome';
import { pluralize } from '../../core/text';
import { autocomplete } from '../../filters/autocomplete';
import type { BatchConfig, SendInputs } from '../../run/batches';
import type { InputResult } from '../../run/inputs';
import { fetchSearchPage, type Page, prospectIdOf } from '../../search/page';
import {
	chooseCompany,
	companiesOf,
	type CompanyChoice,
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
import { companyName, type FindInput, type NameInput } from './companyParameters';

export interface CompanyPage extends Page {
	/** Names that the service suggests instead of one that it doesn't know. */
	readonly suggestions?: readonly string[];
	/** Names that the service suggests and that are alike, but not those of the companies whose people were looked at. */
	readonly unseenNames?: readonly string[];
}

/** Further suggestions fit less and less. */
const MAX_SUGGESTIONS = 10;

const LACKS_ROWS: Failure = {
	kind: 'unreadable',
	message:
		"The service's response lacks the people that it reports, so it is unknown whether it has this company. Run the row again.",
};

const lacksRows = ({ rows, totalRows, totalPages = 0, missed }: Page): boolean =>
	rows.length === 0 && (totalRows ?? totalPages) > 0 && !missed;

/** After a full page, there may be more people, because the total may count only the rows that were requested. */
const mayHaveMore = ({ rows, totalRows = 0 }: Page, rowsPerSearch: number): boolean =>
	totalRows > rows.length || rows.length >= rowsPerSearch;

const hasPeopleOf = ({ rows }: Page, name: string): boolean =>
	rows.some((row) => comparableName(textOf(row.company_name)) === comparableName(name));

/** Without the website, which matters only in the choice among the companies found. */
const keyOf = (input: FindInput): string =>
	'prospectId' in input ? input.prospectId : input.companyName;

type Search = SendInputs<FindInput, CompanyPage>;

/** Asks for several spellings, because the contract doesn't say how the filter compares names. */
const searchByName =
	({ rowsPerSearch, lookUpSpellings, requestContext }: NameInput): Search =>
	async (client, inputs, skipIf) => {
		const [first] = inputs;
		const names = inputs.map(keyOf);
		const searchFor = async (values: readonly string[]): Promise<Outcome<CompanyPage>> =>
			await fetchSearchPage(
				client,
				{ filters: { company_name: { values } }, requestContext },
				{ page: 1, pageSize: rowsPerSearch, size: rowsPerSearch },
				skipIf,
			);
		const exact = spellingsOf(names);
		const spellings = [...new Set([...exact, ...bareSpellingsOf(names)])];
		const lookFurther = async (page: CompanyPage): Promise<Outcome<CompanyPage>> => {
			if (lacksRows(page)) return { value: page };
			if (page.rows.length === 0) {
				const looked = { page, rowsPerSearch };
				return await searchForSuggestions(client, names, looked, async (values) => {
					const unsent = values.filter((value) => !spellings.includes(value));
					return unsent.length === 0 ? { value: page } : await searchFor(unsent);
				});
			}
			// People of the company without the legal form may have left no place for those of the company with it.
			const mayLackName =
				exact.length < spellings.length &&
				mayHaveMore(page, rowsPerSearch) &&
				!names.some((name) => hasPeopleOf(page, name));
			if (!mayLackName) return { value: page };
			const { value: own, failure } = await searchFor(exact);
			if (failure !== undefined) return { failure };
			return { value: lacksRows(own) ? own : { ...page, rows: [...own.rows, ...page.rows] } };
		};
		const searched = await searchFor(spellings);
		const { value: page, failure } =
			lookUpSpellings && searched.failure === undefined
				? await lookFurther(searched.value)
				: searched;
		if (failure !== undefined) return { failure };
		// Inputs don't share a page, because later nodes may change its rows.
		return {
			value: (input) =>
				lacksRows(page)
					? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
					: { value: input === first ? page : structuredClone(page) },
		};
	};

/** Whether a name may be one of these. */
const alikeToAny = (names: readonly string[]) => {
	const parsed = names.map(parseCompanyName);
	return (suggestion: string): boolean => {
		const own = parseCompanyName(suggestion);
		return parsed.some((one) => areAlike(own, one));
	};
};

/**
 * Looks up the service's own spellings (contract: Autocomplete). Searches for those that may be the name; otherwise returns the
 * page with all of them.
 */
async function searchForSuggestions(
	client: Client,
	[name = '']: readonly string[],
	{ page, rowsPerSearch }: { readonly page: CompanyPage; readonly rowsPerSearch: number },
	searchFor: (values: readonly string[]) => Promise<Outcome<CompanyPage>>,
): Promise<Outcome<CompanyPage>> {
	const query = partialName(name);
	const { value: rows, failure } = await autocomplete(client, {
		field: 'company_name',
		query,
		semantic: false,
	});
	if (failure !== undefined) {
		const advice = `To find companies without the service's spellings, turn off Look Up Spellings under Options > Requests.`;
		return { failure: { ...failure, message: `${failure.message} ${advice}` } };
	}
	const suggestions = [...new Set(rows.flatMap(({ value }) => asText(value) ?? []))];
	const alike = suggestions.filter(alikeToAny([name]));
	if (alike.length > 0) {
		const { value: found, failure: failed } = await searchFor(alike);
		if (failed !== undefined) return { failure: failed };
		if (!mayHaveMore(found, rowsPerSearch)) return { value: found };
		const isSeen = alikeToAny(found.rows.map((row) => textOf(row.company_name)));
		const unseenNames = alike.filter((suggestion) => !isSeen(suggestion));
		return { value: { ...found, unseenNames } };
	}
	return { value: { ...page, suggestions: suggestions.slice(0, MAX_SUGGESTIONS) } };
}

/** A person's row names the person's company. Each input gets a page with its own rows only. */
const searchByPerson: Search = async (client, inputs, skipIf) => {
	const { value: page, failure } = await fetchSearchPage(
		client,
		{
			filters: { prospect_id: { values: inputs.map(keyOf) } },
			requestContext: inputs[0].requestContext,
		},
		{ page: 1, pageSize: LIMITS.pageSize, size: LIMITS.pageSize },
		skipIf,
	);
	if (failure !== undefined) return { failure };
	const byId = groupBy(page.rows, (row) => prospectIdOf(row)?.trim().toLowerCase());
	const ids = new Set(inputs.map(keyOf));
	// Rows of nobody may be those of the people who are missing.
	const isIncomplete =
		lacksRows(page) ||
		(page.totalRows ?? 0) > page.rows.length ||
		[...byId.keys()].some((id) => id === undefined || !ids.has(id));
	return {
		value: (input) => {
			const rows = byId.get(keyOf(input)) ?? [];
			return rows.length === 0 && isIncomplete
				? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
				: { value: { ...page, rows, totalRows: rows.length } };
		},
	};
};

/** Finds companies through searches for people, by company name or by person (contract: Fetch prospects). */
export const findBatchConfig = {
	groupKey: (input) =>
		JSON.stringify([
			...('prospectId' in input ? [] : [comparableName(input.companyName), input.rowsPerSearch]),
			input.requestContext,
		]),
	key: keyOf,
	maxBatchSize: (input) => ('prospectId' in input ? LIMITS.pageSize : Infinity),
	maxRequests: (input) => (!('prospectId' in input) && input.lookUpSpellings ? 3 : 1),
	inputMember: () => 'filters',
	parameterName: (input) => ('prospectId' in input ? input.parameterName : companyName.name),
	send: async (client, inputs, skipIf) => {
		const [first] = inputs;
		const search = 'prospectId' in first ? searchByPerson : searchByName(first);
		return await search(client, inputs, skipIf);
	},
} satisfies BatchConfig<FindInput, CompanyPage>;

/** The company that an input means. Without candidates, if the service doesn't have it. */
export function companyOf(page: CompanyPage, input: FindInput): CompanyChoice {
	if ('prospectId' in input) return companyOfPerson(page);
	const { suggestions = [], unseenNames } = page;
	return suggestions.length === 0
		? chooseCompany(page.rows, input, unseenNames)
		: { candidates: suggestions.map(suggestedCandidate) };
}

function companyOfPerson({ rows }: Page): CompanyChoice {
	const [company] = companiesOf(rows);
	return company === undefined ? { candidates: [] } : { company };
}

export function notFoundHints(
	results: ReadonlyArray<InputResult<FindInput, CompanyPage>>,
): string[] {
	const notFound = results.flatMap(({ input, outcome: { value: page } }) => {
		if (page === undefined || 'prospectId' in input) return [];
		const { candidates } = companyOf(page, input);
		if (candidates === undefined) return [];
		const hasMore = mayHaveMore(page, input.rowsPerSearch);
		return [{ candidates, canLookFurther: hasMore && input.rowsPerSearch < LIMITS.pageSize }];
	});
	if (notFound.length === 0) return [];
	const undecided = notFound.filter(({ candidates }) => candidates.length > 0).length;
	const searchable = notFound.filter(({ canLookFurther }) => canLookFurther).length;
	return [
		...(notFound.length > undecided
			? [
					'Only companies for which the service has people can be found, and names may have to be spelled as the service spells them: Filter Value: Search with the field Company Name shows the spellings.',
				]
			: []),
		...(undecided > 0
			? [
					`${pluralize(undecided, 'row fits', 'rows fit')} no single company: candidate_names shows what the service has. Correct the company name, or fill in or correct the website.`,
				]
			: []),
		...(searchable > 0
			? [
					`For ${pluralize(searchable, 'row')} without a match, more people may match than were looked at. To look at more of them, raise Rows per Search under Options > Requests.`,
				]
			: []),
	];
}
