/** What workflows store: names and values never change, and the editor shows what the house rules of n8n ask for. */
import type { INodeProperties } from 'n8n-workflow';
import { BusinessProspectDataTrigger } from '../../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { BUSINESS_DATA_SETS } from '../../../nodes/BusinessProspectData/catalog/businessDataSets';
import { listSearch } from '../../../nodes/BusinessProspectData/methods/listSearch';
import { OPERATIONS, properties } from '../../../nodes/BusinessProspectData/operations/registry';
import { AUTOCOMPLETE_FIELDS } from '../../sandbox/contract/limits';

/** How requests are sent: read from the first row, for all. */
const RUN_WIDE = ['batchSize', 'maxConcurrentRequests', 'maxTries', 'maxWait', 'timeout'];

/** Under Requests, in every operation. */
const SENDING = ['maxConcurrentRequests', 'maxTries', 'maxWait', 'timeout'];

/** What identifies a person. */
const DETAILS = [
	...['email', 'phoneNumber', 'network', 'firstName', 'lastName', 'fullName', 'companyName'],
	'businessId',
];

/** Parameters, and the options and requests of its own, by resource and operation. */
const SAVED: Record<string, { parameters: string[]; options?: string[]; requests?: string[] }> = {
	'prospect match': {
		parameters: [...DETAILS, 'simplify'],
		options: ['dropItemsWithoutData', 'maxRecordsToPay', 'estimateOnly'],
		requests: ['batchSize', 'requestContext'],
	},
	'prospect getAll': {
		parameters: ['returnAll', 'limit', 'countOnly', 'filters', 'exclude', 'simplify'],
		options: ['startPage', 'ignoreEmptyFilters', 'onlyNewProspects'],
		requests: ['requestContext'],
	},
	'prospect enrich': {
		parameters: [
			...['identifyBy', 'prospectIds', ...DETAILS],
			...['dataSets', 'contactTypes', 'simplify'],
		],
		options: ['dropItemsWithoutData', 'maxRecordsToPay', 'estimateOnly'],
		requests: ['batchSize', 'requestMode', 'offlineMode', 'requestContext'],
	},
	'prospect getEvents': {
		parameters: [
			...['identifyBy', 'prospectIds', ...DETAILS],
			...['eventTypes', 'timestampFrom', 'timestampTo', 'simplify'],
		],
		options: ['onlyNewEvents', 'dropItemsWithoutData', 'maxRecordsToPay', 'estimateOnly'],
		requests: ['batchSize', 'requestContext'],
	},
	'business enrich': {
		parameters: [
			...['identifyBy', 'businessIds', 'companyName', 'website'],
			'dataSets',
			'intentTopics',
			'otherIntentTopics',
			'minScore',
			'monthPeriod',
			'simplify',
		],
		options: ['dropItemsWithoutData', 'maxRecordsToPay', 'estimateOnly'],
		requests: ['batchSize', 'rowsPerSearch', 'requestContext'],
	},
	'business find': {
		parameters: ['companyName', 'website', 'simplify'],
		options: ['dropItemsWithoutData'],
		requests: ['rowsPerSearch', 'requestContext'],
	},
	'business getStatistics': {
		parameters: ['filters', 'output'],
		options: ['additionalFilters', 'ignoreEmptyFilters'],
		requests: ['requestContext'],
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
		options: ['onlyNewEvents', 'maxRecordsToPay', 'estimateOnly'],
		requests: ['batchSize', 'requestContext'],
	},
	'eventEnrollment delete': { parameters: ['enrollmentId'], requests: ['requestContext'] },
	'creditUsage get': {
		parameters: ['fromDate', 'toDate', 'mode', 'resolution', 'timezone', 'output'],
		requests: ['requestContext'],
	},
	// Its requests have no body, so there is no place for a request context.
	'filterValue search': { parameters: ['field', 'query', 'semanticSearch'] },
	'customApiCall send': {
		parameters: ['method', 'path', 'queryParameters', 'body', 'output'],
		options: ['safeToRetry'],
	},
};

const operations = OPERATIONS.map(
	(operation) => [`${operation.resource} ${operation.value}`, operation] as const,
);

/** What a collection shows. */
const inside = (all: readonly INodeProperties[], collection: string): INodeProperties[] =>
	(all.find(({ name }) => name === collection)?.options ?? []) as INodeProperties[];
const optionsOf = (all: readonly INodeProperties[]) => inside(all, 'options');
const requestsOf = (all: readonly INodeProperties[]) => inside(optionsOf(all), 'requests');
const namesOf = (all: readonly INodeProperties[]) => all.map(({ name }) => name);

const valuesOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []).map((option) => ('value' in option ? option.value : undefined));

describe.each(operations)('%s', (name, operation) => {
	const own = operation.properties;
	const saved = SAVED[name];

	test('its parameters have their saved names', () => {
		const names = namesOf(own.filter(({ type }) => type !== 'notice'));
		expect(names.filter((property) => property !== 'options').sort()).toEqual(
			[...(saved?.parameters ?? [])].sort(),
		);
	});

	test('its options begin with what everybody uses and end with Requests', () => {
		expect(namesOf(optionsOf(own))).toEqual([
			'fields',
			'includeInputFields',
			...(saved?.options ?? []),
			'requests',
		]);
		expect(namesOf(requestsOf(own)).sort()).toEqual(
			[...SENDING, ...(saved?.requests ?? [])].sort(),
		);
	});

	test('its requests are listed in the order of the alphabet', () => {
		const names = requestsOf(own).map(({ displayName }) => displayName);
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

test('the trigger: its parameters and options have their saved names', () => {
	expect(namesOf(trigger.filter(({ type }) => type !== 'notice'))).toEqual([
		...['triggerOn', 'ids', 'ids', 'filters', 'eventTypes', 'eventTypes', 'otherEventTypes'],
		...['simplify', 'options'],
	]);
	expect(namesOf(optionsOf(trigger))).toEqual([
		'startFrom',
		'lookBackHours',
		'maxProspects',
		'requests',
	]);
	expect(namesOf(requestsOf(trigger)).sort()).toEqual(
		[...SENDING, 'requestContext', 'requestsPerPoll'].sort(),
	);
	const [triggerOn] = trigger.filter(({ name }) => name === 'triggerOn');
	// n8n lists an entry for each option of a field of this label.
	expect(triggerOn?.displayName).toBe('Trigger On');
	expect(valuesOf(triggerOn)).toEqual(['businessEvent', 'newProspect', 'prospectEvent']);
	expect(triggerOn?.default).toBe('prospectEvent');
});

test('notices are never saved', () => {
	const notices = [...properties, ...trigger].filter(({ type }) => type === 'notice');
	expect(notices.map(({ default: initial, required: required }) => [initial, required])).toEqual(
		notices.map(() => ['', undefined]),
	);
	expect(notices.length).toBeGreaterThanOrEqual(5);
});

test.each([
	...operations.map(([name, operation]) => [name, operation.properties] as const),
	['the trigger', trigger] as const,
])('%s: what holds for the whole run is no expression of a row', (_name, own) => {
	const holding = requestsOf(own).filter(({ name }) => RUN_WIDE.includes(name));
	expect(holding.length).toBeGreaterThanOrEqual(4);
	expect(holding.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
});

const ownOf = (operation: string) =>
	OPERATIONS.find(({ resource, value }) => `${resource} ${value}` === operation)?.properties ?? [];
/** The parameters that an operation shows for a choice in Identify By. */
const shownWith = (operation: string, value: string) =>
	namesOf(
		ownOf(operation).filter(({ displayOptions }) =>
			displayOptions?.show?.identifyBy?.includes(value),
		),
	);
const of = (operation: string, name: string) =>
	ownOf(operation).find((property) => property.name === name);

test.each<[operation: string, parameter: string, values: unknown[], initial: unknown]>([
	['prospect enrich', 'identifyBy', ['prospectId', 'personDetails'], 'prospectId'],
	['prospect enrich', 'dataSets', ['contacts', 'networkPosts', 'profile'], ['profile']],
	['prospect enrich', 'contactTypes', ['email', 'phone'], ['email', 'phone']],
	['prospect enrich', 'requestMode', ['batched', 'single'], 'batched'],
	['prospect getEvents', 'identifyBy', ['prospectId', 'personDetails'], 'prospectId'],
	['business enrich', 'identifyBy', ['businessId', 'companyName'], 'businessId'],
	['customApiCall send', 'method', ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'], 'GET'],
	['customApiCall send', 'output', ['rows', 'summary'], 'rows'],
])(
	'%s: the values of %s that are saved, and the default',
	(operation, parameter, values, initial) => {
		const own = ownOf(operation);
		const property = [...own, ...requestsOf(own)].find(({ name }) => name === parameter);

		expect([valuesOf(property).sort(), property?.default]).toEqual([[...values].sort(), initial]);
	},
);

test.each(['prospect enrich', 'prospect getEvents'])('%s: who is identified how', (operation) => {
	expect(shownWith(operation, 'prospectId')).toEqual(['prospectIds']);
	expect(shownWith(operation, 'personDetails').sort()).toEqual(
		['detailsNotice', ...DETAILS].sort(),
	);
	// Without details, events have no rows without data.
	const hidden = operation === 'prospect getEvents' ? ['dropItemsWithoutData'] : [];
	for (const option of ['dropItemsWithoutData', 'maxRecordsToPay', 'estimateOnly']) {
		const { displayOptions } =
			optionsOf(ownOf(operation)).find(({ name }) => name === option) ?? {};
		expect(displayOptions?.show?.['/identifyBy']).toEqual(
			hidden.includes(option) ? ['personDetails'] : undefined,
		);
	}
});

test('business enrich: what is identified how', () => {
	expect(shownWith('business enrich', 'businessId')).toEqual(['businessIds']);
	expect(shownWith('business enrich', 'companyName')).toEqual([
		...['companyName', 'website', 'nameNotice'],
	]);
	const rowsPerSearch = (operation: string) =>
		requestsOf(ownOf(operation)).find(({ name }) => name === 'rowsPerSearch');
	expect(rowsPerSearch('business enrich')?.displayOptions?.show).toEqual({
		'/identifyBy': ['companyName'],
	});
	expect(rowsPerSearch('business find')?.displayOptions?.show?.['/identifyBy']).toBeUndefined();
});

test('Enrich of businesses: the values that are saved, and their keys in the output', () => {
	const keys = Object.fromEntries(
		BUSINESS_DATA_SETS.map(({ value, outputField }) => [value, outputField]),
	);
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

test('Custom API Call: the method is no expression', () => {
	expect(of('customApiCall send', 'method')?.noDataExpression).toBe(true);
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

test('each field of the autocomplete endpoint has a list of its own', () => {
	expect(Object.keys(listSearch).sort()).toEqual(
		AUTOCOMPLETE_FIELDS.map((field) => `search_${field}`).sort(),
	);
});
