/** Prospect: Enrich. Whether the person found is the one whose details were given. */
import { checkMatch } from '../../../../nodes/BusinessProspectData/identify/matchCheck';
import { DIFFERENT, EMPLOYERS, NOT_RECOGNIZED, SAME } from './matchPairs';

const checkNames = (name: string, full_name: string) =>
	checkMatch({ name, company: null, email: null }, { full_name }).check;

describe.each(SAME)('one person: %s', (_kind, pairs) => {
	test.each(pairs)('%s, %s: %s', (given, found, check) => {
		expect(check).not.toBe('differs');
		expect(checkNames(given, found)).toBe(check);
	});
});

test.each(NOT_RECOGNIZED)('one person whose names share nothing: %s, %s', (given, found, check) => {
	expect(checkNames(given, found)).toBe(check);
});

test.each(DIFFERENT)('two people: %s, %s: %s', (given, found, check) => {
	expect(check).not.toBe('agrees');
	expect(checkNames(given, found)).toBe(check);
});

test.each(EMPLOYERS)('employer: $company $email, $worksAt: $check', (employer) => {
	const { name = null, company = null, email = null, worksAt, workedAt = [], check } = employer;
	const profile = {
		full_name: 'Carla Castro',
		company_name: worksAt[0],
		company_website: worksAt[1],
		experience: workedAt.map(([name, website]) => ({ company: { name, website } })),
	};

	expect(check).not.toBe('differs');
	expect(checkMatch({ name, company, email }, profile)).toEqual({ check, differsIn: [] });
});

test.each([
	['a company that is not found', 'Globex', ['name', 'company']],
	['the company found', 'Acme Inc.', ['name']],
	['no company', null, ['name']],
])('another name, with %s', (_case, company, differsIn) => {
	const profile = { full_name: 'Robert Smith', company_name: 'Acme' };

	expect(checkMatch({ name: 'Carla Castro', company, email: null }, profile)).toEqual({
		check: 'differs',
		differsIn,
	});
});

test('the parts of the name count if the profile has no full name', () => {
	const given = { name: 'Carla Castro', company: null, email: null };

	expect(checkMatch(given, { first_name: 'Carla', last_name: 'Castro' }).check).toBe('agrees');
	expect(checkMatch(given, { full_name: null }).check).toBe('unknown');
	expect(checkMatch(given, {}).check).toBe('unknown');
});

test('nothing to compare', () => {
	const given = { name: null, company: 'Acme', email: null };

	expect(checkMatch(given, { full_name: 'Carla Castro', company_name: 'Acme' })).toEqual({
		check: 'unknown',
		differsIn: [],
	});
});

test('only the beginning of a long text is compared', () => {
	const long = `Carla ${'a'.repeat(300)}`;

	expect(checkNames(`${long} Castro`, `${long} Smith`)).toBe('agrees');
});
