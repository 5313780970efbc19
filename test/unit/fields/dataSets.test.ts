/** The columns of each data set, and where their values come from. */
import type { IDataObject } from 'n8n-workflow';
import { BUSINESS_DATA_SETS } from '../../../nodes/BusinessProspectData/catalog/businessDataSets';
import { PROSPECT_RECORDS } from '../../../nodes/BusinessProspectData/catalog/dataSets';
import {
	PROSPECT_RECORD_FIELDS,
	PROSPECT_RECORD_MEMBERS,
} from '../../../nodes/BusinessProspectData/catalog/service';
import { dataSetColumns } from '../../../nodes/BusinessProspectData/fields/columns';
import {
	businessData,
	contacts,
	post,
	profileBulk,
	prospect,
} from '../../sandbox/contract/records';

const ALL_DATA_SETS = [...PROSPECT_RECORDS, ...BUSINESS_DATA_SETS];

/** The contract's record by the data set's saved value. */
const CONTRACT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	...businessData,
	contacts,
	networkPosts: post,
	profile: profileBulk,
	search: prospect,
};

test.each([
	...ALL_DATA_SETS,
	{ value: 'search', fields: PROSPECT_RECORD_FIELDS, members: PROSPECT_RECORD_MEMBERS },
])('$value: all members of the contract, of which at most ten are kept', ({ value, ...set }) => {
	const inContract = Object.keys(CONTRACT[value]?.properties as object);
	// The number of posts is counted.
	const names = [...set.fields, ...set.members].flatMap((field) => {
		if (typeof field === 'string') return field === 'count' ? [] : field;
		return field.from.map((path) => path.split('.')[0]);
	});

	expect(set.fields.length).toBeLessThanOrEqual(10);
	expect([...new Set(names)].sort()).toEqual([...inContract].sort());
});

test.each(ALL_DATA_SETS)('$value: each column has a name of its own', (dataSet) => {
	const { reads } = dataSetColumns(dataSet, true);

	expect(reads.size).toBe(dataSet.fields.length + dataSet.members.length);
});

test('no key of a data set begins like the columns of another', () => {
	const keys = ALL_DATA_SETS.map(({ outputField }) => outputField);

	expect(keys.filter((key) => keys.some((other) => key.startsWith(`${other}_`)))).toEqual([]);
});

/** The columns of a record, without the data set's prefix. */
function columnsOf(name: string, record: unknown): IDataObject {
	const dataSet = ALL_DATA_SETS.find(({ value }) => value === name);
	if (dataSet === undefined) throw new Error(`No data set ${name}`);
	const { reads } = dataSetColumns(dataSet, true);
	return Object.fromEntries(
		[...reads].map(([name, read]) => [name.replace(`${dataSet.outputField}_`, ''), read(record)]),
	);
}

const PERSONAL = { address: 'ada@mailbox.example', type: 'personal' };
const FORMER = { address: 'ada@former.example', type: 'professional' };
const CURRENT = { address: 'ada@acme.example', type: 'current_professional' };

test.each<[record: IDataObject, email: string | null, status: string | null]>([
	[{ professions_email: 'ada@named.example', emails: [CURRENT] }, 'ada@named.example', 'valid'],
	[{ professions_email: null, emails: [PERSONAL, FORMER, CURRENT] }, CURRENT.address, 'valid'],
	[{ professions_email: ' ', emails: [PERSONAL, FORMER] }, FORMER.address, null],
	[{ emails: [PERSONAL] }, null, null],
	[{ professions_email: null, emails: null }, null, null],
	[{ emails: ['x', null, {}] }, null, null],
])('contacts %j: the work email %s has the status %s', (record, email, email_status) => {
	const contact = { ...record, professional_email_status: 'valid' };
	const current = email_status === null ? 'professional' : 'current_professional';
	const email_type = email === null ? null : current;

	expect(columnsOf('contacts', contact)).toMatchObject({ email, email_type, email_status });
});

test('contacts: personal email and phone numbers', () => {
	const phone_numbers = [{ phone_number: '+1444' }, { phone_number: '+1555' }];

	expect(
		columnsOf('contacts', { emails: [CURRENT, PERSONAL], mobile_phone: '+1555', phone_numbers }),
	).toMatchObject({
		personal_email: PERSONAL.address,
		mobile_phone: '+1555',
		phone_number: '+1444',
	});
	expect(columnsOf('contacts', { mobile_phone: '+1555', phone_numbers: [] })).toMatchObject({
		phone_number: '+1555',
	});
});

const TOPIC = { topic: 'A: b', category: 'A', composite_score: 70 };

test.each<[intent_topics: unknown, names: string | null]>([
	[JSON.stringify([TOPIC]), 'A: b'],
	[[TOPIC, { ...TOPIC, topic: 'C: d, e' }], 'A: b; C: d, e'],
	['[]', null],
	[[5], null],
	['[{"topic":"A', null],
])('intent topics %j: %s', (intent_topics, topic_names) => {
	expect(columnsOf('intent', { intent_topics })).toMatchObject({ topic_names });
});

test.each<[count: unknown, topic_count: number | null, topics_evaluated: number | null]>([
	['4 / 12', 4, 12],
	['0/7', 0, 7],
	['4', 4, null],
	[null, null, null],
])('intent topic count %j: %j of %j, with the best of them', (topic_count, count, evaluated) => {
	const topics = [TOPIC, { ...TOPIC, topic: 'Best', composite_score: 90 }, { topic: 'C: d' }];
	const record = { topic_count, intent_topics: JSON.stringify(topics) };

	expect(columnsOf('intent', record)).toMatchObject({
		...{ topic_count: count, topics_evaluated: evaluated },
		...{ top_topic: 'Best', top_score: 90 },
	});
});

test('funding: amounts that are text are numbers', () => {
	const record = { last_funding_round_value_usd: '7000000', ipo_size_usd: 'about 5 million' };

	expect(columnsOf('fundingAndAcquisition', record)).toMatchObject({
		...{ last_round_value_usd: 7_000_000, ipo_size_usd: 'about 5 million' },
	});
});

const NAMED = 'https://network.example/in/ivan-eriksson-4';

test.each([
	['https://network.example/in/ACoAABk2Yx0B-9', NAMED],
	['https://network.example/in/b1432f03cbac811c24d875c7f72be40a/', NAMED],
	[NAMED, 'https://network.example/in/other'],
	['https://network.example/in/ACoAABk2Yx0B-9', null],
])('profile URL %s, or %s', (network, other) => {
	const expected = other === NAMED ? NAMED : network;

	expect(columnsOf('profile', { network, network_url_array: [network, other] })).toMatchObject({
		network: expected,
	});
});

test('network posts: the number, and the newest', () => {
	const posts = ['2026-01-02', '2026-03-01', '2026-02-01'].map((created_at) => ({ created_at }));

	expect(columnsOf('networkPosts', posts)).toMatchObject({ count: 3, created_at: '2026-03-01' });
	expect(columnsOf('networkPosts', null)).toMatchObject({ count: null, created_at: null });
});
