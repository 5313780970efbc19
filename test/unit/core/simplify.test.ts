/** Which fields a simplified row has, and where their values come from. */
import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_DATA_SETS } from '../../../nodes/BusinessProspectData/catalog/dataSets';
import { PROSPECT_RECORD_FIELDS } from '../../../nodes/BusinessProspectData/catalog/service';
import { simplifyRecord } from '../../../nodes/BusinessProspectData/core/json';
import {
	businessData,
	contacts,
	post,
	profileBulk,
	prospect,
} from '../../sandbox/contract/records';

const ALL_DATA_SETS = [...PROSPECT_DATA_SETS, ...BUSINESS_DATA_SETS];

const simplify = (key: string, record: IDataObject): IDataObject => {
	const { fields = [] } = ALL_DATA_SETS.find((one) => one.outputField === key) ?? {};
	return simplifyRecord(record, fields);
};

/** The contract's record by the data set's saved value. */
const CONTRACT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	...businessData,
	contacts,
	networkPosts: post,
	profile: profileBulk,
	search: prospect,
};

const TABLE = [
	...ALL_DATA_SETS.map(({ value, fields }) => ({ value, fields })),
	{ value: 'search', fields: PROSPECT_RECORD_FIELDS },
];

test.each(TABLE)('$value: fields of the contract, at most ten', ({ value, fields }) => {
	const inContract = Object.keys(CONTRACT[value]?.properties as object);
	const same = fields.filter((field) => typeof field === 'string');
	const derived = fields.flatMap((field) => (typeof field === 'string' ? [] : [field.name]));
	const sources = fields.flatMap((field) => {
		if (typeof field === 'string') return [];
		if ('first' in field) return field.first.map(({ path }) => path);
		return 'joined' in field ? [field.joined.path] : [field.list];
	});

	expect(new Set([...same, ...derived]).size).toBe(fields.length);
	expect(fields.length).toBeLessThanOrEqual(10);
	expect(same.filter((name) => !inContract.includes(name))).toEqual([]);
	expect(sources.filter((path) => !inContract.includes(path.split('.')[0] ?? ''))).toEqual([]);
	// With the name of a raw field, it would have two shapes.
	expect(derived.filter((name) => inContract.includes(name))).toEqual([]);
});

test('no key of a data set begins like the fields of another', () => {
	const keys = ALL_DATA_SETS.map(({ outputField }) => outputField);

	expect(keys.filter((key) => keys.some((other) => key.startsWith(`${other}_`)))).toEqual([]);
});

test('people are found with the fields that a sales list begins with', () => {
	const person = {
		skills: ['x'],
		first_name: 'Ada',
		professional_email_hashed: 'h',
		city: 'c',
	};

	expect(Object.entries(simplifyRecord(person, PROSPECT_RECORD_FIELDS))).toEqual([
		['first_name', 'Ada'],
		['last_name', null],
		['job_title', null],
		['company_name', null],
		['company_website', null],
		['job_level_main', null],
		['country_name', null],
		['network', null],
		['business_id', null],
		['prospect_id', null],
	]);
});

const PERSONAL = { address: 'ada@mailbox.example', type: 'personal' };
const FORMER = { address: 'ada@former.example', type: 'professional' };
const CURRENT = { address: 'ada@acme.example', type: 'current_professional' };

test.each<[string, IDataObject, string | null, string | null]>([
	[
		'the current professional one',
		{ professions_email: 'ada@named.example', emails: [PERSONAL, FORMER, CURRENT] },
		'ada@named.example',
		'ada@mailbox.example',
	],
	[
		'the current professional one of the list',
		{ professions_email: null, emails: [PERSONAL, FORMER, CURRENT] },
		'ada@acme.example',
		'ada@mailbox.example',
	],
	[
		'else a professional one',
		{ professions_email: ' ', emails: [PERSONAL, FORMER] },
		'ada@former.example',
		'ada@mailbox.example',
	],
	['else the first', { emails: [PERSONAL] }, 'ada@mailbox.example', 'ada@mailbox.example'],
	['else none', { professions_email: null, emails: null }, null, null],
	['none in an empty list', { emails: [] }, null, null],
	['none in a list of something else', { emails: ['x', null, {}] }, null, null],
])('email: %s', (_case, record, email, personal) => {
	expect(simplify('contacts', record)).toMatchObject({ email, personal_email: personal });
});

test('contacts: status and phone numbers', () => {
	const numbers = [{ phone_number: '+1444' }, { phone_number: '+1555' }];
	const both = {
		professions_email: 'ada@acme.example',
		professional_email_status: 'valid',
		mobile_phone: '+1555',
		phone_numbers: numbers,
	};

	expect(Object.entries(simplify('contacts', both))).toEqual([
		['email', 'ada@acme.example'],
		['email_status', 'valid'],
		['personal_email', null],
		['mobile_phone', '+1555'],
		['phone_number', '+1444'],
	]);
	expect(simplify('contacts', { mobile_phone: '+1555', phone_numbers: [] })).toMatchObject({
		phone_number: '+1555',
	});
});

test.each<[string, IDataObject, string | null]>([
	['professions_email', { professions_email: 'ada@named.example', emails: null }, 'invalid'],
	['a current professional address', { emails: [PERSONAL, CURRENT] }, 'invalid'],
	['a former address', { professions_email: null, emails: [PERSONAL, FORMER] }, null],
	['a personal address', { professions_email: ' ', emails: [PERSONAL] }, null],
	['no address', { professions_email: null, emails: [] }, null],
])('email_status beside %s', (_case, record, status) => {
	const contacts = { ...record, professional_email_status: 'invalid' };

	expect(simplify('contacts', contacts)).toMatchObject({ email_status: status });
});

const TOPIC = { topic: 'A: b', category: 'A', composite_score: 70, date: '20261116' };

test.each<[string, unknown, unknown, string | null]>([
	['JSON text', JSON.stringify([TOPIC]), [{ topic: 'A: b', score: 70 }], 'A: b'],
	[
		'a list',
		[TOPIC, { ...TOPIC, topic: 'C: d, e' }],
		[
			{ topic: 'A: b', score: 70 },
			{ topic: 'C: d, e', score: 70 },
		],
		'A: b; C: d, e',
	],
	['text of an empty list', '[]', [], null],
	['a topic without a score', '[{"topic":"A: b"}]', [{ topic: 'A: b', score: null }], 'A: b'],
	['null', null, null, null],
	['missing', undefined, null, null],
	['a list of something else', '[5]', [5], null],
	['text that is not JSON', 'see the portal', 'see the portal', null],
	['text that is cut off', '[{"topic":"A', '[{"topic":"A', null],
	['empty text', '', '', null],
])('intent topics: %s', (_case, intent_topics, topics, names) => {
	const record = { intent_topics, level_of_intent: 'Active Research' } as IDataObject;

	expect(simplify('intent', record)).toMatchObject({
		topics,
		topic_names: names,
		level_of_intent: 'Active Research',
	});
});

test('names are joined with semicolons, since company names have commas', () => {
	expect(
		simplify('funding_and_acquisition', { investors: ['Oak Fund, LLC', 'Polar'] }),
	).toMatchObject({ investor_names: 'Oak Fund, LLC; Polar' });
	expect(
		simplify('company_hierarchy', { subsidiaries: [{ id: '1', name: 'Acme, Inc.' }, { id: '2' }] }),
	).toMatchObject({ subsidiary_names: 'Acme, Inc.' });
});
