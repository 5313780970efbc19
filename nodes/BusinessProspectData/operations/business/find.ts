import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import type { Failure } from '../../core/outcome';
import { pluralize } from '../../core/text';
import type { BatchConfig } from '../../run/batches';
import type { InputResult } from '../../run/inputs';
import type { BlankWording } from '../../run/spec';
import { perBatch } from '../../run/operation';
import {
	operationOptions,
	requestContext,
	rowsWithoutMatch,
	simplify,
} from '../../parameters/options';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import { type Cell, cellParameter, COMPANY_NAME, WEBSITE } from '../../parameters/cells';
import { integerParameter, notice, parameterError } from '../../parameters/parameter';
import { fetchSearchPage, type Page } from '../../search/page';
import {
	CANDIDATE_FIELDS,
	candidateFields,
	chooseCompany,
	type CompanyInput,
	comparableName,
	spellingsOf,
} from './companyChoice';

export const companyName = cellParameter(
	{
		displayName: 'Company Name',
		name: 'companyName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Acme, Inc.',
		description:
			'Name of the company, as the service spells it. Filter Value: Search finds spellings. Takes one request per name, however many rows have it.',
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
	rows: 'without a company name',
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
		JSON.stringify([comparableName(input.companyName), input.rowsPerSearch, input.requestContext]),
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
				filters: { company_name: { values: spellingsOf(inputs) } },
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
	parameters: [companyName, website, coverageNotice, rowsWithoutMatch, simplify],
	options: operationOptions('e.g. found, found_website', [], [rowsPerSearch, requestContext]),
	requiredFields: ['business_id'],
	optionalFields: [...CANDIDATE_FIELDS, 'candidates', 'input_company_name', 'input_website'],
	keepsInputFields: true,
	inputs: (values, itemOptions) => {
		const input = findInput(values, itemOptions);
		return input === undefined ? [] : [input];
	},
	...findBatchConfig,
	rows: ([result], values, { includeInputFields = false }) => {
		const shape = {
			simplify: values.simplify,
			withDetails: !includeInputFields,
			dropsUnmatched: values.rowsWithoutMatch === 'drop',
		};
		return result === undefined
			? [rowOf({ companyName: '', website: '' }, NO_PAGE, shape)]
			: rowsWithFailure(result.outcome, (page) => [rowOf(result.input, page, shape)]);
	},
	wording: {
		done: 'found',
		empty: 'not found',
		blank: NO_NAME_WORDING,
	},
	hints: notFoundHints,
});

/** What was found for a blank item. */
const NO_PAGE: Page = { rows: [], responseContext: null };

interface RowShape {
	readonly simplify: boolean;
	/** True if the row repeats the name and the website that were looked up. */
	readonly withDetails: boolean;
	readonly dropsUnmatched: boolean;
}

function rowOf(
	input: CompanyInput,
	page: Page,
	{ simplify, withDetails, dropsUnmatched }: RowShape,
): Row {
	const { company, candidates = [] } = chooseCompany(page.rows, input);
	const details = {
		input_company_name: input.companyName || null,
		input_website: input.website || null,
	};
	const found = {
		found_name: company?.company_name ?? null,
		found_website: company?.company_website ?? null,
		found: company !== undefined,
		...(withDetails && details),
	};
	const id = { business_id: company?.business_id ?? null };
	const simplified = { ...found, ...candidateFields(candidates), ...id };
	const raw = () => ({
		...found,
		candidates: [...candidates],
		...id,
		total_results: page.totalRows ?? null,
		data: [...page.rows],
	});
	const { json, allFields } = recordOutput(simplified, raw, page.responseContext, simplify);
	return {
		json,
		allFields: () => ({ ...details, ...allFields() }),
		empty: company === undefined,
		dropped: company === undefined && dropsUnmatched,
	};
}
