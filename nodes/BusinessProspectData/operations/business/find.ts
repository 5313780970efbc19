import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import type { Failure } from '../../core/outcome';
import { pluralize } from '../../core/text';
import type { BatchConfig } from '../../run/batches';
import type { InputResult } from '../../run/inputs';
import type { BlankWording } from '../../run/spec';
import { perBatch } from '../../run/operation';
import {
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../parameters/options';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import { type Cell, cellParameter, COMPANY_NAME, WEBSITE } from '../../parameters/cells';
import { integerParameter, notice, parameterError } from '../../parameters/parameter';
import { fetchSearchPage, type Page } from '../../search/page';
import { chooseCompany, type CompanyInput } from './companyChoice';
import { parseName, spellingsOf } from './companyName';

export const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Acme, Inc.',
		description:
			'Name of the company, as the service spells it; a legal form such as Inc. or GmbH may be missing. Filter Value: Search finds spellings. Takes one request per name, however many rows have it.',
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
		description:
			'Website of the company, which decides between companies of similar names. Leave empty to choose the company of exactly this name.',
	},
	WEBSITE,
);

export const rowsPerSearch = integerParameter({
	displayName: 'Rows per Search',
	name: 'rowsPerSearch',
	type: 'number',
	noDataExpression: true,
	default: 10,
	typeOptions: { minValue: 1, maxValue: LIMITS.pageSize },
	description: `How many people to look at for each company name, up to ${LIMITS.pageSize}. Looking at more people helps if many companies have similar names.`,
});

export const NO_NAME_WORDING: BlankWording = {
	rows: 'had no company name',
	advice: 'Fill in Company Name.',
};

export interface FindInput extends CompanyInput {
	readonly rowsPerSearch: number;
	readonly requestContext?: IDataObject;
}

/**
 * Undefined for a blank row.
 *
 * @throws UserError if there is no name, but something else
 */
export function findInput(
	{ companyName: name, website: address }: { readonly companyName: Cell; readonly website: Cell },
	options: Pick<FindInput, 'rowsPerSearch' | 'requestContext'>,
): FindInput | undefined {
	if (name.value === null) {
		const { property, kind } = companyName;
		if (name.ignored !== undefined) {
			throw parameterError(property, `is ${kind.description}. Correct it.`, name.ignored);
		}
		if (address.value === null && address.ignored === undefined) return undefined;
		throw parameterError(property, 'is empty. Fill it in, or remove such rows before this node.');
	}
	return {
		companyName: name.value,
		website: address.value ?? '',
		rowsPerSearch: options.rowsPerSearch,
		requestContext: options.requestContext,
	};
}

const LACKS_ROWS: Failure = {
	kind: 'unreadable',
	message:
		"The service's response lacks the people that it reports, so it is unknown whether it has this company. Run the row again.",
};

const lacksRows = ({ rows, totalRows, totalPages = 0, missed }: Page): boolean =>
	rows.length === 0 && (totalRows ?? totalPages) > 0 && !missed;

/**
 * Finds companies through searches for people by company name (contract: Fetch prospects). A search asks for several spellings,
 * because the contract doesn't say how the filter compares names.
 */
export const findBatchConfig: BatchConfig<FindInput, Page> = {
	groupKey: (input) =>
		JSON.stringify([parseName(input.companyName).key, input.rowsPerSearch, input.requestContext]),
	// Without the website, which matters only in the choice among the companies found.
	key: (input) => input.companyName,
	maxBatchSize: () => Infinity,
	inputMember: () => 'filters',
	parameterName: companyName.name,
	send: async (client, inputs, skipIf) => {
		const [first] = inputs;
		const { value: page, failure } = await fetchSearchPage(
			client,
			{
				filters: {
					company_name: { values: spellingsOf(inputs.map(({ companyName: name }) => name)) },
				},
				requestContext: first.requestContext,
			},
			{ page: 1, pageSize: first.rowsPerSearch, size: first.rowsPerSearch },
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
	},
};

export function notFoundHints(results: ReadonlyArray<InputResult<FindInput, Page>>): string[] {
	const notFound = results.flatMap(({ input, outcome: { value: page } }) => {
		const { candidates } = page === undefined ? {} : chooseCompany(page.rows, input);
		if (page === undefined || candidates === undefined) return [];
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

const coverageNotice = notice(
	'coverageNotice',
	'Takes 1 request per company name. Finds only companies for which the service knows at least one person.',
);

/** See contract: Fetch prospects. */
export const find = perBatch({
	resource: 'business',
	value: 'find',
	name: 'Find',
	action: 'Find businesses',
	description:
		'Find business IDs by company name and website. Finds only companies for which the service knows people.',
	parameters: [companyName, website, coverageNotice, simplify],
	options: operationOptions(
		'e.g. found, company_website',
		[dropItemsWithoutData],
		[rowsPerSearch, requestContext],
	),
	requiredFields: ['business_id'],
	optionalFields: ['candidates'],
	inputs: (values, itemOptions) => {
		const input = findInput(values, itemOptions);
		return input === undefined ? [] : [input];
	},
	...findBatchConfig,
	rows: ([result], values) =>
		result === undefined
			? [{ json: { ...NOT_FOUND }, empty: true }]
			: rowsWithFailure(result.outcome, (page) => [rowOf(result.input, page, values.simplify)]),
	wording: {
		verb: 'Looked up',
		one: 'company',
		many: 'companies',
		empty: 'not found',
		blank: NO_NAME_WORDING,
	},
	hints: notFoundHints,
});

/** The row of a blank item. */
const NOT_FOUND = { business_id: null, found: false, company_name: null, company_website: null };

function rowOf(input: FindInput, page: Page, simplify: boolean): Row {
	const { company, candidates = [] } = chooseCompany(page.rows, input);
	const found = company !== undefined;
	const { companyName: name, website: address } = input;
	const row = {
		business_id: company?.business_id ?? null,
		found,
		company_name: found ? company.company_name : name,
		company_website: found ? company.company_website : address || null,
		...(candidates.length > 0 && { candidates: [...candidates] }),
	};
	const raw = () => ({ ...row, total_results: page.totalRows ?? null, data: [...page.rows] });
	return {
		...recordOutput(row, raw, page.responseContext, simplify),
		copiedFromInput: found ? [] : ['company_name', 'company_website'],
		empty: !found,
	};
}
