/** What workflows store: names and values never change, and the editor shows what the house rules of n8n ask for. */
import type { INodeProperties } from 'n8n-workflow';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { BUSINESS_DATA_SETS } from '../../../nodes/BusinessProspectData/catalog/dataSets';
import { listSearch } from '../../../nodes/BusinessProspectData/methods/listSearch';
import { OPERATIONS, properties } from '../../../nodes/BusinessProspectData/operations/registry';

const SHARED = [
	'batchSize',
	'dropItemsWithoutData',
	'fields',
	'includeInputFields',
	'maxConcurrentRequests',
	'maxTries',
	'maxWait',
	'timeout',
];

/** How requests are sent: read from the first row, for all. */
const RUN_WIDE = ['batchSize', 'maxConcurrentRequests', 'maxTries', 'maxWait', 'timeout'];

/** Parameters, and the options of its own, by resource and operation. */
const SAVED: Record<string, { parameters: string[]; options?: string[] }> = {
	'prospect match': {
		parameters: [
			'email',
			'phoneNumber',
			'fullName',
			'companyName',
			'network',
			'businessId',
			'simplify',
		],
		options: ['requestContext'],
	},
	'prospect getAll': {
		parameters: ['returnAll', 'limit', 'countOnly', 'filters', 'exclude', 'simplify'],
		options: ['ignoreEmptyFilters', 'requestContext', 'startPage'],
	},
	'prospect enrich': {
		parameters: ['prospectIds', 'dataSets', 'contactTypes', 'simplify'],
		options: ['requestMode', 'offlineMode', 'requestContext'],
	},
	'prospect getEvents': {
		parameters: ['prospectIds', 'eventTypes', 'timestampFrom', 'timestampTo', 'simplify'],
		options: ['onlyNewEvents', 'requestContext'],
	},
	'business enrich': {
		parameters: ['businessIds', 'dataSets', 'intentTopics', 'minScore', 'monthPeriod', 'simplify'],
		options: ['requestContext'],
	},
	'business getStatistics': {
		parameters: ['filters', 'output'],
		options: ['additionalFilters', 'ignoreEmptyFilters', 'requestContext'],
	},
	'business getEvents': {
		parameters: [
			'businessIds',
			'eventTypes',
			'otherEventTypes',
			'timestampFrom',
			'timestampTo',
			'simplify',
		],
		options: ['onlyNewEvents', 'requestContext'],
	},
	'eventEnrollment delete': { parameters: ['enrollmentId'], options: ['requestContext'] },
	'creditUsage get': {
		parameters: ['fromDate', 'toDate', 'mode', 'resolution', 'timezone', 'output'],
		options: ['requestContext'],
	},
	// Its requests have no body, so there is no place for a request context (seen to fail: with that option).
	'filterValue search': { parameters: ['field', 'query', 'semanticSearch'] },
};

const operations = OPERATIONS.map(
	(operation) => [`${operation.resource} ${operation.value}`, operation] as const,
);

const optionsOf = (all: readonly INodeProperties[]): INodeProperties[] =>
	(all.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[];

const valuesOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []).map((option) => ('value' in option ? option.value : undefined));

describe.each(operations)('%s', (name, operation) => {
	const own = operation.properties;
	const saved = SAVED[name];

	test('its parameters have their saved names', () => {
		const names = own.map((property) => property.name);
		expect(names.filter((property) => property !== 'options').sort()).toEqual(
			[...(saved?.parameters ?? [])].sort(),
		);
	});

	test('its options are the shared ones and its own', () => {
		const names = optionsOf(own).map((option) => option.name);
		expect(names.filter((option) => !SHARED.includes(option)).sort()).toEqual(
			[...(saved?.options ?? [])].sort(),
		);
		expect(new Set(names).size).toBe(names.length);
	});

	test('its options are listed in the order of the alphabet', () => {
		const names = optionsOf(own).map(({ displayName }) => displayName);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	test('it shows its parameters, and nothing else shows them', () => {
		const shown = properties.filter(({ displayOptions }) => {
			const { resource, operation: value } = displayOptions?.show ?? {};
			return resource?.includes(operation.resource) && value?.includes(operation.value);
		});
		expect(shown.map((property) => property.name)).toEqual(own.map((property) => property.name));
		shown.forEach((property, at) => {
			expect(property.displayOptions?.show).toMatchObject(own[at]?.displayOptions?.show ?? {});
		});
	});
});

test('resource and operation cannot be expressions, and name all that there is', () => {
	const [resource] = properties.filter(({ name }) => name === 'resource');
	expect(resource?.noDataExpression).toBe(true);
	for (const chosen of valuesOf(resource)) {
		const [operation] = properties.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(chosen as string),
		);
		expect(operation?.noDataExpression).toBe(true);
		const own = OPERATIONS.filter((candidate) => candidate.resource === chosen);
		expect(valuesOf(operation)).toEqual(own.map(({ value }) => value));
		expect(valuesOf(operation)).toContain(operation?.default);
	}
});

const trigger = new BusinessProspectDataTrigger().description.properties;

test.each([
	...operations.map(([name, operation]) => [name, operation.properties] as const),
	['the trigger', trigger] as const,
])('%s: options that hold for the whole run are no expressions of a row', (_name, own) => {
	const holding = optionsOf(own).filter(({ name }) => RUN_WIDE.includes(name));
	expect(holding.length).toBeGreaterThanOrEqual(4);
	expect(holding.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
});

const of = (operation: string, name: string) =>
	OPERATIONS.find(({ resource, value }) => `${resource} ${value}` === operation)?.properties.find(
		(property) => property.name === name,
	);

test('Enrich: the values that are saved', () => {
	expect(valuesOf(of('prospect enrich', 'dataSets'))?.sort()).toEqual([
		'contacts',
		'networkPosts',
		'profile',
	]);
	expect(of('prospect enrich', 'dataSets')?.default).toEqual(['profile']);
	expect(valuesOf(of('prospect enrich', 'contactTypes'))).toEqual(['email', 'phone']);
	expect(of('prospect enrich', 'contactTypes')?.default).toEqual(['email', 'phone']);
	const added = (of('prospect enrich', 'options')?.options ?? []) as INodeProperties[];
	const mode = added.find(({ name }) => name === 'requestMode');
	expect([valuesOf(mode), mode?.default]).toEqual([['batched', 'single'], 'batched']);
});

test('Enrich of businesses: the values that are saved, and their keys in the output', () => {
	const keys = Object.fromEntries(BUSINESS_DATA_SETS.map(({ value, key }) => [value, key]));
	expect(keys).toEqual({
		businessChallenges: 'business_challenges',
		companyHierarchy: 'company_hierarchy',
		competitiveLandscape: 'competitive_landscape',
		employeeRatings: 'employee_ratings',
		fundingAndAcquisition: 'funding_and_acquisition',
		intent: 'intent',
		strategy: 'strategy',
		technologyStack: 'technology_stack',
		websiteTraffic: 'website_traffic',
		workforceTrends: 'workforce_trends',
	});
	const names = BUSINESS_DATA_SETS.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

test('Enrich: the contact types say what one alone costs, in credits and in requests', () => {
	const { description } = of('prospect enrich', 'contactTypes') ?? {};
	expect(description).toMatch(/email only costs 2 credits per prospect/);
	expect(description).toMatch(/phone only or both cost 5/);
	expect(description).toMatch(/A single type sends one request per prospect instead of one per 50/);
});

test('Get Many: a small limit by default, up to what the service gives', () => {
	expect(of('prospect getAll', 'limit')).toMatchObject({
		default: 50,
		typeOptions: { minValue: 1, maxValue: 60_000 },
	});
	expect(of('prospect getAll', 'returnAll')?.default).toBe(false);
	expect(of('prospect getAll', 'countOnly')?.default).toBe(false);
});

test.each(OPERATIONS.map(({ properties: own, action }) => [action, own] as const))(
	'%s: Simplify, where it is, is on by default',
	(_action, own) => {
		for (const property of own)
			if (property.name === 'simplify') expect(property.default).toBe(true);
	},
);

const FOUND_AS_YOU_TYPE = [
	...['country', 'country_code', 'region_country_code', 'search_category', 'naics_category'],
	...['network_category', 'company_tech_stack_tech', 'company_tech_stack_categories'],
	...['job_title', 'company_size', 'company_revenue', 'number_of_locations', 'company_age'],
	...['job_department', 'job_level', 'city_region_country', 'company_name'],
	...['business_intent_topics', 'city_region'],
];

test('each field of the autocomplete endpoint has a list of its own', () => {
	expect(Object.keys(listSearch).sort()).toEqual(
		FOUND_AS_YOU_TYPE.map((field) => `search_${field}`).sort(),
	);
});
