// The tests that should catch a break in a file: those about it, quickest first.

const unit = (folder, ...names) => names.map((name) => `test/unit/${folder}/${name}.test.ts`);
const workflows = (...names) => names.map((name) => `test/workflows/${name}.test.ts`);
const runs = unit('run', 'run.rows', 'run.stop', 'run.hints', 'run.continue');
const polls = unit('trigger', 'pollRun', 'simulation');
const searchPolls = unit('trigger', 'search', 'searchFetch', 'searchPoll', 'searchSimulation');

/** By folder and file below `nodes/BusinessProspectData`. */
export const TESTS = {
	core: {
		casts: [...unit('parameters', 'parameterValues'), 'test/unit/credential.test.ts'],
		collections: [
			...unit('run', 'batches', 'invalidInputs', 'spending'),
			...unit('trigger', 'search'),
		],
		json: unit('core', 'json', 'simplify'),
		outcome: unit('search', 'pages'),
		text: [
			...unit('core', 'text', 'json'),
			...unit('parameters', 'parameters', 'lists'),
			...unit('run', 'report'),
			...unit('operations/prospect', 'person', 'matchResult'),
			...workflows('find'),
		],
	},
	api: {
		blocklist: [...unit('api', 'client.stop'), ...workflows('oneRecord')],
		client: unit(
			'api',
			'client.create',
			'client.retries',
			'client.rateLimit',
			'rateLimiter',
			'client.stop',
			'client.connection',
		),
		credential: [...unit('api', 'credential'), 'test/unit/credential.test.ts'],
		httpRequest: unit('api', 'httpRequest', 'client.retries', 'client.connection'),
		errors: [...unit('run', 'batches', 'itemRows'), ...runs],
		rateLimiter: unit(
			'api',
			'rateLimiter',
			'client.create',
			'client.rateLimit',
			'client.stop',
			'client.retries',
		),
		responseBody: [
			...unit('api', 'responseBody', 'interpretResponse'),
			...workflows('statistics', 'credits', 'others'),
		],
		recordErrors: [...unit('api', 'interpretResponse'), ...workflows('oneRecord')],
		responseRules: unit('api', 'interpretResponse', 'client.retries', 'client.connection'),
		interpretResponse: [
			...unit('api', 'interpretResponse', 'client.rateLimit', 'client.retries'),
			...workflows('oneRecord', 'customApiCall'),
		],
	},
	parameters: {
		dates: [
			...unit('parameters', 'dates'),
			...unit('operations', 'events'),
			...unit('trigger', 'settings'),
			...workflows('credits'),
		],
		lists: [...unit('parameters', 'lists'), ...unit('operations/filters', 'kinds')],
		options: [
			...unit('parameters', 'options'),
			...unit('run', 'spending'),
			'test/unit/texts.test.ts',
			...runs,
			...workflows('simplify'),
		],
		parameter: unit('parameters', 'parameters'),
		read: unit('parameters', 'parameterValues'),
	},
	run: {
		batches: [
			...unit('run', 'batches', 'invalidInputs', 'invalidInputs.property'),
			...runs,
			...workflows('spending', 'companyNames'),
		],
		execute: [
			...unit('run', 'itemRows', 'stoppingError'),
			...runs,
			...workflows('tool', 'spending', 'details', 'filters', 'getAllPages', 'find', 'companyNames'),
		],
		invalidInputs: unit('run', 'invalidInputs', 'invalidInputs.property', 'batches', 'run.stop'),
		operation: [...unit('run', 'run.rows'), ...workflows('details', 'statistics')],
		output: [
			...unit('run', 'output'),
			...runs,
			...workflows('simplify', 'rows', 'tool', 'statistics'),
		],
		spending: [...unit('run', 'spending'), ...workflows('spending', 'companyNames')],
		prepare: [
			...unit('parameters', 'parameterValues'),
			...runs,
			...workflows('details', 'spending'),
		],
		report: [
			...unit('run', 'report', 'missingFields'),
			...runs,
			...workflows('spending', 'match', 'simplify'),
		],
		lookup: [...unit('run', 'lookup'), ...runs, ...workflows('details', 'companyNames')],
		send: [
			...unit('run', 'lookup'),
			...runs,
			...workflows('details', 'spending', 'tool', 'companyNames'),
		],
		spec: unit('run', 'run.rows'),
	},
	events: {
		query: [
			...unit('events', 'query', 'retention'),
			...unit('trigger', 'settings', 'poll', 'manualTest'),
			...workflows('events', 'simplify', 'details'),
		],
	},
	filters: {
		autocomplete: [
			'test/harness/listSearch.test.ts',
			...workflows('others', 'filters', 'business'),
		],
		collection: [...unit('operations/filters', 'kinds', 'editor'), ...workflows('filters')],
		kinds: [...unit('operations/filters', 'kinds', 'editor'), ...workflows('filters')],
	},
	search: {
		page: [
			...unit('search', 'pages'),
			...unit('trigger', 'searchPoll'),
			...workflows('getAllPages', 'getAll', 'newProspects'),
		],
		pageDefects: [...unit('search', 'pages'), ...workflows('getAllPages')],
		pages: [
			...unit('search', 'pages'),
			...workflows('getAllPages'),
			...unit('trigger', 'searchFetch'),
		],
	},
	trigger: {
		fingerprints: [...unit('trigger', 'checkpoint', 'selection', 'search'), ...polls],
		memory: [
			...unit('trigger', 'memory'),
			...polls,
			...unit('trigger', 'poll', 'searchPoll'),
			...workflows('newProspects'),
		],
		parameters: unit('trigger', 'settings', 'poll'),
		poll: unit('trigger', 'poll', 'searchPoll', 'manualTest'),
		runner: [...polls, ...unit('trigger', 'searchSimulation', 'poll', 'searchPoll', 'manualTest')],
	},
	'trigger/events': {
		fetch: unit('trigger', 'fetch', 'poll', 'manualTest'),
		poll: [...unit('trigger', 'settings', 'poll', 'manualTest'), ...polls, ...workflows('trigger')],
		state: [...unit('trigger', 'checkpoint', 'selection', 'manyEvents'), ...polls],
	},
	'trigger/search': {
		fetch: [...searchPolls, ...workflows('newProspects')],
		poll: [...searchPolls, ...workflows('newProspects')],
		state: searchPolls,
	},
};
