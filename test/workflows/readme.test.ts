/** What README.md and docs/ show is what comes out, and what they name is there. */
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { WATCHED } from '../demo/watched';
import { titleOf } from '../docs/generated';
import { chosen, codeIn, pageOf, sectionOf, stepsOf } from './page';
import { CONTINUE, jsonOf, type Service, startService, withInputFields } from './service';
import { startClock } from './trigger';
import { wayTo } from './ways';

const README = pageOf('README.md');
const [OPERATIONS_PAGE = '', TRIGGER_PAGE = '', ERRORS_PAGE = '', DEMO_PAGE = ''] = [
	...['operations', 'trigger', 'errors', 'demo'].map((name) => pageOf(`docs/${name}.md`)),
];

/** The cells of the rows of all tables in a text, without their heads. */
const rowsIn = (text: string): string[][] =>
	text
		.split('\n')
		.filter((line, at, lines) => /^\| (?!--)/.test(line) && !lines[at + 1]?.startsWith('| --'))
		.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()));

/** The JSON blocks by the names in the markers `<!-- example:<name> -->` before them. */
const SHOWN = new Map(
	[README, OPERATIONS_PAGE, TRIGGER_PAGE, ERRORS_PAGE]
		.flatMap((page) => page.split('<!-- example:').slice(1))
		.map((part): [string, unknown] => [
			part.split(' -->')[0] ?? '',
			JSON.parse(part.split('```json')[1]?.split('```')[0] ?? 'null'),
		]),
);

type Example = (service: Service) => Promise<IDataObject[]>;

const rowsOf =
	(
		node: INodeParameters | ((world: Service['world']) => INodeParameters),
		row: IDataObject = {},
	): Example =>
	async ({ run, world }) => {
		const own = typeof node === 'function' ? node(world) : node;
		return jsonOf((await run(withInputFields(own), [row])).main);
	};

const node = (resource: string, operation: string, more: INodeParameters) => ({
	...{ resource, operation, ...more },
});
/** The steps of the first workflow, with the values that they name. */
const [, FIND_STEP = '', ENRICH_STEP = ''] = stepsOf(README, '## Your first workflow');
const [, limit, level = ''] =
	/\*\*Limit\*\* to (\d+).+\*\*Job Level\*\* and choose \*\*(.+?)\*\*/.exec(FIND_STEP) ?? [];
const filters = { job_level: [{ value: [level.toLowerCase()] }] };
const DIRECTORS = node('prospect', 'getAll', { limit: Number(limit), filters });
const enrichContacts = (prospectIds: string, more: INodeParameters = {}) =>
	node('prospect', 'enrich', { prospectIds, dataSets: ['emails', 'phoneNumbers'], ...more });
const AUTOCOMPLETE = '/v1/businesses/autocomplete';
const COUNTRIES = new URLSearchParams({ field: 'country', query: 'united' });
const parameters = [...COUNTRIES].map(([name, value]) => ({ name, value }));

const EXAMPLES: Readonly<Record<string, Example>> = {
	'first workflow': async ({ run }) => {
		const found = await run(DIRECTORS);
		const [dragged = ''] = codeIn(ENRICH_STEP);
		const [[identifyBy = ''], dataSets] = [
			chosen(ENRICH_STEP, 'identifyBy'),
			chosen(ENRICH_STEP, 'dataSets'),
		];
		const own = enrichContacts(`={{ $json.${dragged} }}`, { identifyBy, dataSets });
		return jsonOf((await run(withInputFields(own), jsonOf(found.main))).main);
	},
	'prospect/match': rowsOf(node('prospect', 'match', { email: '={{ $json.Email }}' }), {
		Email: 'carla.castro.55@silver-analytics.example',
	}),
	'prospect/getAll': rowsOf(DIRECTORS),
	'prospect/enrich': rowsOf((world) => enrichContacts(world.prospectId(WATCHED))),
	'prospect/getEvents': rowsOf((world) => {
		const { entityId: prospectIds } = world.addEvent({ prospect: WATCHED });
		return node('prospect', 'getEvents', { prospectIds });
	}),
	'business/find': rowsOf(node('business', 'find', { companyName: '={{ $json.Account }}' }), {
		Account: 'Silver Analytics',
	}),
	'business/enrich': rowsOf(({ businessId }) => {
		const dataSets = ['fundingAndAcquisition'];
		return node('business', 'enrich', { businessIds: businessId(5), dataSets });
	}),
	'business/getStatistics': rowsOf(
		node('business', 'getStatistics', { filters: { company_size: [{ value: ['51-200'] }] } }),
	),
	'business/getEvents': rowsOf((world) => {
		const { entityId: businessIds } = world.addEvent({ business: 5 });
		return node('business', 'getEvents', { businessIds });
	}),
	'creditUsage/get': rowsOf(
		node('creditUsage', 'get', { fromDate: '2026-11-01', toDate: '2026-11-02' }),
	),
	'filterValue/search': rowsOf(
		node('filterValue', 'search', { field: 'country', query: 'united' }),
	),
	'customApiCall/send': rowsOf(
		node('customApiCall', 'send', { path: AUTOCOMPLETE, queryParameters: { parameters } }),
	),
	estimate: async ({ run, world }) => {
		const more = { dataSets: ['emails'], options: { estimateOnly: true } };
		const items = [1, 2, 1].map((of) => ({ id: world.prospectId(of) }));
		return jsonOf((await run(enrichContacts('={{ $json.id }}', more), items)).main);
	},
	error: async ({ run }) => jsonOf((await run(enrichContacts('abc'), [{}], CONTINUE)).error),
};

/** Without an entry above, an operation's example is the first item of the walk over the contract. */
const exampleOf = (name: string): Example =>
	EXAMPLES[name] ??
	(async ({ run, world }) => {
		const { parameters, items } = wayTo(name);
		return jsonOf((await run(parameters, items?.(world).slice(0, 1))).main);
	});

test('there is an example for each operation, and each is shown', () => {
	const operations = OPERATIONS.map(({ resource, value }) => `${resource}/${value}`);
	const names = new Set([...operations, ...Object.keys(EXAMPLES)]);

	expect([...SHOWN.keys()].sort()).toEqual([...names].sort());
});

test.each([...SHOWN])('the example %s is what comes out', async (name, shown) => {
	const clock = startClock('2026-11-20T12:00:00Z');
	const service = await startService({ now: clock.now, eventsPerDay: 0 });

	const real = await exampleOf(name)(service);

	// A list shows the first rows.
	const part = Array.isArray(shown) ? real.slice(0, Math.max(1, shown.length)) : real[0];
	// As text, so that the order of the fields counts too.
	expect(JSON.stringify(shown, null, 1)).toBe(JSON.stringify(part, null, 1));
});

/** The names of fields, of their options, and of what is inside them. */
const namesIn = (fields: readonly object[]): string[] =>
	fields.flatMap((field) => {
		const { displayName, name, options, values } = field as Record<string, unknown>;
		const inside = [options, values].filter((list) => Array.isArray(list)) as object[][];
		return [String(displayName ?? name), ...inside.flatMap(namesIn)];
	});

const trigger = new BusinessProspectDataTrigger().description;

test.each<[string, string, readonly INodeProperties[]]>([
	...OPERATIONS.map((own): [string, string, readonly INodeProperties[]] => [
		...([`### ${titleOf(own)}`, OPERATIONS_PAGE, own.properties] as const),
	]),
	['## Fields', TRIGGER_PAGE, trigger.properties],
	['## New prospects that match a search', TRIGGER_PAGE, trigger.properties],
])('%s: what is bold, or in a table of fields, is there', (heading, page, properties) => {
	const section = sectionOf(page, heading);
	const bold = [...section.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);
	const fields = page === TRIGGER_PAGE ? rowsIn(section).map(([name]) => name) : bold;

	expect(fields.length).toBeGreaterThan(0);
	// n8n adds the poll times.
	const names = ['Poll Times', ...namesIn(properties)];
	expect(fields.filter((name) => !names.includes(name ?? ''))).toEqual([]);
});

test('the person to watch in the demo is the one to whom something happens there', async () => {
	const { world } = await startService();

	expect(new Set(DEMO_PAGE.match(/[a-f0-9]{40}/g))).toEqual(new Set([world.prospectId(WATCHED)]));
});

test('each message in Troubleshooting is one of the code', () => {
	/** The texts of the code, each template in its pieces. */
	const texts: string[] = [];
	const visit = (part: ts.Node): void => {
		const isText = [ts.isLiteralExpression, ts.isTemplateHead, ts.isTemplateMiddleOrTemplateTail];
		const text = isText.some((is) => is(part)) ? (part as ts.LiteralExpression).text.trim() : '';
		if (text.length > 3) texts.push(text);
		ts.forEachChild(part, visit);
	};
	for (const path of ts.sys.readDirectory('nodes', ['.ts']))
		visit(ts.createSourceFile(path, pageOf(path), ts.ScriptTarget.Latest));
	/** In one text, or where one text follows another, such as the name of a field. */
	const isInCode = (piece: string) =>
		texts.some((text) => text.includes(piece)) ||
		[...piece].some((_, at) => {
			const [first, rest] = [piece.slice(0, at).trim(), piece.slice(at).replace(/^:? /, '')];
			if (first.length < 4 || !texts.some((text) => text.endsWith(first))) return false;
			return texts.some((text) => text.startsWith(rest));
		});
	const messages = rowsIn(sectionOf(ERRORS_PAGE, '## Troubleshooting')).map(([cell = '']) => cell);

	expect(messages.length).toBeGreaterThan(30);
	const unknown = messages.filter((message) => {
		const pieces = message.split(/…|"|\(HTTP|\b\d[\d,]*|[:.)] |[:.)]*$/);
		return pieces.some((piece) => piece.trim().length > 3 && !isInCode(piece.trim()));
	});
	expect(unknown).toEqual([]);
	expect(isInCode('The response is a file or texts')).toBe(false);
});
