// The tests that should catch a break in a file: those about it, quickest first.

const unit = (folder, ...names) => names.map((name) => `test/unit/${folder}/${name}.test.ts`);
const workflows = (...names) => names.map((name) => `test/workflows/${name}.test.ts`);
const runs = unit('runtime', 'run.linking', 'run.stop', 'run.hints', 'run.values', 'run.continue');
const polls = unit('trigger', 'pollRun', 'simulation');
const searchPolls = unit('trigger', 'search', 'searchFetch', 'searchPoll', 'searchSimulation');

/** By folder and file below `nodes/BusinessProspectData`. */
export const TESTS = {
	core: {
		casts: [...unit('runtime', 'parameterValues'), 'test/unit/credential.test.ts'],
		collections: unit('core', 'collections'),
		json: unit('core', 'json'),
		outcome: unit('search', 'pages'),
		simplify: unit('core', 'simplify'),
		text: [...unit('core', 'text', 'json'), ...unit('runtime', 'parameters', 'lists', 'report')],
		time: unit('events', 'retention'),
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
		operationError: unit('runtime', 'stoppingError'),
		rateLimiter: unit('api', 'rateLimiter', 'client.create', 'client.rateLimit', 'client.stop'),
		recordRules: [
			...unit('api', 'interpretResponse', 'client.responses'),
			...workflows('oneRecord'),
		],
		responseBody: unit('api', 'responseBody', 'client.responses'),
		responsePolicy: [
			...unit('api', 'interpretResponse', 'client.responses'),
			...workflows('customApiCall'),
		],
		responseRules: unit(
			'api',
			'interpretResponse',
			'client.retries',
			'client.connection',
			'client.responses',
		),
		interpretResponse: [
			...unit('api', 'interpretResponse', 'client.rateLimit', 'client.retries', 'client.responses'),
			...workflows('oneRecord', 'customApiCall'),
		],
		retryAfter: unit('api', 'client.rateLimit', 'rateLimiter', 'client.retries'),
	},
	runtime: {
		batches: [
			...unit('runtime', 'batches', 'invalidInputs', 'invalidInputs.property'),
			...runs,
			...workflows('spending', 'companyNames'),
		],
		dates: [
			...unit('runtime', 'dates'),
			...unit('operations/events', 'window'),
			...unit('trigger', 'settings'),
			...workflows('credits'),
		],
		estimate: [...unit('runtime', 'spending'), ...workflows('spending', 'companyNames')],
		execute: [
			...runs,
			...workflows('tool', 'spending', 'details', 'filters', 'getAllPages', 'find'),
		],
		identify: [...unit('runtime', 'identify'), ...workflows('details', 'companyNames')],
		invalidInputs: unit(
			'runtime',
			'invalidInputs',
			'invalidInputs.property',
			'batches',
			'run.stop',
		),
		itemRows: [...unit('runtime', 'itemRows'), ...runs, ...workflows('details', 'companyNames')],
		lists: [...unit('runtime', 'lists'), ...unit('operations/filters', 'kinds')],
		operation: [...unit('runtime', 'operation', 'run.values'), ...workflows('details')],
		options: [
			...unit('runtime', 'options'),
			'test/unit/texts.test.ts',
			...runs,
			...workflows('simplify'),
		],
		output: [...unit('runtime', 'output'), ...runs, ...workflows('simplify', 'rows', 'tool')],
		guardRun: [...unit('runtime', 'spending'), ...workflows('spending')],
		parameters: unit('runtime', 'parameters'),
		prepare: [...unit('runtime', 'parameterValues'), ...runs, ...workflows('details', 'spending')],
		report: [
			...unit('runtime', 'report', 'missingFields', 'run.hints'),
			...workflows('spending', 'match', 'simplify'),
		],
		sendInputs: [...runs, ...workflows('details', 'spending', 'tool', 'companyNames')],
		spec: unit('runtime', 'operation'),
		spending: [...unit('runtime', 'spending'), ...workflows('spending')],
		stoppingError: unit('runtime', 'stoppingError', 'run.stop'),
		toOutcome: [...unit('runtime', 'batches', 'itemRows'), ...runs],
	},
	events: {
		query: [...unit('events', 'query'), ...workflows('events')],
		rows: [...unit('trigger', 'poll', 'manualTest'), ...workflows('events')],
		types: unit('trigger', 'settings'),
		retention: unit('events', 'retention'),
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
		page: unit('search', 'pages'),
		pageDefects: [...unit('search', 'pages'), ...workflows('getAllPages')],
		pages: [
			...unit('search', 'pages'),
			...workflows('getAllPages'),
			...unit('trigger', 'searchFetch'),
		],
		query: [...unit('trigger', 'searchPoll'), ...workflows('getAllPages', 'getAll')],
		rows: workflows('newProspects'),
	},
	trigger: {
		activation: unit('trigger', 'poll', 'searchPoll'),
		fingerprints: [...unit('trigger', 'checkpoint'), ...polls],
		items: unit('trigger', 'poll', 'searchPoll', 'manualTest'),
		memory: unit('trigger', 'memory', 'pollRun', 'simulation'),
		parameters: unit('trigger', 'settings', 'poll'),
		poll: unit('trigger', 'poll', 'searchPoll'),
		pollClient: unit('trigger', 'poll', 'searchPoll'),
		runner: [...polls, ...unit('trigger', 'searchSimulation')],
	},
	'trigger/events': {
		checkpoint: [...unit('trigger', 'checkpoint'), ...polls],
		fetch: unit('trigger', 'fetch', 'poll'),
		poll: unit('trigger', 'poll', 'manualTest'),
		strategy: [...polls, ...unit('trigger', 'poll')],
		selection: [...unit('trigger', 'selection'), ...polls],
		settings: unit('trigger', 'settings', 'poll'),
	},
	'trigger/search': {
		checkpoint: searchPolls,
		fetch: searchPolls,
		poll: [...unit('trigger', 'searchPoll'), ...workflows('newProspects')],
		strategy: searchPolls,
		selection: searchPolls,
		settings: unit('trigger', 'searchPoll'),
	},
};
