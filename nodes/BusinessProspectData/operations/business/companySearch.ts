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
		// The names of a group differ only in case and spaces.
		const name = keyOf(first);
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
			const isUnknown = page.rows.length === 0;
			// People of the company without the legal form may have left no place for those of the company with it.
			const isHidden =
				exact.length < spellings.length &&
				mayHaveMore(page, rowsPerSearch) &&
				!hasPeopleOf(page, name);
			if (!isUnknown && !isHidden) return { value: page };
			const { value: suggestions, failure } = await suggestNames(client, name);
			if (failure !== undefined) return { failure };
			const alike = suggestions.filter(alikeToAny([name]));
			if (isUnknown && alike.length === 0) {
				return { value: { ...page, suggestions: suggestions.slice(0, MAX_SUGGESTIONS) } };
			}
			const unseen = alike.filter((one) =>
				isUnknown ? !spellings.includes(one) : !hasPeopleOf(page, one),
			);
			if (unseen.length === 0) return { value: page };
			const { value: found, failure: failed } = await searchFor(unseen);
			if (failed !== undefined) return { failure: failed };
			if (lacksRows(found)) return { value: found };
			const rows = [...found.rows, ...page.rows];
			const isSeen = alikeToAny(rows.map((row) => textOf(row.company_name)));
			const unseenNames = mayHaveMore(found, rowsPerSearch)
				? alike.filter((one) => !isSeen(one))
				: [];
			return { value: { ...found, rows, unseenNames } };
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
	const advice = `To find companies without the service's spellings, turn off Look Up Spellings under Options > Requests.`;
	return { failure: { ...failure, message: `${failure.message} ${advice}` } };
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
