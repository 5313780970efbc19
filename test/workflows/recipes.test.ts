/** docs/recipes.md, and what README.md says to do with a list, carried out with the values that the page names. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { typeNameOf } from '../harness/workflow';
import { mobilePhone, professionalEmail } from '../sandbox/world/prospect-data';
import { type Example, startExamples } from './example';
import { chosen, codeIn, pageOf, stepsOf, turnedOn } from './page';
import { startService } from './service';

const recipe = (heading: string) => stepsOf(pageOf('docs/recipes.md'), `## ${heading}`);

const node = (name: string, type: string, parameters: object, more: object = {}): INode => ({
	...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0] },
	...{ parameters: parameters as INodeParameters, ...more },
});
const own = (name: string, operation: string, parameters: object, more: object = {}): INode => ({
	...node(name, '', { resource: 'prospect', operation, ...parameters }, more),
	type: typeNameOf(new BusinessProspectData()),
	credentials: { businessProspectDataApi: { id: '1', name: 'Mine' } },
});
const setFields = (name: string, fields: Array<[name: string, value: string, type?: string]>) => {
	const assignments = fields.map(([field, value, type = 'string']) => ({
		...{ id: field, name: field, value: `=${value}`, type },
	}));
	return node(name, 'set', { assignments: { assignments }, includeOtherFields: true });
};
type Condition = [expression: string, operation: string, rightValue?: string];
const conditions = (all: Condition[]) => ({
	conditions: {
		conditions: all.map(([expression, operation, rightValue = '']) => ({
			...{ leftValue: `=${expression}`, rightValue, operator: { operation } },
		})),
	},
});
const fill = (yourColumn: string, value: string) => ({ values: [{ yourColumn, value }] });
const errorOutput = { onError: 'continueErrorOutput' };
const PERSON = {
	identifyBy: 'personDetails',
	fullName: '={{ $json.name }}',
	companyName: '={{ $json.company }}',
};

/** @param links the targets on each output of a node; `name#1` is its second input */
function workflowOf(nodes: INode[], links: Record<string, string[][]>): Example {
	const connections = Object.entries(links).map(([name, outputs]) => {
		const main = outputs.map((targets) =>
			targets.map((target) => {
				const [to = '', index = 0] = target.split('#');
				return { node: to, type: 'main' as const, index: Number(index) };
			}),
		);
		return [name, { main }] as const;
	});
	const rows = node('Rows', 'manualTrigger', {});
	return { name: 'Recipe', nodes: [rows, ...nodes], connections: Object.fromEntries(connections) };
}

async function start() {
	const service = await startService({ eventsPerDay: 0 });
	const examples = startExamples(service);
	const { world } = service;
	return {
		...service,
		personOf(index: number) {
			const person = world.person(index);
			const company = world.company(person.company);
			const email = professionalEmail(person, company);
			return { ...person, company, email: email ?? '', phone: mobilePhone(person) };
		},
		rowOf(index: number) {
			const { fullName: name, company } = world.person(index);
			return { name, company: world.company(company).name, email: '' };
		},
		async run(example: Example, rows: IDataObject[]) {
			service.log.clear();
			examples.surroundings.triggered = rows;
			const result = await examples.run('recipe', 'Rows', { example });
			expect(result.failure).toBe('');
			return result;
		},
	};
}

const STRANGER = { name: 'Nobody Known', company: 'Nowhere', email: '' };

test('README: a list gets emails in its own column, and a second run pays nothing', async () => {
	const { run, log, rowOf, personOf } = await start();
	const [, text = ''] = pageOf('README.md').split('Already have a list?');
	const [paragraph] = text.split('\n');
	const [table = '', column = '', value = '', fields = ''] = codeIn(paragraph);
	const options = { fillColumns: fill(column, value), fields };
	const parameters = { ...PERSON, email: `={{ $json.${column} }}`, dataSets: ['emails'] };
	const enrich = own('Enrich', 'enrich', { ...parameters, rememberIn: table, options });
	const example = workflowOf([enrich], { Rows: [['Enrich']] });
	const list = [0, 1, 2].map((index) => ({ id: index, ...rowOf(index) }));

	const first = (await run(example, list)).rows('Enrich');
	const second = (
		await run(
			example,
			list.map((row, at) => ({ ...row, ...first[at] })),
		)
	).rows('Enrich');

	expect(first).toEqual([0, 1, 2].map((id) => ({ id, email: personOf(id).email })));
	expect(second).toEqual(first);
	expect(log.entries).toEqual([]);
});

test("Don't pay twice: another run, and another workflow, take what one has bought", async () => {
	const { run, log, rowOf } = await start();
	const [remember] = recipe("Don't pay twice, and go on where it stopped");
	const [rememberIn] = codeIn(remember);
	const enrich = own('Enrich', 'enrich', { ...PERSON, dataSets: ['profile'], rememberIn });
	const match = own('Match', 'match', { ...PERSON, rememberIn });
	const rows = [0, 1].map(rowOf);

	await run(workflowOf([enrich], { Rows: [['Enrich']] }), rows);
	const again = await run(workflowOf([match], { Rows: [['Match']] }), rows);

	expect(again.hints('Match')).toContain('2 remembered, 0 bought, 0 requests');
	expect(log.entries).toEqual([]);
});

test('Leave it running: what happened is said, and rows that were not found are left out', async () => {
	const { run, rowOf, fault } = await start();
	const [message, , , drop] = recipe('Leave it running');
	const [expression = ''] = codeIn(message);
	const [column = ''] = codeIn(drop);
	const { options } = turnedOn(drop);
	const enrich = own(
		'Enrich',
		'enrich',
		{ ...PERSON, dataSets: ['profile'], options },
		errorOutput,
	);
	const example = workflowOf([enrich, setFields('Tell', [['text', expression]])], {
		...{ Rows: [['Enrich']], Enrich: [[], ['Tell']] },
	});

	const found = (await run(example, [rowOf(0), STRANGER])).rows('Enrich');
	expect(found.map((row) => row[column])).toEqual([expect.stringMatching(/^[a-f0-9]{40}$/)]);

	fault({ do: { kind: 'status', status: 401 } });
	expect((await run(example, [rowOf(1)])).rows('Tell')).toMatchObject([
		{ text: expect.stringContaining('API key') },
	]);
});

test('Three people per company: nobody twice, and companies without a person are seen', async () => {
	const { run, personOf } = await start();
	const [columns, search, doubles, unseen] = recipe('Three people per company');
	const [idColumn = '', roleColumn = ''] = codeIn(columns);
	const [limit, businessIds = '', title = ''] = codeIn(search);
	const [fieldsToCompare] = codeIn(doubles);
	const [fieldsToMatchString] = codeIn(unseen);
	const filters = {
		business_id: [{ value: `=${businessIds}` }],
		job_title: [{ value: { __rl: true, mode: 'value', value: `=${title}` } }],
	};
	const find = { limit: Number(limit), filters, ...turnedOn(search) };
	const example = workflowOf(
		[
			own('Get Many', 'getAll', find, errorOutput),
			node('Remove Duplicates', 'removeDuplicates', { fieldsToCompare }),
			node('Merge', 'merge', { fieldsToMatchString }),
		],
		{ Rows: [['Get Many', 'Merge']], 'Get Many': [['Remove Duplicates', 'Merge#1']] },
	);
	const { company, position, id } = personOf(0);
	const rows = [position.title, position.title.toLowerCase(), 'Head of Nothing'].map(
		(role, at) => ({
			...{ [idColumn]: company.id, [roleColumn]: role, account: `A${at}` },
		}),
	);

	const { rows: rowsOf } = await run(example, [...rows, { [idColumn]: '', [roleColumn]: 'CEO' }]);

	const people = rowsOf('Remove Duplicates');
	expect(people).toContainEqual(expect.objectContaining({ prospect_id: id, account: 'A0' }));
	expect(new Set(people.map((row) => row.prospect_id)).size).toBe(people.length);
	expect(people.length).toBeLessThanOrEqual(3);
	expect(rowsOf('Merge').map((row) => row[roleColumn])).toEqual(['Head of Nothing', 'CEO']);
});

test('Ask a second provider: only for those without an email', async () => {
	const { run, rowOf, personOf } = await start();
	const [filling, ask] = recipe('Ask a second provider');
	const [column = '', value = ''] = codeIn(filling);
	const [expression = ''] = codeIn(ask);
	const options = { fillColumns: fill(column, value) };
	const example = workflowOf(
		[
			own('Enrich', 'enrich', { ...PERSON, dataSets: ['emails'], options }, errorOutput),
			node('If', 'if', conditions([[expression, 'notEmpty']])),
			...['CRM', 'Other provider'].map((name) => node(name, 'noOp', {})),
		],
		{ Rows: [['Enrich']], Enrich: [['If']], If: [['CRM'], ['Other provider']] },
	);
	const mine = { ...STRANGER, email: 'mine@own.example' };

	const { rows } = await run(example, [rowOf(0), STRANGER, mine]);

	expect(rows('CRM').map(({ email }) => email)).toEqual([personOf(0).email, mine.email]);
	expect(rows('Other provider')).toMatchObject([STRANGER]);
});

test('Only verified emails: of the right person', async () => {
	const { run, rowOf, personOf } = await start();
	const [verified, right] = recipe('Only verified emails');
	const [status = '', valid] = codeIn(verified);
	const [check = '', agrees] = codeIn(right);
	const dataSets = [verified, right].flatMap((step) => chosen(step, 'dataSets'));
	const all: Condition[] = [
		[status, 'equals', valid],
		[check, 'equals', agrees],
	];
	const example = workflowOf(
		[
			own('Enrich', 'enrich', { ...PERSON, email: '={{ $json.email }}', dataSets }),
			node('Filter', 'filter', conditions(all)),
		],
		{ Rows: [['Enrich']], Enrich: [['Filter']] },
	);
	const rows = Array.from({ length: 12 }, (_, index) => rowOf(index));
	const other = { name: 'Zoe Zimmer', company: '', email: personOf(0).email };

	const { rows: rowsOf } = await run(example, [...rows, other]);

	const kept = rowsOf('Filter');
	expect(kept.length).toBeGreaterThan(0);
	expect(kept.length).toBeLessThan(rows.length);
	expect(kept.map(({ name }) => name)).not.toContain(other.name);
	for (const row of kept) expect(row.contacts_email_status).toBe('valid');
});

test('Score: those who fit come first, and a lead who is not found goes to a person', async () => {
	const { run, rowOf, personOf } = await start();
	const [profile, found, size, points] = recipe('Score');
	const [fields] = codeIn(profile);
	const [matched = '', check = '', differs] = codeIn(found);
	const [prospectId = ''] = codeIn(size);
	const [column = '', score = ''] = codeIn(points);
	const filters = {
		prospect_id: [{ value: `=${prospectId}` }],
		company_size: [{ value: ['201-500', '501-1000', '1001-5000'] }],
	};
	const dataSets = chosen(profile, 'dataSets');
	const isFound = conditions([
		[matched, 'true'],
		[check, 'notEquals', differs],
	]);
	const example = workflowOf(
		[
			own('Enrich', 'enrich', { ...PERSON, dataSets, options: { fields } }),
			node('If', 'if', isFound),
			own('Get Many', 'getAll', { filters, ...turnedOn(size) }),
			setFields('Score', [[column, score, 'number']]),
			node('A person', 'noOp', {}),
		],
		{
			...{ Rows: [['Enrich']], Enrich: [['If']] },
			...{ If: [['Get Many'], ['A person']], 'Get Many': [['Score']] },
		},
	);
	const people = Array.from({ length: 40 }, (_, index) => index);

	const { rows } = await run(example, [...people.map(rowOf), STRANGER]);

	const scores = rows('Score').map((row) => Number(row[column]));
	expect(scores).toEqual(
		people.map((index) => {
			const { position, place, company } = personOf(index);
			const fits = filters.company_size[0]?.value.includes(company.size);
			return (
				(position.level === 'director' ? 40 : 0) +
				(place.country === 'Germany' ? 30 : 0) +
				(fits ? 30 : 0)
			);
		}),
	);
	expect(Math.max(...scores)).toBeGreaterThan(30);
	expect(rows('A person')).toHaveLength(1);
});
