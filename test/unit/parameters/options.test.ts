/** The options that operations share: their saved names, defaults and bounds. */
import {
	batchSize,
	checkFields,
	dropItemsWithoutData,
	operationOptions,
	optionsWithRequests,
	requestContext,
} from '../../../nodes/BusinessProspectData/parameters/options';

const all = operationOptions(
	'e.g. full_name',
	[dropItemsWithoutData],
	[batchSize(50), requestContext],
);

const sent = (requests: object) => all.read({ requests });

const DEFAULTS = {
	batchSize: undefined,
	dropItemsWithoutData: false,
	fields: [],
	maxConcurrentRequests: 4,
	maxTries: 5,
	maxWait: 300,
	requestContext: undefined,
	timeout: 120,
};

test('every shared option has its saved name and a default', () => {
	expect(all.read({})).toStrictEqual(DEFAULTS);
	const shown = (all.property.options ?? []).map(({ name }) => name);
	expect(shown).toEqual(['fields', 'dropItemsWithoutData', 'requests']);
});

test.each([
	[{ dropItemsWithoutData: true }, true],
	[{ dropItemsWithoutData: false }, false],
	// An expression without a value for this row.
	[{ dropItemsWithoutData: null }, false],
])('a yes or no is on only if it is added and on: %j', (saved, expected) => {
	expect(all.read(saved).dropItemsWithoutData).toBe(expected);
	expect(all.property.options?.[1]).toMatchObject({ default: true });
});

test('how requests are sent is saved under Requests, and only there', () => {
	expect(all.read({ requests: { timeout: 9, requestContext: '{"a":1}' } })).toStrictEqual({
		...DEFAULTS,
		timeout: 9,
		requestContext: { a: 1 },
	});
	expect(all.read({ timeout: 9, requests: '' })).toStrictEqual(DEFAULTS);
});

test.each([
	['maxConcurrentRequests', 1, 50],
	['maxTries', 1, 20],
	['maxWait', 0, 86_400],
	['timeout', 1, 3_600],
] as const)('%s goes from %d to %d', (name, least, most) => {
	expect(sent({ [name]: least })[name]).toBe(least);
	expect(sent({ [name]: String(most) })[name]).toBe(most);
	expect(() => sent({ [name]: least - 1 })).toThrow(`"${least - 1}" must be at least ${least}.`);
	expect(() => sent({ [name]: most + 1 })).toThrow(`"${most + 1}" must be at most ${most}.`);
	expect(() => sent({ [name]: 1.5 })).toThrow('"1.5" is not a whole number.');
});

test('Batch Size is at least 1; from the limit on, each endpoint has its own', () => {
	const events = operationOptions('e.g. full_name', [], [batchSize(40)]);
	const sized = (size: unknown) => events.read({ requests: { batchSize: size } }).batchSize;
	expect(events.read({}).batchSize).toBeUndefined();
	expect([1, '39', '40', 41, 1e9].map(sized)).toEqual([1, 39, undefined, undefined, undefined]);
	expect(() => sized(0)).toThrow('"0" must be at least 1.');
	expect(() => sized(1.5)).toThrow('"1.5" is not a whole number.');
});

test('Fields are separated by commas or lines', () => {
	const { fields } = all.read({ fields: ' prospect_id ,\n profile.job_title\n' });

	expect(fields).toEqual(['prospect_id', 'profile.job_title']);
});

test('Batch Size tells the limit of the endpoint', () => {
	expect(batchSize(40).property).toMatchObject({
		displayName: 'Batch Size',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: 40 },
		description: expect.stringContaining('up to 40'),
	});
});

test('Requests is the last option, with a collection of its own', () => {
	const { property } = optionsWithRequests([dropItemsWithoutData], [requestContext]);
	const texts = { displayName: 'Options', placeholder: 'Add option' };

	expect(property).toMatchObject({ name: 'options', type: 'collection', ...texts });
	expect(property.options).toEqual([
		dropItemsWithoutData.property,
		expect.objectContaining({
			displayName: 'Requests',
			name: 'requests',
			placeholder: 'Add setting',
			description: expect.stringMatching(/^How requests are sent/),
			options: [requestContext.property],
		}),
	]);
});

test('names in Fields are fields of the rows, or inside one', () => {
	const known = ['full_name', 'contacts'];

	expect(() => checkFields([], known)).not.toThrow();
	expect(() => checkFields(['full_name', 'contacts.email'], known)).not.toThrow();
	expect(() => checkFields(['full_name', 'email.contacts'], known)).toThrow(
		'Fields: "email.contacts" is not a field of these rows. They have: full_name, contacts. Use a dot to reach into one of them.',
	);
});
