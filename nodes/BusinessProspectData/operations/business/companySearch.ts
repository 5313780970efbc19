import { LIMITS } from '../../catalog/service';
import { groupBy } from '../../core/collections';
import type { Failure } from '../../core/outcome';
import { pluralize } from '../../core/text';
import type { BatchConfig, SendInputs } from '../../run/batches';
import type { InputResult } from '../../run/inputs';
import { fetchSearchPage, type Page, prospectIdOf } from '../../search/page';
import { chooseCompany, companiesOf, type CompanyChoice } from './companyChoice';
import { parseName, spellingsOf } from './companyName';
import { companyName, type FindInput } from './companyParameters';

const LACKS_ROWS: Failure = {
	kind: 'unreadable',
	message:
		"The service's response lacks the people that it reports, so it is unknown whether it has this company. Run the row again.",
};

const lacksRows = ({ rows, totalRows, totalPages = 0, missed }: Page): boolean =>
	rows.length === 0 && (totalRows ?? totalPages) > 0 && !missed;

/** Without the website, which matters only in the choice among the companies found. */
const keyOf = (input: FindInput): string =>
	'prospectId' in input ? input.prospectId : input.companyName;

type Search = SendInputs<FindInput, Page>;

/** Asks for several spellings, because the contract doesn't say how the filter compares names. */
const searchByName =
	(rowsPerSearch: number): Search =>
	async (client, inputs, skipIf) => {
		const [first] = inputs;
		const { value: page, failure } = await fetchSearchPage(
			client,
			{
				filters: { company_name: { values: spellingsOf(inputs.map(keyOf)) } },
				requestContext: first.requestContext,
			},
			{ page: 1, pageSize: rowsPerSearch, size: rowsPerSearch },
			skipIf,
		);
		if (failure !== undefined) return { failure };
		// Inputs don't share a page, because later nodes may change its rows.
		return {
			value: (input) =>
				lacksRows(page)
					? { failure: { ...LACKS_ROWS, correlationId: page.correlationId } }
					: { value: input === first ? page : structuredClone(page) },
		};
	};

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
			...('prospectId' in input ? [] : [parseName(input.companyName).key, input.rowsPerSearch]),
			input.requestContext,
		]),
	key: keyOf,
	maxBatchSize: (input) => ('prospectId' in input ? LIMITS.pageSize : Infinity),
	inputMember: () => 'filters',
	parameterName: (input) => ('prospectId' in input ? input.parameterName : companyName.name),
	send: async (client, inputs, skipIf) => {
		const [first] = inputs;
		const search = 'prospectId' in first ? searchByPerson : searchByName(first.rowsPerSearch);
		return await search(client, inputs, skipIf);
	},
} satisfies BatchConfig<FindInput, Page>;

/** The company that an input means. Without candidates, if the service doesn't have it. */
export const companyOf = (page: Page, input: FindInput): CompanyChoice =>
	'prospectId' in input ? companyOfPerson(page) : chooseCompany(page.rows, input);

function companyOfPerson({ rows }: Page): CompanyChoice {
	const [company] = companiesOf(rows);
	return company === undefined ? { candidates: [] } : { company };
}

export function notFoundHints(results: ReadonlyArray<InputResult<FindInput, Page>>): string[] {
	const notFound = results.flatMap(({ input, outcome: { value: page } }) => {
		if (page === undefined || 'prospectId' in input) return [];
		const { candidates } = chooseCompany(page.rows, input);
		if (candidates === undefined) return [];
		const { rows, totalRows = 0 } = page;
		// After a full page, there may be more people, because the total may count only the rows that were requested.
		const mayHaveMore = totalRows > rows.length || rows.length >= input.rowsPerSearch;
		return [{ candidates, canLookFurther: mayHaveMore && input.rowsPerSearch < LIMITS.pageSize }];
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
					`${pluralize(undecided, 'row fits', 'rows fit')} no single company: candidates shows what the service has. Correct the company name, or fill in or correct the website.`,
				]
			: []),
		...(searchable > 0
			? [
					`For ${pluralize(searchable, 'row')} without a match, more people may match than were looked at. To look at more of them, raise Rows per Search under Options > Requests.`,
				]
			: []),
	];
}
