import { perBatch } from '../../runtime/operation';
import {
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../runtime/options';
import { recordOutput, type Row, rowsWithFailure } from '../../runtime/output';
import type { Page } from '../../search/page';
import { notice } from '../../runtime/parameters';
import { chooseCompany } from './companyChoice';
import {
	companyName,
	findBatchConfig,
	type FindInput,
	findInput,
	notFoundHints,
	rowsPerSearch,
	website,
} from './companyLookup';

const coverageNotice = notice(
	'coverageNotice',
	'Takes 1 request per company name. Finds only companies for which the service knows at least one person.',
);

/** The business IDs of companies, one row per company (contract: Fetch prospects). */
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
	identifiers: ['business_id'],
	optionalFields: ['candidates'],
	inputs: (values, itemOptions) => [findInput(values, itemOptions)],
	...findBatchConfig,
	rows: (results, values) =>
		results.flatMap(({ input, outcome }) =>
			rowsWithFailure(outcome, (page) => [rowOf(input, page, values.simplify)]),
		),
	wording: { verb: 'Looked up', one: 'company', many: 'companies', empty: 'not found' },
	hints: notFoundHints,
});

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
		repeated: found ? [] : ['company_name', 'company_website'],
		empty: !found,
	};
}
