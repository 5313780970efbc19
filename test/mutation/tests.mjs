// Which tests are asked whether they notice a break in a file: those that are about it, the quickest first.

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
		text: unit('core', 'text', 'json'),
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
		responseBody: unit('api', 'responseBody', 'client.responses'),
		responseRules: unit(
			'api',
			'responses',
			'client.retries',
			'client.connection',
			'client.responses',
		),
		responses: unit('api', 'responses', 'client.rateLimit', 'client.retries', 'client.responses'),
		retryAfter: unit('api', 'client.rateLimit', 'rateLimiter', 'client.retries'),
	},
	runtime: {
		batches: unit('runtime', 'batches', 'invalidInputs', 'invalidInputs.property'),
		bulkRows: unit('runtime', 'bulkRows'),
		dates: [...unit('runtime', 'dates'), ...unit('operations/events', 'window')],
		execute: [...runs, 'test/workflows/tool.test.ts'],
		fields: runs,
		identify: ['test/workflows/details.test.ts'],
		invalidInputs: unit('runtime', 'invalidInputs', 'invalidInputs.property', 'batches'),
		lists: unit('runtime', 'lists'),
		operation: unit('runtime', 'operation', 'run.values'),
		options: [...unit('runtime', 'options'), 'test/unit/texts.test.ts', ...runs],
		output: [...unit('runtime', 'output'), ...runs],
		pageDefects: unit('runtime', 'pages'),
		pages: unit('runtime', 'pages'),
		parameterValues: [...unit('runtime', 'parameterValues'), ...runs],
		parameters: unit('runtime', 'parameters'),
		report: unit('runtime', 'report', 'run.hints'),
		spec: unit('runtime', 'operation'),
		stoppingError: unit('runtime', 'run.stop'),
		toOutcome: [...unit('runtime', 'batches'), ...runs],
	},
	events: {
		query: [...unit('events', 'query'), 'test/workflows/events.test.ts'],
		rows: [...unit('trigger', 'poll', 'manualTest'), 'test/workflows/events.test.ts'],
		types: unit('trigger', 'settings'),
		window: unit('events', 'window'),
	},
	filters: {
		autocompleteValues: [...unit('operations/filters', 'kinds'), 'test/harness/listSearch.test.ts'],
		collection: [
			...unit('operations/filters', 'kinds', 'editor'),
			'test/workflows/filters.test.ts',
		],
		kinds: [...unit('operations/filters', 'kinds', 'editor'), 'test/workflows/filters.test.ts'],
		searchFilters: unit('operations/filters', 'editor'),
	},
	search: {
		query: [...unit('trigger', 'searchPoll'), 'test/workflows/getAllPages.test.ts'],
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
