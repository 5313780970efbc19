/** What cells of CRMs, spreadsheets and forms are read as. */
import {
	areBothNothing,
	type CellKind,
	COMPANY_NAME,
	EMAIL,
	isNothing,
	PERSON_NAME,
	PHONE,
	PROFILE_URL,
	readCell,
	WEBSITE,
} from '../../../nodes/BusinessProspectData/parameters/cells';

/** The cell is read as empty. */
const NOTHING = Symbol('nothing');
/** The cell is left out, and a hint quotes it. */
const OTHER = Symbol('other');

const outcomeOf = (raw: unknown, kind: CellKind) => {
	const { value, ignored } = readCell(raw, kind);
	if (ignored !== undefined) expect(value).toBeNull();
	return ignored !== undefined ? OTHER : (value ?? NOTHING);
};

type Table = ReadonlyArray<
	readonly [raw: unknown, outcome: string | typeof NOTHING | typeof OTHER]
>;

function check(kind: CellKind, table: Table) {
	const read = table.map(([raw]) => [raw, outcomeOf(raw, kind)]);
	expect(read).toEqual(table);
}

const all = <Outcome>(outcome: Outcome, cells: readonly unknown[]) =>
	cells.map((cell) => [cell, outcome] as const);

/** Nothing in every cell. */
const NEVER = [
	...['', ' ', '\t\r\n', '\u00a0', '\u200b', '\ufeff', '&nbsp;', '\ufffd', '\ud83d'],
	...['n/a', 'N/A', 'n.a.', 'N.A.', 'n/a.', '(n/a)', '"N/A"', "'n/a", ' n/a ', 'N/A N/A', 'ｎ/ａ'],
	...[
		'#N/A',
		'#n/a',
		'#REF!',
		'#VALUE!',
		'#ERROR!',
		'#NAME?',
		'#DIV/0!',
		'#NULL!',
		'#NUM!',
		'#SPILL!',
	],
	...[
		'-',
		'--',
		'---',
		'–',
		'—',
		'−',
		'?',
		'???',
		'.',
		'...',
		'…',
		'*',
		'/',
		'_',
		'~',
		"'",
		'""',
		'=""',
	],
	...[
		'()',
		'[]',
		'{}',
		'<>',
		'✗',
		'0',
		'(0)',
		0,
		Number.NaN,
		null,
		undefined,
		false,
		[],
		[[]],
		[''],
	],
	...[
		'(none)',
		'[None]',
		'<null>',
		'(Null)',
		'(blank)',
		'(BLANK)',
		'[blank]',
		'(unknown)',
		'(empty)',
	],
	...[
		'null null',
		'None None',
		'undefined',
		'undefined undefined',
		'Undefined',
		'NIL',
		'nil',
		'NaN',
	],
	...['tbd', 'TBD', 'TBD.', '[not provided]', 'not provided', 'Not Provided', 'not available'],
	...['Not Available', 'not applicable', 'Not specified', '[object Object]', ['n/a', '-', null]],
];

/** Nothing in all cells but those of names. */
const NAMES_TOO = [
	'na',
	'NA',
	'Na',
	'none',
	'None',
	'NONE',
	'null',
	'NULL',
	'Null',
	'"null"',
	'none.',
];

test.each([
	['email', EMAIL],
	['phone', PHONE],
	['profile', PROFILE_URL],
	['website', WEBSITE],
])('nothing in the cell of a contact: %s', (_name, kind) => {
	check(kind, all(NOTHING, [...NEVER, ...NAMES_TOO]));
	check(
		kind,
		all(NOTHING, ['unknown', 'Unknown', 'UNKNOWN', 'blank', 'Empty', 'missing', 'not set']),
	);
});

test.each([
	['person', PERSON_NAME],
	['company', COMPANY_NAME],
])('nothing in the cell of a name: %s', (_name, kind) => {
	check(kind, all(NOTHING, NEVER));
});

test('nothing in the cell of an ID', () => {
	const texts = [...NEVER, ...NAMES_TOO].filter((cell) => typeof cell === 'string');
	expect(texts.filter((cell) => !isNothing(cell))).toEqual([]);
	expect(['unknown', 'acme', 'a', '1', 'a'.repeat(40)].filter(isNothing)).toEqual([]);
});

test('names of people', () => {
	check(PERSON_NAME, [
		...['Null', 'None', 'Na', 'Unknown', 'Blank', 'Castro, Carla', 'Carla Castro', 'O’Brien'].map(
			(name) => [name, name] as const,
		),
		...['Dr. Ana-María N. Ñíguez', 'Li', 'X Æ A-12', '王芳', 'عمر', 'نی\u200cما', "D'Arcy"].map(
			(name) => [name, name] as const,
		),
		['  Carla \t Castro\n', 'Carla Castro'],
		['Carla undefined', 'Carla'],
		['Carla Castro <carla@acme.example>', 'Carla Castro'],
		['N/A Castro', 'Castro'],
		['#N/A Carla undefined Castro', 'Carla Castro'],
		['Jose\u0301\u00a0Pe\u00adrez', 'José Perez'],
		[['Carla'], 'Carla'],
		[[null, 'Carla', 'Bob'], 'Carla'],
		...all(OTHER, [
			'12345',
			7,
			'+44 20 7946 0000',
			'carla@acme.example',
			'https://x.example/in/carla',
		]),
	]);
});

test('names of companies', () => {
	check(COMPANY_NAME, [
		...['Null', 'None', 'NA', 'Unknown', 'Acme, Inc.', '3M', '37signals', '1011', 'Amazon.com'].map(
			(name) => [name, name] as const,
		),
		...['Meet@Work', 'AT&T', 'Yahoo!', '(mt) Media Temple', '[x]cube LABS', 'Node.js'].map(
			(name) => [name, name] as const,
		),
		[' Acme\u00a0 Inc. ', 'Acme Inc.'],
		[1011, '1011'],
		...all(OTHER, ['https://acme.example', 'info@acme.example', '{{company}}', '{Company}']),
	]);
});

test.each<[string, string, boolean]>([
	['None', 'None', true],
	['Unknown', 'null', true],
	['NA', 'Unknown', true],
	['None', 'Acme', false],
	['Carla', 'None', false],
])('the name %s and the company %s are nothing together: %s', (name, company, expected) => {
	expect(areBothNothing(name, company)).toBe(expected);
});

const CARLA = 'carla@acme.example';

test('emails', () => {
	check(EMAIL, [
		...all(CARLA, [
			CARLA,
			` ${CARLA}\n`,
			'carla@ACME.Example',
			`Carla Castro <${CARLA}>`,
			`"Castro, Carla" <${CARLA}>`,
			`<${CARLA}>`,
			`[${CARLA}](mailto:${CARLA})`,
			`[Carla](mailto:${CARLA}?subject=Hello)`,
			`mailto:${CARLA}`,
			`MailTo: ${CARLA}`,
			`mailto://${CARLA}`,
			`mailto:${CARLA}?subject=Hi%20there&cc=b@y.example`,
			`mailto:carla%40acme.example`,
			`"${CARLA}"`,
			`“${CARLA}”`,
			`'${CARLA}`,
			`'${CARLA}'`,
			`\`${CARLA}\``,
			`="${CARLA}"`,
			`${CARLA}.`,
			`${CARLA},`,
			`${CARLA};`,
			`${CARLA}; bob@y.example`,
			`${CARLA},bob@y.example`,
			`${CARLA} / bob@y.example`,
			`${CARLA}/bob@y.example`,
			`${CARLA}|bob@y.example`,
			`${CARLA} or bob@y.example`,
			`${CARLA}\nbob@y.example`,
			`a@b@c; ${CARLA}`,
			`Email: ${CARLA}`,
			`E-Mail:${CARLA}`,
			`(${CARLA})`,
			`${CARLA} (work)`,
			`<a href="mailto:${CARLA}">write</a>`,
			`carla@\u200bacme.example`,
			`carla＠acme.example`,
			`\u202a${CARLA}\u202c`,
			`${CARLA} https://user@host.example/`,
			`*${CARLA}*`,
			[CARLA, 'bob@y.example'],
			['', null, CARLA],
			['N/A', CARLA],
			{ address: CARLA },
		]),
		['Carla.Castro+crm@Acme.Example', 'Carla.Castro+crm@acme.example'],
		["o'brien@acme.example", "o'brien@acme.example"],
		['x@Bücher.example', 'x@bücher.example'],
		['jörg@müller.example', 'jörg@müller.example'],
		['x@xn--bcher-kva.example', 'x@xn--bcher-kva.example'],
		['info@例え.テスト', 'info@例え.テスト'],
		['a_b-c.d@x-y.co.example', 'a_b-c.d@x-y.co.example'],
		...all(OTHER, [
			'x@localhost',
			'7946@xn--co.uk',
			'a@b@c',
			'a@b.example@c.example',
			'a@',
			'@x.example',
			'@carla',
			'carla',
			'carla(at)acme.example',
			'carla acme.example',
			'carla @ acme.example',
			'carla@ acme.example',
			'carla@acme,com',
			'carla@acme..example',
			'carla.@acme.example',
			'.carla@acme.example',
			'carla@-acme.example',
			'carla@acme.e',
			'carla@127.0.0.1',
			'carla@acme.exam…',
			'carla@acme.exam...',
			'logo@2x.png',
			'no email',
			'see notes',
			'https://x.example/@carla',
			'https://carla@host.example/',
			'+44 20 7946 0000',
			12345,
			true,
			`${'a'.repeat(65)}@acme.example`,
			`${'x '.repeat(2000)}${CARLA}`,
		]),
	]);
});

const LONDON = '+442079460000';

test('phone numbers', () => {
	check(PHONE, [
		...all(LONDON, [
			LONDON,
			'+44 20 7946 0000',
			'+44-20-7946-0000',
			'+44.20.7946.0000',
			'+44 (20) 7946 0000',
			'+44 (0)20 7946 0000',
			'+44(0)2079460000',
			'+44.(0).20.7946.0000',
			'(+44) 20 7946 0000',
			'0044 20 7946 0000',
			'00442079460000',
			"'+44 20 7946 0000",
			'="+442079460000"',
			'"+44 20 7946 0000"',
			'tel:+44-20-7946-0000',
			'TEL:+442079460000',
			'tel:+442079460000;ext=12',
			'Tel. +44 20 7946 0000',
			'Phone: +44 20 7946 0000',
			'M: +44 20 7946 0000',
			'Mobile +44 20 7946 0000',
			'+44 20 7946 0000 (mobile)',
			'+44 20 7946 0000 ext. 12',
			'+44 20 7946 0000 ext 12',
			'+44 20 7946 0000, ext 12',
			'+44 20 7946 0000 extension 12',
			'+44 20 7946 0000 x12',
			'+44 20 7946 0000x12',
			'+44 20 7946 0000 #12',
			'+44 20 7946 0000 ext.',
			'+44 20 7946 0000,,12',
			'+44 20 7946 0000 / +44 20 7946 0001',
			'+44 20 7946 0000/+44 20 7946 0001',
			'+44 20 7946 0000 +44 20 7946 0001',
			'+44 20 7946 0000; 020 7946 0001',
			'+44 20 7946 0000, 020 7946 0001',
			'+44 20 7946 0000 or 020 7946 0001',
			'+44 20 7946 0000\n020 7946 0001',
			'+44 20 7946 0000 | x',
			'call reception, +44 20 7946 0000',
			'\u202a+44\u00a020\u202f7946\u00a00000\u202c',
			'＋４４ ２０ ７９４６ ００００',
			'+44–20–7946–0000',
			'+44 20 7946 0000.',
			['n/a', '+44 20 7946 0000'],
			['+44 20 7946 0000', '+44 20 7946 0001'],
		]),
		['020 7946 0000', '02079460000'],
		['(512) 555-0100', '5125550100'],
		['512.555.0100', '5125550100'],
		['512/555-0100', '5125550100'],
		['030/1234567', '0301234567'],
		['512-555-0100/512-555-0101', '5125550100'],
		[15125550100, '15125550100'],
		['15125550100.0', '15125550100'],
		['555-0100', '5550100'],
		['02.12.34.56.78', '0212345678'],
		['33.612.345.678', '33612345678'],
		...all(OTHER, [
			'ask reception',
			'4.41E+11',
			'4.41e11',
			4.41e25,
			'12345',
			'555-010',
			-15125550100,
			'- 512 555 0100',
			15125550100.5,
			'192.168.100.200',
			'1234567890123456',
			'+1 512 555 0100 512 555 0101 9',
			'1-800-FLOWERS',
			'+44 20 7946 OOOO',
			'++44 20 7946 0000',
			'+44 +20 7946 0000',
			'44+2079460000',
			'0000000000',
			'999-999-9999',
			'2026-05-31',
			'31.05.2026',
			'5/31/2026',
			'2026-05-31 09:00:00',
			'2026-05-31T09:00:00Z',
			'carla@acme.example',
			'https://wa.me/442079460000',
			'0x12345678',
			'$1,234,567.89',
			'€ 4.000.000',
			'no phone',
			'123e4567-e89b-12d3-a456-426614174000',
			{ number: LONDON },
			'#12',
		]),
	]);
});

const PROFILE = 'https://network.example/in/carla-castro';

test('profile URLs', () => {
	check(PROFILE_URL, [
		...all(PROFILE, [
			PROFILE,
			'http://network.example/in/carla-castro',
			'HTTPS://NETWORK.example/in/carla-castro',
			'https://www.network.example/in/carla-castro',
			'www.network.example/in/carla-castro',
			'network.example/in/carla-castro',
			'Network.Example/in/carla-castro/',
			'https://network.example/in/carla-castro/',
			'https://network.example/in/carla-castro//',
			'https://network.example//in/carla-castro',
			'https://network.example/in/carla-castro?utm_source=crm',
			'https://network.example/in/carla-castro/?originalSubdomain=uk#about',
			'https://network.example/in/carla-castro#experience',
			'https://network.example:443/in/carla-castro',
			'https://network.example/in/carla%2Dcastro',
			'//network.example/in/carla-castro',
			'https//network.example/in/carla-castro',
			'https:/network.example/in/carla-castro',
			'https:network.example/in/carla-castro',
			'https://https://network.example/in/carla-castro',
			'http:\\\\network.example\\in\\carla-castro',
			'[Carla](https://network.example/in/carla-castro)',
			`[${PROFILE}](${PROFILE})`,
			'<https://network.example/in/carla-castro>',
			'"https://network.example/in/carla-castro"',
			"'https://network.example/in/carla-castro",
			'(https://network.example/in/carla-castro)',
			'=HYPERLINK("https://network.example/in/carla-castro","Carla")',
			'<a href="https://network.example/in/carla-castro">Carla</a>',
			'Profile: https://network.example/in/carla-castro',
			'url:https://network.example/in/carla-castro',
			'https://network.example/in/carla-castro.',
			'https://network.example/in/carla-castro, https://network.example/in/bob',
			'https://network.example/in/carla-castro;https://network.example/in/bob',
			'https://network.example/in/carla-castro https://network.example/in/bob',
			'https://network.example/in/carla-castro | https://x.example/carla',
			'https://network.example https://network.example/in/carla-castro',
			'https://network.example/in/\u200bcarla-castro',
			'https://network.example./in/carla-castro',
			['https://network.example/in/carla-castro'],
		]),
		...all('https://network.example/in/jos%C3%A9', [
			'https://network.example/in/josé',
			'https://network.example/in/jos%C3%A9',
			'https://network.example/in/jos%c3%a9/',
			'https://network.example/in/jose\u0301',
		]),
		['https://uk.network.example/in/carla', 'https://uk.network.example/in/carla'],
		['https://network.example/in/a%2Fb', 'https://network.example/in/a%2Fb'],
		['https://network.example/in/a%zz', 'https://network.example/in/a%25zz'],
		['https://network.example/in/%e9', 'https://network.example/in/%E9'],
		['https://network.example/@carla', 'https://network.example/@carla'],
		['https://network.example/in/carla_(x)', 'https://network.example/in/carla_(x)'],
		['https://bücher.example/in/carla', 'https://xn--bcher-kva.example/in/carla'],
		['https://network.example:8443/in/carla', 'https://network.example:8443/in/carla'],
		['https://network.example/view?id=7&x=1', 'https://network.example/view?id=7'],
		...all(OTHER, [
			'https://network.example',
			'https://network.example/',
			'https://network.example/?id=7',
			'network.example',
			'carla-castro',
			'/in/carla-castro',
			'@carla',
			'in/carla-castro',
			'https://localhost/in/carla',
			'http://127.0.0.1/in/carla',
			'https://carla@network.example/in/carla',
			'ftp://network.example/in/carla',
			'javascript:alert(1)',
			'mailto:carla@network.example',
			'carla@network.example',
			'https://',
			'https://network..example/in/carla',
			'https://-/in/carla',
			'C:\\Users\\carla',
			'and/or',
			'see CRM',
			'+44 20 7946 0000',
			123,
			{ url: 7 },
			'https://network.example/--',
			'https://network.example/in/carla…',
			'https://network.example/in/car...',
		]),
	]);
});

test('websites', () => {
	check(WEBSITE, [
		...['acme.example', 'www.acme.example', 'https://acme.example/', 'http://acme.example/uk'].map(
			(site) => [site, site] as const,
		),
		['<https://acme.example>', 'https://acme.example'],
		['[Acme](https://acme.example)', 'https://acme.example'],
		['[acme.example](http://acme.example)', 'acme.example'],
		['(acme.example)', 'acme.example'],
		['"acme.example"', 'acme.example'],
		["'acme.example", 'acme.example'],
		['acme.example, acme.org', 'acme.example'],
		['acme.example,acme.org', 'acme.example'],
		['acme.example; acme.org', 'acme.example'],
		['acme.example | acme.org', 'acme.example'],
		['Website: acme.example', 'acme.example'],
		['http:/acme.example', 'acme.example'],
		['https:acme.example/', 'acme.example/'],
		['//acme.example', 'acme.example'],
		['acme.example.', 'acme.example'],
		['ACME.example', 'ACME.example'],
		['bücher.example', 'bücher.example'],
		['acme.example:8080', 'acme.example:8080'],
		[['acme.example'], 'acme.example'],
		...all(OTHER, [
			'acme',
			'Acme Inc.',
			'no website',
			'info@acme.example',
			'https://acme',
			'localhost',
			'127.0.0.1',
			'mailto:info@acme.example',
			'ftp://acme.example',
			'in progress',
			42,
		]),
	]);
});
