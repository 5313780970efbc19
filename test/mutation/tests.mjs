// Which tests are asked whether they notice a break in a file: those that are about it, the quickest first.

const unit = (folder, ...names) => names.map((name) => `test/unit/${folder}/${name}.test.ts`);
const runs = unit('runtime', 'run.linking', 'run.stop', 'run.hints', 'run.values', 'run.continue');
const sweeps = unit('events', 'rules', 'behind', 'simulation');

/** By folder and file below `nodes/BusinessProspectData`. */
export const TESTS = {
	api: {
		client: unit(
			'api',
			'createClient',
			'retries',
			'rateLimit',
			'pace',
			'stopping',
			'secrets',
			'connection',
		),
		credential: unit('api', 'credential'),
		exchange: unit('api', 'exchange', 'retries', 'connection', 'answers'),
		json: unit('api', 'json'),
		outcome: [...unit('api', 'json', 'pages'), ...unit('runtime', 'report')],
		pace: unit('api', 'pace', 'createClient', 'rateLimit', 'stopping'),
		pages: unit('api', 'pages'),
		rows: unit('api', 'rows'),
		unanswered: unit('api', 'verdict', 'retries', 'connection', 'answers'),
		verdict: unit('api', 'verdict', 'rateLimit', 'retries', 'answers'),
		words: [...unit('api', 'words'), ...unit('api', 'answers')],
	},
	runtime: {
		asking: [...unit('runtime', 'asking'), ...runs],
		attempt: [...unit('runtime', 'asking'), ...runs],
		batches: unit('runtime', 'batches', 'isolation', 'isolation.property'),
		blame: unit('runtime', 'blame', 'isolation', 'isolation.property'),
		casts: [...unit('runtime', 'values'), 'test/unit/credential.test.ts'],
		dates: [...unit('runtime', 'dates'), ...unit('operations', 'eventWindow')],
		lists: unit('runtime', 'lists'),
		operation: [...runs, 'test/workflows/others.test.ts'],
		options: [...unit('runtime', 'options'), 'test/unit/texts.test.ts', ...runs],
		output: unit('runtime', 'output'),
		parameters: unit('runtime', 'parameters'),
		report: unit('runtime', 'report'),
		prepare: runs,
		run: [...runs, 'test/workflows/tool.test.ts'],
		tool: [...runs, 'test/workflows/tool.test.ts'],
		values: [...unit('runtime', 'values'), ...runs],
	},
	events: {
		asker: unit('events', 'poll'),
		checkpoint: sweeps,
		eventTypes: unit('events', 'settings'),
		fetch: unit('events', 'query', 'poll'),
		items: unit('events', 'poll', 'sample'),
		memory: unit('events', 'memory', 'behind', 'turn', 'simulation'),
		poll: unit('events', 'poll', 'sample'),
		prints: sweeps,
		query: unit('events', 'query'),
		sample: unit('events', 'sample'),
		selection: sweeps,
		settings: unit('events', 'settings', 'poll'),
		triggerParameters: unit('events', 'settings'),
		turn: [...unit('events', 'turn'), ...sweeps],
		window: [...unit('operations', 'eventWindow'), ...sweeps],
	},
};
