import { BUSINESS_FIELDS } from '../../catalog/businessDataSets';
import { PROSPECT } from '../../catalog/service';
import { perBatch } from '../../run/operation';
import {
	dropsUnmatched,
	operationOptions,
	requestContext,
	rowsWithoutMatch,
	simplify,
} from '../../parameters/options';
import { skipRows } from '../../parameters/skipRows';
import { recordOutput, type Row, rowsWithFailure } from '../../run/output';
import { optionsParameter } from '../../parameters/parameter';
import {
	COMPANY_IDENTIFIERS,
	matchLookup,
	nameNotice,
	nameSearchOptions,
	personParameters,
	shownForName,
} from '../identifyBy';
import { CANDIDATE_FIELDS, candidateFields } from './companyChoice';
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

const CANDIDATES = [...CANDIDATE_FIELDS, 'candidates'];

/** An earlier run's are about another name. */
const replacedFields = ['found_name', 'found_website', ...CANDIDATES];

/** See contract: Fetch prospects and, for emails, Match prospects. */
export const find = perBatch({
	resource: 'business',
	value: 'find',
	name: 'Find',
	action: 'Find businesses',
	description:
		'Find business IDs by company name and website, or by a person who works there. Finds only companies with known people.',
	parameters: [
		identifyBy,
		shownForName(companyName),
		shownForName(website),
		shownForName(nameNotice),
		...personParameters,
		rowsWithoutMatch,
		simplify,
	],
	options: operationOptions(
		'e.g. found, found_website',
		[skipRows],
		[...nameSearchOptions, requestContext],
	),
	requiredFields: ['business_id'],
	optionalFields: [...CANDIDATES, 'input_company_name', 'input_website'],
	keepsInputFields: true,
	fieldsOfId: BUSINESS_FIELDS,
	inputs: (values, itemOptions) => {
		const isByName = values.identifyBy === 'companyName';
		const input = isByName ? nameInput(values, itemOptions) : personInput(values, itemOptions);
		return input === undefined ? [] : [input];
	},
	...findBatchConfig,
	lookup: {
		...matchLookup,
		details: (values, itemOptions) => {
			if (values.identifyBy === 'companyName') return undefined;
			if (values.identifyBy === 'workEmail') return emailQuery(values, itemOptions) ?? 'blank';
			return personInput(values, itemOptions) === undefined ? 'blank' : undefined;
		},
		blank: (values) => blankWording(values.identifyBy),
		dropsUnmatched,
		withId: (values, id) => ({ ...values, prospectId: [id] }),
		unmatchedRow: ({ identifyBy: by }) => notFoundRow(by),
	},
	spendingDisplay: { show: { identifyBy: ['workEmail'] } },
	rows: ([result], values, { includeInputFields = false }) => {
		const isDropped = dropsUnmatched(values);
		if (result === undefined) {
			return [{ ...notFoundRow(values.identifyBy), empty: true, dropped: isDropped }];
		}
		const shape = { simplify: values.simplify, withDetails: !includeInputFields };
		return rowsWithFailure(result.outcome, (page) => {
			const row = rowOf(result.input, page, shape);
			return [{ ...row, dropped: row.empty && isDropped }];
		});
	},
	wording: { done: 'found', empty: 'not found', blank: blankWording('companyName') },
	hints: notFoundHints,
});

/** The row of a blank item, or of a person without a match. */
const notFoundRow = (by: CompanyIdentifier) => ({
	json: {
		found_name: null,
		found_website: null,
		found: false,
		...(by !== 'companyName' && { [PROSPECT.idField]: null }),
		business_id: null,
	},
	replacedFields,
});

interface RowShape {
	readonly simplify: boolean;
	/** True if the row repeats the name and the website that were looked up. */
	readonly withDetails: boolean;
}

function rowOf(input: FindInput, page: CompanyPage, { simplify, withDetails }: RowShape) {
	const { company, candidates = [] } = companyOf(page, input);
	const details =
		'prospectId' in input
			? {}
			: { input_company_name: input.companyName, input_website: input.website || null };
	const found = {
		found_name: company?.company_name ?? null,
		found_website: company?.company_website ?? null,
		found: company !== undefined,
		...(withDetails && details),
	};
	const ids = {
		...('prospectId' in input && { [PROSPECT.idField]: input.prospectId }),
		business_id: company?.business_id ?? null,
	};
	const simplified = { ...found, ...candidateFields(candidates), ...ids };
	const raw = () => ({
		...found,
		candidates: [...candidates],
		...ids,
		total_results: page.totalRows ?? null,
		data: [...page.rows],
	});
	const { json, allFields } = recordOutput(simplified, raw, page.responseContext, simplify);
	return {
		json,
		allFields: () => ({ ...details, ...allFields() }),
		replacedFields,
		empty: company === undefined,
	} satisfies Row;
}
