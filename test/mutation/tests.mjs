// The tests that should catch a break in a file: those about it, quickest first.

const unit = (folder, ...names) => names.map((name) => `test/unit/${folder}/${name}.test.ts`);
const runs = unit('runtime', 'run.linking', 'run.stop', 'run.hints', 'run.values', 'run.continue');
const polls = unit('trigger', 'pollRun', 'simulation');
const searchPolls = unit('trigger', 'search', 'searchFetch', 'searchPoll', 'searchSimulation');

/** By folder and file below `nodes/BusinessProspectData`. */
export const TESTS = {
	core: {
		casts: [...unit('runtime', 'parameterValues'), 'test/unit/credential.test.ts'],
		collections: unit('core', 'collections'),
		json: unit('core', 'json'),
		outcome: unit('runtime', 'pages'),
		simplify: unit('core', 'simplify'),
		text: [...unit('core', 'text', 'json'), ...unit('runtime', 'parameters', 'lists', 'report')],
		time: unit('events', 'window'),
	},
	api: {
		blocklist: [...unit('api', 'client.stop'), 'test/workflows/oneRecord.test.ts'],
		client: unit(
			'api',
			'client.create',
			'client.retries',
			'client.rateLimit',
			'rateLimiter',
			'client.stop',
			'client.redact',
			'client.connection',
		),
		credential: [...unit('api', 'credential'), 'test/unit/credential.test.ts'],
		httpRequest: unit(
			'api',
			'httpRequest',
			'client.retries',
			'client.connection',
			'client.responses',
		),
		rateLimiter: unit('api', 'rateLimiter', 'client.create', 'client.rateLimit', 'client.stop'),
		recordRules: [
			...unit('api', 'responses', 'client.responses'),
			'test/workflows/oneRecord.test.ts',
		],
		responseBody: unit('api', 'responseBody', 'client.responses'),
		responsePolicy: [
			...unit('api', 'responses', 'client.responses'),
			'test/workflows/customApiCall.test.ts',
		],
		responseRules: unit(
			'api',
			'responses',
			'client.retries',
			'client.connection',
			'client.responses',
		),
		responses: [
			...unit('api', 'responses', 'client.rateLimit', 'client.retries', 'client.responses'),
			'test/workflows/oneRecord.test.ts',
			'test/workflows/customApiCall.test.ts',
		],
		retryAfter: unit('api', 'client.rateLimit', 'rateLimiter', 'client.retries'),
	},
	runtime: {
		batches: [
			...unit('runtime', 'batches', 'invalidInputs', 'invalidInputs.property'),
			...runs,
			'test/workflows/spending.test.ts',
		],
		dates: [
			...unit('runtime', 'dates'),
			...unit('operations/events', 'window'),
			...unit('trigger', 'settings'),
			'test/workflows/credits.test.ts',
		],
		estimate: [...unit('runtime', 'spending'), 'test/workflows/spending.test.ts'],
		execute: [
			...runs,
			'test/workflows/tool.test.ts',
			'test/workflows/spending.test.ts',
			'test/workflows/details.test.ts',
		],
		fields: [...unit('runtime', 'output'), ...runs, 'test/workflows/simplify.test.ts'],
		identify: [
			...unit('runtime', 'identify'),
			'test/workflows/details.test.ts',
			'test/workflows/companyNames.test.ts',
		],
		invalidInputs: unit('runtime', 'invalidInputs', 'invalidInputs.property', 'batches'),
		itemRows: [...runs, 'test/workflows/details.test.ts', 'test/workflows/companyNames.test.ts'],
		lists: [...unit('runtime', 'lists'), ...unit('operations/filters', 'kinds')],
		operation: [...unit('runtime', 'operation', 'run.values'), 'test/workflows/details.test.ts'],
		options: [
			...unit('runtime', 'options'),
			'test/unit/texts.test.ts',
			...runs,
			'test/workflows/simplify.test.ts',
		],
		output: [
			...unit('runtime', 'output'),
			...runs,
			'test/workflows/simplify.test.ts',
			'test/workflows/rows.test.ts',
			'test/workflows/tool.test.ts',
		],
		page: unit('runtime', 'pages'),
		pageDefects: [...unit('runtime', 'pages'), 'test/workflows/getAllPages.test.ts'],
		missingFields: [
			...unit('runtime', 'missingFields'),
			...runs,
			'test/workflows/simplify.test.ts',
		],
		nodeSettings: [...unit('runtime', 'run.stop', 'run.continue'), 'test/workflows/tool.test.ts'],
		pages: [
			...unit('runtime', 'pages'),
			'test/workflows/getAllPages.test.ts',
			...unit('trigger', 'searchFetch'),
		],
		paidRecords: [...unit('runtime', 'spending'), 'test/workflows/spending.test.ts'],
		parameterValues: [...unit('runtime', 'parameterValues'), ...runs],
		parameters: unit('runtime', 'parameters'),
		prepare: [...runs, 'test/workflows/details.test.ts'],
		report: [
			...unit('runtime', 'report', 'run.hints'),
			'test/workflows/spending.test.ts',
			'test/workflows/match.test.ts',
		],
		sendInputs: [
			...runs,
			'test/workflows/details.test.ts',
			'test/workflows/spending.test.ts',
			'test/workflows/tool.test.ts',
		],
		spec: unit('runtime', 'operation'),
		spending: [...unit('runtime', 'spending'), 'test/workflows/spending.test.ts'],
		stoppingError: unit('runtime', 'stoppingError', 'run.stop'),
		toOutcome: [...unit('runtime', 'batches'), ...runs],
	},
	events: {
		query: [...unit('events', 'query'), 'test/workflows/events.test.ts'],
		rows: [...unit('trigger', 'poll', 'manualTest'), 'test/workflows/events.test.ts'],
		types: unit('trigger', 'settings'),
		window: unit('events', 'window'),
	},
	filters: {
		autocomplete: ['test/harness/listSearch.test.ts', 'test/workflows/others.test.ts'],
		autocompleteValues: ['test/workflows/filters.test.ts', 'test/workflows/business.test.ts'],
		collection: [
			...unit('operations/filters', 'kinds', 'editor'),
			'test/workflows/filters.test.ts',
		],
		kinds: [...unit('operations/filters', 'kinds', 'editor'), 'test/workflows/filters.test.ts'],
		searchFilters: unit('operations/filters', 'editor'),
	},
	search: {
		query: [
			...unit('trigger', 'searchPoll'),
			'test/workflows/getAllPages.test.ts',
			'test/workflows/getAll.test.ts',
		],
		rows: ['test/workflows/newProspects.test.ts'],
	},
	trigger: {
		activation: unit('trigger', 'poll', 'searchPoll'),
		fingerprints: [...unit('trigger', 'checkpoint'), ...polls],
		memory: unit('trigger', 'memory', 'pollRun', 'simulation'),
		parameters: unit('trigger', 'settings', 'poll'),
		poll: unit('trigger', 'poll', 'searchPoll'),
		pollClient: unit('trigger', 'poll', 'searchPoll'),
		runner: [...polls, ...unit('trigger', 'searchSimulation')],
		triggerOn: unit('trigger', 'settings', 'poll'),
	},
	'trigger/events': {
		checkpoint: [...unit('trigger', 'checkpoint'), ...polls],
		fetch: unit('trigger', 'fetch', 'poll'),
		manualTest: unit('trigger', 'manualTest'),
		poll: unit('trigger', 'poll', 'manualTest'),
		run: [...polls, ...unit('trigger', 'poll')],
		selection: [...unit('trigger', 'selection'), ...polls],
		settings: unit('trigger', 'settings', 'poll'),
	},
	'trigger/search': {
		checkpoint: searchPolls,
		fetch: searchPolls,
		poll: [...unit('trigger', 'searchPoll'), 'test/workflows/newProspects.test.ts'],
		run: searchPolls,
		selection: searchPolls,
		settings: unit('trigger', 'searchPoll'),
	},
};
