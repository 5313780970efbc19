import { deepCopy, type IDataObject } from 'n8n-workflow';
import { requestStatus } from '../../api/responseBody';
import { LIMITS } from '../../catalog/service';
import type { Failure } from '../../core/outcome';
import { isBlank, pluralize } from '../../core/text';
import type { BatchResult } from '../../runtime/batches';
import { perBatch } from '../../runtime/operation';
import { dropItemsWithoutData, options, requestContext, simplify } from '../../runtime/options';
import { recordOutput, type Row, rowsWithFailure } from '../../runtime/output';
import type { Page } from '../../runtime/pageDefects';
import {
	integerParameter,
	notice,
	parameterError,
	stringParameter,
} from '../../runtime/parameters';
import { fetchSearchPage } from '../../search/query';
import {
	chooseCompany,
	comparableName,
	type CompanyInput,
	hostOf,
	spellingsOf,
} from './companyChoice';

const companyName = stringParameter({
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Acme, Inc.',
	description:
		'Name of the company, as the service spells it. Filter Value: Search finds spellings. Takes one request per name, however many rows have it.',
});

const website = stringParameter({
	displayName: 'Website',
	name: 'website',
	type: 'string',
	default: '',
	placeholder: 'e.g. acme.com',
	description:
		'Website of the company, which decides between companies of similar names. Leave empty to choose the company of exactly this name.',
});

const coverageNotice = notice(
	'coverageNotice',
	'Takes 1 request per company name. Finds only companies for which the service knows at least one person.',
);

const rowsPerSearch = integerParameter({
	displayName: 'Rows per Search',
	name: 'rowsPerSearch',
	type: 'number',
	noDataExpression: true,
	default: 10,
	typeOptions: { minValue: 1, maxValue: LIMITS.pageSize },
	description: `How many people to look at for each company name, up to ${LIMITS.pageSize}. More people may belong to more companies of similar names.`,
});

/** A company to find, and how to search for it. */
interface FindInput extends CompanyInput {
	readonly rowsPerSearch: number;
	readonly requestContext?: IDataObject;
}

/**
 * The business IDs of companies, one row per company, from a search of people by company name (contract: Fetch
 * prospects). The contract doesn't say how exactly the filter compares names, so the rows decide, and a
 * request has several spellings of its name.
 */
export const find = perBatch({
	resource: 'business',
	value: 'find',
	name: 'Find',
	action: 'Find businesses',
	description:
		'Find business IDs by company name and website. Finds only companies for which the service knows people.',
	parameters: [companyName, website, coverageNotice, simplify],
	options: options(
		'e.g. found, company_website',
		[dropItemsWithoutData],
		[rowsPerSearch, requestContext],
	),
	identifiers: ['business_id'],
	inputs: (values, itemOptions): FindInput[] => [
		{
			...companyInput(values),
			rowsPerSearch: itemOptions.rowsPerSearch,
			requestContext: itemOptions.requestContext,
		},
	],
	groupKey: (input) =>
		JSON.stringify([comparableName(input.companyName), input.rowsPerSearch, input.requestContext]),
	key: (input) => input.companyName,
	maxBatchSize: () => Infinity,
	inputMember: () => 'filters',
	parameterName: companyName.name,
	send: async (client, inputs, skipIf) => {
		const [first] = inputs;
		if (first === undefined) return { value: [] };
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
		return {
			value: inputs.map((_, index) =>
				isUnknown(page)
					? { failure: { ...NO_DATA, correlationId: page.correlationId } }
					: { value: index === 0 ? page : deepCopy(page) },
			),
		};
	},
	rows: (results, values) =>
		results.flatMap(({ input, outcome }) =>
			rowsWithFailure(outcome, (page) => [rowOf(input, page, values.simplify)]),
		),
	wording: { verb: 'Looked up', one: 'company', many: 'companies', empty: 'had no match' },
	hints: notFoundHints,
});

/** @throws UserError for a blank name, or a website that is no web address */
function companyInput(values: {
	readonly companyName: string;
	readonly website: string;
}): CompanyInput {
	if (comparableName(values.companyName) === '') {
		throw parameterError(
			companyName.property,
			'is empty. Fill it in, or remove such rows before this node.',
		);
	}
	if (!isBlank(values.website) && hostOf(values.website) === undefined) {
		throw parameterError(
			website.property,
			'is not a web address such as acme.com. Correct it, or leave it empty.',
			values.website,
		);
	}
	return {
		companyName: values.companyName.normalize('NFC').replace(/\s+/g, ' '),
		website: isBlank(values.website) ? '' : values.website,
	};
}

const NO_DATA: Failure = {
	kind: 'unreadable',
	message:
		"The service's response has no data and doesn't say that there are no matches, so it is unknown whether it has this company. Run the row again.",
};

/** True if a page has no rows although the response reports some, or neither a total nor a miss. */
const isUnknown = ({ rows, totalRows, responseContext }: Page): boolean =>
	rows.length === 0 &&
	totalRows !== 0 &&
	requestStatus({ response_context: responseContext }) !== 'miss';

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
	const response = { total_results: page.totalRows ?? null, data: [...page.rows] };
	return {
		...recordOutput(row, { ...row, ...response }, page.responseContext, simplify),
		repeated: found ? [] : ['company_name', 'company_website'],
		empty: !found,
	};
}

/** What to do about companies that weren't found. */
function notFoundHints(results: ReadonlyArray<BatchResult<FindInput, Page>>): string[] {
	const notFound = results.flatMap(({ input, outcome: { value: page } }) => {
		const { candidates } = page === undefined ? {} : chooseCompany(page.rows, input);
		return page === undefined || candidates === undefined ? [] : [{ page, candidates }];
	});
	if (notFound.length === 0) return [];
	const undecided = notFound.filter(({ candidates }) => candidates.length > 0).length;
	const cut = notFound.filter(({ page }) => (page.totalRows ?? 0) > page.rows.length).length;
	return [
		'Find knows only companies for which the service has people, and names may have to be spelled as the service spells them: Filter Value: Search with the field Company Name shows the spellings.',
		...(undecided > 0
			? [
					`${pluralize(undecided, 'row has', 'rows have')} companies to choose from in candidates: correct the company name, or fill in or correct the website.`,
				]
			: []),
		...(cut > 0
			? [
					`For ${pluralize(cut, 'row')} without a match, more people match than were looked at. To look at more of them, raise Rows per Search under Options > Requests.`,
				]
			: []),
	];
}
