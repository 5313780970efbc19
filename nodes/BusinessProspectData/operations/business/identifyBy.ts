import { BUSINESS, BUSINESS_ID_FORMAT } from '../../catalog/service';
import type { Page } from '../../search/query';
import { notice, optionsParameter, type Parameter, type ValuesOf } from '../../runtime/parameters';
import { businessIds, shownFor } from '../parameters';
import { chooseCompany, companyKey } from './companyChoice';
import {
	companyName,
	findBatchConfig,
	type FindInput,
	findInput,
	notFoundHints,
	rowsPerSearch as rowsPerSearchOfFind,
	website,
} from './find';

const identifyBy = optionsParameter({
	displayName: 'Identify By',
	name: 'identifyBy',
	type: 'options',
	noDataExpression: true,
	default: 'businessId',
	options: [
		{ name: 'Business ID', value: 'businessId', description: 'IDs from Find or Get Many' },
		{ name: 'Company Name', value: 'companyName', description: 'Company name and website' },
	],
	description:
		'How you identify the businesses: by their business IDs, or by company names that are looked up first',
});

const nameNotice = notice(
	'nameNotice',
	"Companies are found first, which takes 1 request per company name; those that aren't found cost nothing further. Finds only companies for which the service knows at least one person.",
);

const forName = <Shown extends Parameter>(parameter: Shown, path: string = identifyBy.name) =>
	shownFor('companyName', parameter, path);

/** Business IDs, or the name and website of a company as Find takes them. */
export const businessParameters = [
	identifyBy,
	shownFor('businessId', businessIds, identifyBy.name),
	forName(companyName),
	forName(website),
	forName(nameNotice),
] as const;

/** Shown only with Company Name. */
export const rowsPerSearch = forName(rowsPerSearchOfFind, `/${identifyBy.name}`);

/** How an item with a company name gets its business ID: as in Find. */
export const identifyBusiness = {
	idField: BUSINESS.idField,
	idFormat: BUSINESS_ID_FORMAT,
	flagField: 'found',
	unmatchedFields: ['candidates'],
	details: (
		values: ValuesOf<typeof businessParameters>,
		options: Pick<FindInput, 'rowsPerSearch' | 'requestContext'>,
	): FindInput | undefined =>
		values.identifyBy === 'companyName' ? findInput(values, options) : undefined,
	batches: findBatchConfig,
	// Items with the same company name share a search, but their websites may identify different companies.
	placeholder: companyKey,
	resolve: (page: Page, input: FindInput) => {
		const { company, candidates } = chooseCompany(page.rows, input);
		return { id: company?.business_id ?? null, candidates };
	},
	withId: <Values extends ValuesOf<typeof businessParameters>>(values: Values, id: string) => ({
		...values,
		businessIds: [id],
	}),
	hints: notFoundHints,
};
