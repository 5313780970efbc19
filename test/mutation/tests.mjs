// Which tests are asked whether they notice a break in a file: those that are about it, the quickest first.

const unit = (folder, ...names) => names.map((name) => `test/unit/${folder}/${name}.test.ts`);
const runs = unit('runtime', 'run.linking', 'run.stop', 'run.hints', 'run.values', 'run.continue');
const polls = unit('trigger', 'pollRun', 'simulation');
const searchPolls = unit('trigger', 'search', 'searchFetch', 'searchPoll', 'searchSimulation');

/** By folder and file below `nodes/BusinessProspectData`. */
export const TESTS = {
	core: {
		collections: unit('core', 'collections'),
		json: unit('core', 'json'),
		outcome: unit('runtime', 'pages'),
		text: unit('core', 'text', 'json'),
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
		casts: [...unit('runtime', 'parameterValues'), 'test/unit/credential.test.ts'],
		dates: [...unit('runtime', 'dates'), ...unit('operations/events', 'window')],
		execute: [...runs, 'test/workflows/tool.test.ts'],
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
		toOutcome: [...unit('runtime', 'batches'), ...runs],
	},
	events: {
		query: [...unit('events', 'query'), 'test/workflows/events.test.ts'],
		rows: [...unit('trigger', 'poll', 'manualTest'), 'test/workflows/events.test.ts'],
		types: unit('trigger', 'settings'),
		window: unit('events', 'window'),
	},
	search: {
		query: [...unit('trigger', 'searchPoll'), 'test/workflows/getAllPages.test.ts'],
		rows: ['test/workflows/newProspects.test.ts'],
	},
	trigger: {
		activation: unit('trigger', 'poll', 'searchPoll'),
		checkpoint: [...unit('trigger', 'checkpoint'), ...polls],
		fetch: unit('trigger', 'fetch', 'poll'),
		fingerprints: [...unit('trigger', 'checkpoint'), ...polls],
		manualTest: unit('trigger', 'manualTest'),
		memory: unit('trigger', 'memory', 'pollRun', 'simulation'),
		poll: unit('trigger', 'poll', 'manualTest'),
		pollClient: unit('trigger', 'poll', 'searchPoll'),
		pollRun: [...polls, ...unit('trigger', 'poll')],
		runner: [...polls, ...unit('trigger', 'searchSimulation')],
		searchCheckpoint: searchPolls,
		searchFetch: searchPolls,
		searchPoll: [...unit('trigger', 'searchPoll'), 'test/workflows/newProspects.test.ts'],
		searchRun: searchPolls,
		searchSelection: searchPolls,
		searchSettings: unit('trigger', 'searchPoll'),
		selection: [...unit('trigger', 'selection'), ...polls],
		settings: unit('trigger', 'settings', 'poll'),
	},
};
