import { BUSINESS, PROSPECT } from '../../catalog/service';
import { perLookup } from '../../run/operation';
import { dropRowsWithoutData, rowOptions, simplify } from '../../parameters/options';
import {
	type ColumnSet,
	FOUND,
	FOUND_COMPANY,
	idSet,
	layoutCache,
	memberOf,
	type Records,
	RESPONSE_CONTEXT,
} from '../../fields/columns';
import { optionsParameter } from '../../parameters/parameter';
import {
	COMPANY_DETAILS,
	COMPANY_IDENTIFIERS,
	companyParameters,
	companyRecords,
	candidatesSet,
} from '../../identify/identifyBy';
import { type FoundCompany, notFoundAdvice, companyLookup } from '../../identify/companySearch';

const identifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'companyName',
	options: [...COMPANY_IDENTIFIERS],
	description: 'How you identify the companies: by name, or by a person who works there',
});

/** Repeats what was looked up, unless the input row has it. */
const INPUT: ColumnSet = {
	source: 'input',
	shown: ['input_company_name', 'input_website'],
	reads: new Map([
		['input_company_name', memberOf('companyName')],
		['input_website', (input) => memberOf('website')(input) || null],
	]),
};
const PAGE: ColumnSet = {
	source: 'page',
	shown: ['total_results', 'data'],
	reads: new Map([
		['total_results', memberOf('totalRows')],
		['data', memberOf('rows')],
	]),
	isOfRun: true,
};

const layoutFor = layoutCache((byName: boolean, isSimple: boolean, hasInput: boolean) => {
	return {
		sets: [
			FOUND,
			FOUND_COMPANY,
			candidatesSet(isSimple),
			...(byName && !hasInput ? [INPUT] : []),
			...(byName ? [] : [idSet(PROSPECT)]),
			idSet(BUSINESS),
			...(isSimple ? [] : [PAGE, RESPONSE_CONTEXT]),
		],
	};
});

/** See contract: Fetch prospects and, for emails, Match prospects. */
export const find = perLookup({
	resource: 'business',
	value: 'find',
	name: 'Find',
	action: 'Find businesses',
	description:
		'Find business IDs by company name and website, or by a person who works there. Finds only companies with known people.',
	parameters: [identifyBy, ...companyParameters, simplify],
	options: rowOptions('e.g. found, found_website', [dropRowsWithoutData]),
	layout: ({ identifyBy: by, simplify: isSimple }, { includeInputFields = false }) =>
		layoutFor(by === 'companyName', isSimple, includeInputFields),
	canRemember: true,
	lookup: {
		idField: BUSINESS.idField,
		detailNames: COMPANY_DETAILS,
		matchedField: 'found',
		lookupOf: companyLookup,
		records: findRecords,
		advice: notFoundAdvice,
	},
	wording: { done: 'found', unmatched: 'not found' },
});

function findRecords(_values: object, resolved?: FoundCompany): Records {
	const { company, search } = resolved ?? {};
	const { page, input } = search ?? {};
	return {
		...companyRecords(resolved),
		company,
		[BUSINESS.idField]: company?.business_id,
		input,
		[PROSPECT.idField]: input !== undefined && 'prospectId' in input ? input.prospectId : undefined,
		page,
		responseContext: page?.responseContext,
	};
}
