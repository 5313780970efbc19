import type { IDataObject } from 'n8n-workflow';
import { PROSPECT } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import {
	dropItemsWithoutData,
	operationOptions,
	requestContext,
	simplify,
} from '../../parameters/options';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import { notice, optionsParameter } from '../../parameters/parameter';
import {
	COMPANY_IDENTIFIERS,
	emailLookup,
	nameSearchOptions,
	personParameters,
	shownForName,
} from '../identifyBy';
import {
	blankWording,
	type CompanyIdentifier,
	companyName,
	emailQuery,
	type FindInput,
	nameInput,
	personInput,
	website,
} from './companyParameters';
import { companyOf, type CompanyPage, findBatchConfig, notFoundHints } from './companySearch';

const identifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'companyName',
	options: [...COMPANY_IDENTIFIERS],
	description: 'How you identify the companies: by name, or by a person who works there',
});

const coverageNotice = notice(
	'coverageNotice',
	'Takes 1 request per company name, and up to 2 more if the company is not found. Finds only companies for which the service knows at least one person.',
);

/** See contract: Fetch prospects and, for emails, Match prospects. */
export const find = perBatch({
	resource: 'business',
	value: 'find',
	name: 'Find',
	action: 'Find businesses',
	description:
		'Find business IDs by company name and website, or by a person who works there. Finds only companies for which the service knows people.',
	parameters: [
		identifyBy,
		shownForName(companyName),
		shownForName(website),
		shownForName(coverageNotice),
		...personParameters,
		simplify,
	],
	options: operationOptions(
		'e.g. found, company_website',
		[dropItemsWithoutData],
		[...nameSearchOptions, requestContext],
	),
	requiredFields: ['business_id'],
	optionalFields: ['candidates'],
	inputs: (values, itemOptions) => {
		const isByName = values.identifyBy === 'companyName';
		const input = isByName ? nameInput(values, itemOptions) : personInput(values, itemOptions);
		return input === undefined ? [] : [input];
	},
	...findBatchConfig,
	lookup: {
		...emailLookup,
		details: (values, itemOptions) => {
			if (values.identifyBy === 'companyName') return undefined;
			if (values.identifyBy === 'workEmail') return emailQuery(values, itemOptions) ?? 'blank';
			return personInput(values, itemOptions) === undefined ? 'blank' : undefined;
		},
		blank: (values) => blankWording(values.identifyBy),
		withId: (values, id) => ({ ...values, prospectId: [id] }),
		unmatchedRow: ({ identifyBy: by }) => notFoundRow(by),
	},
	spendingDisplay: { show: { identifyBy: ['workEmail'] } },
	rows: ([result], values) =>
		result === undefined
			? [{ json: notFoundRow(values.identifyBy), empty: true }]
			: rowsWithFailure(result.outcome, (page) => [rowOf(result.input, page, values.simplify)]),
	wording: {
		verb: 'Looked up',
		one: 'company',
		many: 'companies',
		empty: 'not found',
		blank: blankWording('companyName'),
	},
	hints: notFoundHints,
});

/** The row of a blank item, or of a person without a match. */
const notFoundRow = (by: CompanyIdentifier): IDataObject => ({
	business_id: null,
	found: false,
	company_name: null,
	company_website: null,
	...(by !== 'companyName' && { [PROSPECT.idField]: null }),
});

function rowOf(input: FindInput, page: CompanyPage, simplify: boolean): Row {
	const { company, candidates = [] } = companyOf(page, input);
	const found = company !== undefined;
	const { companyName: name = null, website: address = '' } = 'prospectId' in input ? {} : input;
	const row = {
		business_id: company?.business_id ?? null,
		found,
		company_name: found ? company.company_name : name,
		company_website: found ? company.company_website : address || null,
		...('prospectId' in input && { [PROSPECT.idField]: input.prospectId }),
		...(candidates.length > 0 && { candidates: [...candidates] }),
	};
	const raw = () => ({ ...row, total_results: page.totalRows ?? null, data: [...page.rows] });
	return {
		...recordOutput(row, raw, page.responseContext, simplify),
		copiedFromInput: found ? [] : ['company_name', 'company_website'],
		empty: !found,
	};
}
