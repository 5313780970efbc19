/** The options that operations share: their saved names, defaults and bounds. */
import {
	batchSize,
	dropRowsWithoutData,
	operationOptions,
} from '../../../nodes/BusinessProspectData/parameters/options';

const { read } = operationOptions('e.g. full_name', [dropRowsWithoutData, batchSize(50)]);

const DEFAULTS = {
	batchSize: undefined,
	dropRowsWithoutData: false,
	fields: [],
	maxConcurrentRequests: 4,
	maxWait: 300,
};

test.each<[saved: object, expected: object]>([
	[{ dropRowsWithoutData: true }, { dropRowsWithoutData: true }],
	// An expression without a value for this row.
	[{ dropRowsWithoutData: null }, {}],
	[{ fields: ' crm_id ,\n match_check\n' }, { fields: ['crm_id', 'match_check'] }],
	[{}, {}],
	// From the limit on, each endpoint has its own.
	[{ batchSize: '49' }, { batchSize: 49 }],
	[{ batchSize: 50 }, {}],
])('reads %j', (saved, expected) => {
	expect(read(saved)).toStrictEqual({ ...DEFAULTS, ...expected });
});

test.each<[name: keyof typeof DEFAULTS, least: number, most: number | undefined]>([
	['batchSize', 1, undefined],
	['maxConcurrentRequests', 1, 50],
	['maxWait', 0, 86_400],
])('%s goes from %d to %d', (name, least, most) => {
	const sent = (value: unknown) => read({ [name]: value })[name];

	expect(sent(least)).toBe(least);
	expect(() => sent(least - 1)).toThrow(`"${least - 1}" must be at least ${least}.`);
	expect(() => sent(1.5)).toThrow('"1.5" is not a whole number.');
	if (most === undefined) return;
	expect(sent(String(most))).toBe(most);
	expect(() => sent(most + 1)).toThrow(`"${most + 1}" must be at most ${most}.`);
});
