/** What cells of CRMs, spreadsheets and forms are read as. */
import fc from 'fast-check';
import {
	COMPANY_NAME,
	EMAIL,
	PERSON_NAME,
	PHONE,
} from '../../../nodes/BusinessProspectData/parameters/cellKinds';
import {
	areBothNothing,
	type CellKind,
	isNothing,
	readCell,
} from '../../../nodes/BusinessProspectData/parameters/cells';
import { PROFILE_URL, WEBSITE } from '../../../nodes/BusinessProspectData/parameters/webAddresses';
import { bySize } from '../../size';

/** The cell is read as empty. */
const NOTHING = Symbol('nothing');
/** The cell is left out, and a hint quotes it. */
const OTHER = Symbol('other');

const outcomeOf = (raw: unknown, kind: CellKind) => {
	const { value, ignored } = readCell(raw, kind);
	if (ignored !== undefined) expect(value).toBeNull();
	return ignored !== undefined ? OTHER : (value ?? NOTHING);
};

/** @param outcome by default, each cell is read as itself */
function check(kind: CellKind, cells: readonly unknown[], outcome?: string | symbol) {
	const read = cells.map((cell) => [cell, outcomeOf(cell, kind)]);
	expect(read).toEqual(cells.map((cell) => [cell, outcome ?? cell]));
}

/** Cells of one line or several, separated by `¦`. */
const cells = (text: string): string[] => text.split('¦').map((cell) => cell.trim());

const KINDS: Array<[name: string, CellKind]> = [
	['email', EMAIL],
	['phone', PHONE],
	['profile', PROFILE_URL],
	['website', WEBSITE],
	['person', PERSON_NAME],
	['company', COMPANY_NAME],
];

/** Nothing in every cell. */
const NEVER = [
	...['', ' ', '\t\r\n', '\u00a0', '\u200b', '\ufeff', '\ufffd', '\ud83d', ' n/a ', 'ｎ/ａ'],
	...[0, Number.NaN, null, undefined, false, [], [[]], [''], ['n/a', '-', null]],
	...cells(`&nbsp; ¦ n/a ¦ N.A. ¦ n/a. ¦ (n/a) ¦ "N/A" ¦ 'n/a ¦ N/A N/A ¦ #N/A ¦ #REF! ¦ #NAME? ¦ #DIV/0!
		¦ - ¦ --- ¦ — ¦ ? ¦ ... ¦ … ¦ * ¦ _ ¦ ' ¦ "" ¦ ="" ¦ () ¦ [] ¦ <> ¦ ✗ ¦ 0 ¦ (0)
		¦ (none) ¦ [None] ¦ <null> ¦ (BLANK) ¦ (unknown) ¦ null null ¦ None None ¦ undefined undefined
		¦ Undefined ¦ NIL ¦ NaN ¦ TBD. ¦ [not provided] ¦ Not Provided ¦ not available ¦ not applicable
		¦ Not specified ¦ [object Object] ¦ #BEZUG! ¦ #NV ¦ #N/D ¦ #¿NOMBRE? ¦ #¡DIV/0! ¦ #ЗНАЧ! ¦ #値! ¦ #GETTING_DATA
		¦ #Name? ¦ Err:502 ¦ Loading... ¦ #N/A #N/A ¦ #REF! #NV`),
];

/** Nothing in all cells but those of names. */
const NAMES_TOO = cells('na ¦ NA ¦ None ¦ NULL ¦ "null" ¦ none.');

test('nothing in the cell of a contact', () => {
	const words = cells('unknown ¦ UNKNOWN ¦ blank ¦ Empty ¦ missing ¦ not set');

	for (const kind of [EMAIL, PHONE, PROFILE_URL, WEBSITE]) {
		check(kind, [...NEVER, ...NAMES_TOO, ...words], NOTHING);
	}
	// The header of a file, as a row.
	check(EMAIL, cells('Email ¦ E-mail ¦ Work Email ¦ email_address'), NOTHING);
	check(PHONE, cells('Phone ¦ Phone Number ¦ mobile_phone'), NOTHING);
	check(WEBSITE, cells('Website ¦ Website URL'), NOTHING);
});

test('nothing in the cell of a name', () => {
	const words = cells('TRUE ¦ False ¦ N/A - N/A');
	check(PERSON_NAME, [...NEVER, ...words], NOTHING);
	check(COMPANY_NAME, [...NEVER, ...words], NOTHING);
	check(PERSON_NAME, cells('Name ¦ Full Name ¦ full_name ¦ First Name Last Name'), NOTHING);
	check(COMPANY_NAME, cells('Company ¦ Company Name ¦ Organisation'), NOTHING);
});

test('nothing in the cell of an ID', () => {
	const texts = [...NEVER, ...NAMES_TOO].filter((cell) => typeof cell === 'string');

	expect(texts.filter((cell) => !isNothing(cell))).toEqual([]);
	expect(['unknown', 'acme', 'a', '1', 'a'.repeat(40)].filter(isNothing)).toEqual([]);
});

test('names of people', () => {
	check(PERSON_NAME, cells("Null ¦ None ¦ Na ¦ Unknown ¦ O'Brien ¦ Jack Ma ¦ Li ¦ X Æ A-12"));
	check(PERSON_NAME, ["'t Hooft", 'Ana-María N. Ñíguez', '王芳', 'عمر', 'نی\u200cما']);
	check(
		PERSON_NAME,
		[
			...['  Carla \t Castro\n', 'Carla\0 Castro', ['Carla Castro', 'Bob'], '["Carla Castro"]'],
			...[{ value: 'Carla Castro' }, { name: 'Carla Castro', id: 7 }],
			[{ value: 'Bob' }, { value: 'Carla Castro', primary: true }],
			...cells(`Carla Castro <carla@acme.example> ¦ Castro, Carla ¦ Dr. Carla Castro ¦ Prof. Dr. Carla Castro
				¦ Carla Castro, MBA, PhD ¦ Carla Castro Ph.D. ¦ Carla Castro, CPA ¦ Carla Castro Esq.
				¦ Carla Castro (she/her) ¦ Carla Castro | she/her ¦ Carla Castro, PE ¦ Carla Castro, RN, BSN ¦ *Carla Castro* ¦ "Carla Castro" ¦ Carla Castro - carla@acme.example ¦ 👩‍💻 Carla Castro 🇬🇧 ¦ Carla Castro - PhD ¦ Carla Castro/MBA ¦ Carla "Cary" Castro ¦ Carla Castro 🎉 ¦ Ms Carla Castro
				¦ <b>Carla</b> Castro ¦ Carla<br>Castro ¦ <a href="https://x.example">Carla Castro</a> ¦ =?UTF-8?Q?Carla_Castro?=
				¦ =?utf-8?B?Q2FybGEgQ2FzdHJv?= ¦ ((Carla)) Carla Castro ¦ "Carla Castro" <carla@acme.example> ¦ ="Carla Castro" ¦ Carla #REF! Castro ¦ 'Carla Castro ¦ 'Carla Castro'`),
		],
		'Carla Castro',
	);
	check(PERSON_NAME, ['=?iso-8859-1?Q?Jos=E9?= =?iso-8859-1?q?_D=EDaz?='], 'José Díaz');
	check(
		PERSON_NAME,
		['King, Martin Luther Jr.', 'King Jr., Martin Luther'],
		'Martin Luther King Jr.',
	);
	for (const apostrophe of '’ʼ‘´`') check(PERSON_NAME, [`O${apostrophe}Brien`], "O'Brien");
	check(PERSON_NAME, ['Carla Castro, Jr.', 'Carla Castro Jr.'], 'Carla Castro Jr.');
	check(PERSON_NAME, ['CASTRO, CARLA'], 'CARLA CASTRO');
	check(PERSON_NAME, ['O&rsquo;Brien'], "O'Brien");
	check(PERSON_NAME, ['Jos&eacute;', 'Jos&#233;'], 'José');
	check(PERSON_NAME, ['#N/A Carla undefined Castro'], 'Carla Castro');
	check(PERSON_NAME, ['Carla undefined', ['Carla'], [null, 'Carla', 'Bob']], 'Carla');
	check(PERSON_NAME, ['Jose\u0301\u00a0Pe\u00adrez'], 'José Perez');
	check(
		PERSON_NAME,
		[
			7,
			...cells(
				'recAbCdEfGhIjKlMn ¦ 0035g00000AbCdEQAZ ¦ b55c9c91-384d-452b-81db-d1ef79372b75 ¦ +44 20 7946 0000 ¦ carla@acme.example ¦ https://x.example/in/carla ¦ Cargando… ¦ =NAME()',
			),
			...[
				'Jos\ufffd',
				'Carla \ud83d',
				'Jos? D?az',
				'JosÃ© DÃ\u00adaz',
				'Renâ€™',
				'C&#65533;',
				'Carla Castro'.repeat(26),
			],
			...['=?x-none?Q?Carla?=', '((((((Carla))))))'],
		],
		OTHER,
	);
});

test('names of companies', () => {
	check(
		COMPANY_NAME,
		cells(`Null ¦ NA ¦ Unknown ¦ Acme, Inc. ¦ 3M ¦ 1011 ¦ Amazon.com ¦ Meet@Work ¦ AT&T ¦ Yahoo!
			¦ (mt) Media Temple ¦ [x]cube LABS`),
	);
	check(COMPANY_NAME, [' Acme\u00a0 Inc. ', '"Acme Inc."'], 'Acme Inc.');
	check(COMPANY_NAME, [1011], '1011');
	check(COMPANY_NAME, ['Blue Analytics™', 'Blue® Analytics'], 'Blue Analytics');
	check(COMPANY_NAME, ['AT&amp;T'], 'AT&T');
	check(COMPANY_NAME, ['Cafe\u200b\u0301'], 'Café');
	check(
		COMPANY_NAME,
		cells(
			'Self-employed ¦ Freelance ¦ student ¦ Retired ¦ Stealth Startup ¦ Stealth Mode ¦ Open to work ¦ self-employed.',
		),
		NOTHING,
	);
	check(
		COMPANY_NAME,
		[
			true,
			...cells(`https://acme.example ¦ info@acme.example ¦ {{company}} ¦ {Company} ¦ ={{ $json.company }}
				¦ \${company} ¦ %COMPANY% ¦ [Company] ¦ *|COMPANY|*`),
		],
		OTHER,
	);
});

/** Objects and lists as the nodes of CRMs, mail programs, databases and forms have them: JSON, separated by `¦`. */
const OBJECTS: Array<[kind: CellKind, json: string, outcome: string | symbol]> = [
	[
		COMPANY_NAME,
		`{"attributes": {"type": "Account", "url": "/1"}, "Id": "001", "Name": "Acme"} ¦ {"name": "Acme", "value": 42}
		¦ {"id": "123", "properties": {"name": "Acme"}} ¦ {"properties": {"name": {"value": "Acme", "versions": []}}}
		¦ [42, "Acme"] ¦ {"id": 7, "NAME": "Acme"} ¦ {"company_name": "Acme", "name": "Bob"} ¦ [{"title": "CEO", "name": "Acme"}]
		¦ {"name": "company_name", "values": ["Acme"]} ¦ {"id": "recAbCdEfGhIjKlMn", "fields": {"Name": "Acme"}}
		¦ {"type": "title", "title": [{"type": "text", "text": {"content": "Acme"}, "plain_text": "Acme"}]}
		¦ {"rich_text": [{"plain_text": "Ac"}, {"plain_text": "me"}], "type": "rich_text"}
		¦ {"name": "q5_company", "text": "Where do you work?", "type": "control_text", "answer": "Acme"}
		¦ [{"value": "Old", "is_primary": false}, {"value": "Acme", "is_primary": true}] ¦ "{\\"name\\": \\"Acme\\"}"
		¦ {"id": 9, "name": "Ann Lee", "org_name": "Acme"}
		¦ [{"label": "Name", "value": "Ann Lee"}, {"label": "Company", "value": "Acme"}]
		¦ {"link": "https://x.example/1", "display_value": "Acme"} ¦ {"CustomerCode": "A1", "CustomerName": "Acme"}
		¦ {"name": "Acme", "owner_name": "Kim", "cc_email": "x@y.example", "value": 12345678}`,
		'Acme',
	],
	[
		PERSON_NAME,
		`{"firstName": "Ann", "lastName": "Lee"} ¦ {"first": "Ann", "last": "Lee"} ¦ {"id": 7, "full_name": "Ann Lee"}
		¦ {"First Name": "Ann", "Last Name": "Lee"} ¦ {"givenName": "Ann", "surname": "Lee"} ¦ {"name": "Ann Lee", "id": "7"}
		¦ {"displayName": "Ann Lee", "familyName": "Lee"} ¦ {"address": "a@x.example", "name": "Ann Lee"}
		¦ {"properties": {"firstname": {"value": "Ann"}, "lastname": {"value": "Lee"}}}
		¦ {"emailAddress": {"name": "Ann Lee", "address": "a@x.example"}} ¦ {"forename": "Ann", "surname": "Lee"}
		¦ [{"name": "email", "values": ["a@x.example"]}, {"name": "full_name", "values": ["Ann Lee"]}]
		¦ {"identity": {"user": {"displayName": "Ann Lee", "id": "x"}}} ¦ {"email": "a@x.example", "first": "Ann", "last": "Lee"}`,
		'Ann Lee',
	],
	[
		EMAIL,
		`{"value": [{"address": "c@x.example", "name": "C"}]} ¦ {"emailAddress": {"name": "C", "address": "c@x.example"}}
		¦ {"email": "c@x.example", "name": "C"} ¦ {"id": 7, "Email": "c@x.example"} ¦ {"email": "", "value": "c@x.example"}
		¦ {"properties": {"email": "c@x.example"}} ¦ {"work": ["c@x.example"]} ¦ {"type": "email", "email": "c@x.example"}
		¦ {"type": "email", "text": "c@x.example", "value": "{\\"email\\": \\"c@x.example\\"}"} ¦ ["none", {"type": "W"}, "c@x.example"]
		¦ [{"value": "old@x.example", "is_primary": false}, {"value": "c@x.example", "is_primary": true}]
		¦ [{"value": "old@x.example"}, {"value": "c@x.example", "isPrimary": "true"}]
		¦ [{"value": "old@x.example"}, {"value": "c@x.example", "metadata": {"primary": true}}]`,
		'c@x.example',
	],
	[
		PHONE,
		`{"id": 12345678, "number": "+44 20 7946 0000"} ¦ {"label": "work", "value": "+44 20 7946 0000", "primary": true}
		¦ {"mobile": ["+44 20 7946 0000"]} ¦ {"country_code": "GB", "phone_number": "+44 20 7946 0000"}
		¦ {"countryCode": "44", "number": "20 7946 0000"} ¦ {"dialCode": "+44", "number": "20 7946 0000"} ¦ {"country_code": 44, "number": "0044 20 7946 0000"}
		¦ [{"PhoneAreaCode": "20", "PhoneCountryCode": "44", "PhoneNumber": "7946 0000"}] ¦ {"FreeFormNumber": "+44 20 7946 0000"}
		¦ [{"field": "PHONE1", "number": "020 7946 0000", "number_e164": "+442079460000"}]`,
		'+442079460000',
	],
	[
		PHONE,
		`{"area": "415", "phone": "5550123"} ¦ {"full": "(415) 555-0123"} ¦ {"areaCode": 415, "number": "(415) 555-0123"}`,
		'4155550123',
	],
	[
		PROFILE_URL,
		`{"text": "Carla", "hyperlink": "x.example/in/c"} ¦ {"id": 7, "url": "x.example/in/c"} ¦ {"link": {"url": "x.example/in/c"}}`,
		'https://x.example/in/c',
	],
	[
		WEBSITE,
		`{"domain": "x.example", "name": "X"} ¦ {"text": "X", "url": "x.example"}
		¦ {"object": "page", "url": "https://y.example/1", "properties": {"Website": {"type": "url", "url": "x.example"}}}`,
		'x.example',
	],
	[COMPANY_NAME, '[42] ¦ {"value": 42}', OTHER],
	[
		PHONE,
		'{"name": "Ann Lee", "phone": [{"value": "", "primary": true}], "value": 12345678}',
		NOTHING,
	],
];

test.each(OBJECTS)('objects and lists of the kind %#', (kind, json, outcome) => {
	check(
		kind,
		cells(json).map((text): unknown => JSON.parse(text)),
		outcome,
	);
});

test.each(KINDS)('objects without a value of the kind: %s', (_name, kind) => {
	const others = `{"id": "42", "type": "company", "owner": {"name": "Bob", "email": "b@x.example"}}
		¦ [{"target_object": "companies", "target_record_id": "a1"}] ¦ {"attributes": {"url": "x.example/in/c"}}
		¦ {"value": {"value": {"value": {"value": "c@x.example"}}}}`;
	check(kind, cells(others), OTHER);
	check(kind, cells('{} ¦ [{}] ¦ {"id": null} ¦ {"value": null, "id": 42}'), NOTHING);
});

const LOST = /^letters were lost because the file was read in another encoding/;
test.each([
	[
		EMAIL,
		{ id: 7, owner: 'Bob' },
		'id,owner',
		/^not an email address but an object or ID, so drag/,
	],
	[PERSON_NAME, 'Jos\ufffd D\ufffdaz', 'Jos\ufffd D\ufffdaz', LOST],
	[PERSON_NAME, 'Jos? D?az', 'Jos? D?az', LOST],
	[PROFILE_URL, 'x.example/in/jos?', 'x.example/in/jos?', LOST],
	[PHONE, 'ask\n reception', 'ask reception', /^not a phone number$/],
])('what a hint says about a cell that is ignored: %#', (kind, raw, text, rule) => {
	expect(readCell(raw, kind).ignored).toEqual({ text, rule: expect.stringMatching(rule) });
});

test.each<[string, string, boolean]>([
	['Unknown', 'null', true],
	['NA', 'Unknown', true],
	['None', 'Acme', false],
	['Carla', 'None', false],
])('the name %s and the company %s are nothing together: %s', (name, company, expected) => {
	expect(areBothNothing(name, company)).toBe(expected);
});

test('emails', () => {
	const carla = 'carla@acme.example';
	check(
		EMAIL,
		[
			` ${carla}\n`,
			`${carla}\nbob@y.example`,
			'carla@\u200bacme.example',
			`\u202a${carla}\u202c`,
			`${carla}; `.repeat(100),
			[carla, 'bob@y.example'],
			['N/A', null, carla],
			{ address: carla },
			...cells(`carla@ACME.Example ¦ Carla Castro <${carla}> ¦ "Castro, Carla" <${carla}> ¦ <${carla}>
				¦ [${carla}](mailto:${carla}) ¦ [Carla](mailto:${carla}?subject=Hello) ¦ MailTo: ${carla}
				¦ mailto://${carla} ¦ mailto:${carla}?subject=Hi%20there&cc=b@y.example ¦ mailto:carla%40acme.example
				¦ "${carla}" ¦ “${carla}” ¦ '${carla} ¦ \`${carla}\` ¦ ="${carla}" ¦ ${carla}. ¦ ${carla}, ¦ *${carla}*
				¦ n/a; ${carla} ¦ N/A | ${carla} ¦ <p>${carla}</p> ¦ <a href="mailto:${carla}">Carla</a>
				¦ =?UTF-8?Q?Carla?= <${carla}> ¦ <span style="x">mailto:${carla}</span>
				¦ ${carla}; bob@y.example ¦ ${carla},bob@y.example ¦ ${carla}/bob@y.example ¦ ${carla}|bob@y.example
				¦ a@b@c; ${carla} ¦ E-Mail:${carla} ¦ ${carla} (work)
				¦ carla＠acme.example ¦ ${carla} https://user@host.example/`),
		],
		carla,
	);
	check(EMAIL, ['Carla.Castro+crm@Acme.Example'], 'Carla.Castro+crm@acme.example');
	check(EMAIL, ['x@Bücher.example'], 'x@bücher.example');
	check(
		EMAIL,
		cells(`o'brien@acme.example ¦ jörg@müller.example ¦ x@xn--bcher-kva.example ¦ info@例え.テスト
			¦ a_b-c.d@x-y.co.example`),
	);
	check(
		EMAIL,
		[
			...[12345, true, `${'a'.repeat(65)}@acme.example`, `${'x '.repeat(2000)}${carla}`],
			...[
				`iva\ufffdn.eriksson@acme.example`,
				`${'a'.repeat(320)} ${carla}`,
				`${carla}; `.repeat(1_000),
			],
			...cells(`x@localhost ¦ 7946@xn--co.uk ¦ a@b@c ¦ a@ ¦ @x.example ¦ carla ¦ carla(at)acme.example
				¦ carla @ acme.example ¦ carla@ acme.example ¦ carla@acme,com ¦ carla@acme..example
				¦ carla.@acme.example ¦ .carla@acme.example ¦ carla@-acme.example ¦ carla@acme.e ¦ carla@127.0.0.1
				¦ carla@acme.exam… ¦ carla@acme.exam... ¦ logo@2x.png ¦ see notes ¦ https://x.example/@carla
				¦ https://carla@host.example/ ¦ +44 20 7946 0000 ¦ recAbCdEfGhIjKlMn`),
			// Half of an address would be another person's.
			...cells(`carla,castro@acme.example ¦ carla. castro@acme.example ¦ carla/castro@acme.example
				¦ carla;castro@acme.example ¦ carla&nbsp;castro@acme.example ¦ o"brien@acme.example`),
		],
		OTHER,
	);
});

test('phone numbers', () => {
	const london = '+442079460000';
	const spaced = '+44 20 7946 0000';
	check(
		PHONE,
		[
			`${spaced}\n020 7946 0001`,
			'\u202a+44\u00a020\u202f7946\u00a00000\u202c',
			['n/a', spaced],
			[spaced, '+44 20 7946 0001'],
			`Office: ${spaced} / Mobile: +44 20 7946 0001 / Home: +44 20 7946 0002 / Other: +44 20 7946 0003`,
			...cells(`${spaced} ¦ +44-20-7946-0000 ¦ +44–20–7946–0000 ¦ +44.20.7946.0000 ¦ +44 (20) 7946 0000
				¦ +44 (0)20 7946 0000 ¦ +44.(0).20.7946.0000 ¦ (+44) 20 7946 0000 ¦ 0044 20 7946 0000 ¦ '${spaced}
				¦ ="${london}" ¦ "${spaced}" ¦ tel:+44-20-7946-0000 ¦ tel:${london};ext=12 ¦ Tel. ${spaced}
				¦ M: ${spaced} ¦ Mobile ${spaced} ¦ ${spaced} (mobile) ¦ ${spaced} mobile ¦ ${spaced} - Cell ¦ ${spaced} ext. 12 ¦ ${spaced}, ext 12
				¦ ${spaced} extension 12 ¦ ${spaced}x12 ¦ ${spaced} #12 ¦ ${spaced} ext. ¦ ${spaced},,12
				¦ ${spaced} / +44 20 7946 0001 ¦ ${spaced}/+44 20 7946 0001 ¦ ${spaced} +44 20 7946 0001
				¦ ${spaced}; 020 7946 0001 ¦ ${spaced} or 020 7946 0001 ¦ ${spaced} | x ¦ call reception, ${spaced}
				¦ ＋４４ ２０ ７９４６ ００００ ¦ ${spaced}.`),
		],
		london,
	);
	check(
		PHONE,
		[
			{ number: london },
			{ value: spaced },
			`whatsapp:${london}`,
			`«${spaced}»`,
			`${spaced}!`,
			`*${spaced}* *+44 20 7946 0001*`,
		],
		london,
	);
	for (const [cell, read] of [
		['+44 0161 496 0000', '+441614960000'],
		['+44 (0161) 496 0000', '+441614960000'],
		['+49 0151 23456789', '+4915123456789'],
		['+33 01 23 45 67 89', '+33123456789'],
		['+972 050 123 4567', '+972501234567'],
		['+39 (0)6 1234567', '+39061234567'],
		['+39 06 1234567', '+39061234567'],
		['(h) 512 555 0100 (w) 512 555 0199', '5125550100'],
	]) {
		check(PHONE, [cell], read);
	}
	check(PHONE, cells('(512) 555-0100 ¦ 512/555-0100 ¦ 512-555-0100/512-555-0101'), '5125550100');
	check(PHONE, [15125550100, '15125550100.0'], '15125550100');
	check(PHONE, ['020 7946 0000'], '02079460000');
	check(PHONE, ['02.12.34.56.78'], '0212345678');
	check(PHONE, ['555-0100'], '5550100');
	check(
		PHONE,
		[
			...[4.41e25, -15125550100, 15125550100.5],
			...cells(`ask reception ¦ 4.41E+11 ¦ 12345 ¦ 555-010 ¦ - 512 555 0100 ¦ 192.168.100.200
				¦ 1234567890123456 ¦ +1 512 555 0100 512 555 0101 9 ¦ 1-800-FLOWERS ¦ +44 20 7946 OOOO
				¦ ++44 20 7946 0000 ¦ 44+2079460000 ¦ 0000000000 ¦ 999-999-9999 ¦ 2026-05-31 ¦ 31.05.2026
				¦ 5/31/2026 ¦ 2026-05-31T09:00:00Z ¦ https://wa.me/442079460000 ¦ 0x12345678 ¦ $1,234,567.89
				¦ 123e4567-e89b-12d3-a456-426614174000 ¦ #12`),
		],
		OTHER,
	);
});

test('profile URLs', () => {
	const url = 'https://network.example/in/carla-castro';
	check(
		PROFILE_URL,
		[
			'https://network.example/in/\u200bcarla-castro',
			[url],
			...cells(`${url} ¦ HTTP://www.NETWORK.example/in/carla-castro ¦ Network.Example/in/carla-castro/
				¦ https://network.example//in/carla-castro// ¦ ${url}?utm_source=crm ¦ ${url}/?originalSubdomain=uk#about
				¦ https://network.example:443/in/carla-castro ¦ https://network.example./in/carla-castro
				¦ https://network.example/in/carla%2Dcastro ¦ //network.example/in/carla-castro
				¦ https//network.example/in/carla-castro ¦ https:network.example/in/carla-castro ¦ https://${url}
				¦ http:\\\\network.example\\in\\carla-castro ¦ [Carla](${url}) ¦ [${url}](${url}) ¦ <${url}> ¦ '${url}
				¦ (${url}) ¦ =HYPERLINK("${url}","Carla") ¦ <a href="${url}">Carla</a> ¦ url:${url} ¦ ${url}.
				¦ ${url}, https://network.example/in/bob ¦ ${url};https://network.example/in/bob
				¦ ${url} | https://x.example/carla ¦ https://network.example ${url}`),
		],
		url,
	);
	check(
		PROFILE_URL,
		['https://network.example/in/jose\u0301', 'https://network.example/in/jos%c3%a9/'],
		'https://network.example/in/jos%C3%A9',
	);
	check(
		PROFILE_URL,
		cells(`https://network.example/in/a%2Fb
			¦ https://network.example/@carla ¦ https://network.example/in/carla_(x)
			¦ https://network.example:8443/in/carla`),
	);
	for (const [cell, read] of [
		['https://network.example/in/a%zz', 'https://network.example/in/a%25zz'],
		['https://network.example/in/%e9', 'https://network.example/in/%E9'],
		['https://network.example/in/carla%20', 'https://network.example/in/carla'],
		['https://bücher.example/in/carla', 'https://xn--bcher-kva.example/in/carla'],
		['https://network.example/view?id=7&x=1', 'https://network.example/view?id=7'],
		['https://network.example/profile?user=7&x=1', 'https://network.example/profile?user=7'],
		['https://uk.network.example/in/carla', 'https://network.example/in/carla'],
		['https://m.network.example/in/carla', 'https://network.example/in/carla'],
		['[https://network.example/in/carla]?utm=1', 'https://network.example/in/carla'],
	]) {
		check(PROFILE_URL, [cell], read);
	}
	check(
		PROFILE_URL,
		[
			...[123, { url: 7 }],
			...cells(`https://network.example/ ¦ https://network.example/?id=7 ¦ carla-castro ¦ /in/carla-castro
				¦ @carla ¦ https://localhost/in/carla ¦ http://127.0.0.1/in/carla ¦ https://carla@network.example/in/carla
				¦ ftp://network.example/in/carla ¦ javascript:alert(1) ¦ carla@network.example ¦ https://
				¦ https://network..example/in/carla ¦ https://-/in/carla ¦ C:\\Users\\carla ¦ and/or
				¦ +44 20 7946 0000 ¦ https://network.example/-- ¦ https://network.example/in/carla…
				¦ https://network.example/in/car... ¦ https://network.example/in/carla castro
				¦ https://network.example/in/jos? ¦ https://network.example/in/jos?-d?az ¦ https://network.example/in/jos%3F
				¦ https://network.example/in/jos%EF%BF%BD ¦ https://network.example/${'a'.repeat(2_048)}`),
		],
		OTHER,
	);
});

test('websites', () => {
	check(
		WEBSITE,
		cells(`acme.example ¦ www.acme.example ¦ https://acme.example/ ¦ http://acme.example/uk ¦ ACME.example
			¦ bücher.example ¦ acme.example:8080`),
	);
	check(
		WEBSITE,
		cells('<https://acme.example> ¦ [Acme](https://acme.example)'),
		'https://acme.example',
	);
	check(
		WEBSITE,
		[
			['acme.example'],
			...cells(`[acme.example](http://acme.example) ¦ (acme.example) ¦ 'acme.example ¦ acme.example,acme.org
				¦ acme.example; acme.org ¦ Website: acme.example ¦ http:/acme.example ¦ //acme.example ¦ acme.example.`),
		],
		'acme.example',
	);
	check(WEBSITE, ['a‑b.example'], 'a-b.example');
	check(
		WEBSITE,
		[
			42,
			...cells(
				`Acme Inc. ¦ info@acme.example ¦ https://acme ¦ localhost ¦ 127.0.0.1 ¦ ftp://acme.example`,
			),
		],
		OTHER,
	);
});

/** Pieces that cells are made of, so that many of the texts are nearly values. */
const piece = fc.constantFrom(
	...[' ', '\n', '\t', '\0', '\u0301', '\u200b', '\u00a0', '\ud83d', '\ufffd'],
	...`@ . .. , ; : / // \\ ? # & = + - – _ % %2 %C3%A9 ( ) [ ] < > { } " ' ’ \` | * ~ ^ ! a Z é ß İ 王 ع 😀 ٣ ４
		0 1 44 555 7946 0000000 (0) ext. x E+11 tel: mailto: https: http:// www. network.example acme .com co.uk
		/in/ carla id= xn-- n/a null none unknown undefined #REF! #NV Err:502 Castro Inc. localhost
		127.0.0.1 ™ Ã© jos? &eacute; <b> =?UTF-8?Q? ?= %COMPANY% {{name}}`.split(/\s+/),
);
const text = fc.oneof(
	fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.string({ unit: 'grapheme', maxLength: 40 }),
	fc.emailAddress(),
	fc.webUrl({ withFragments: true, withQueryParameters: true }),
);
const isText = (member: unknown) => typeof member === 'string';
const cell = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.anything());

test.each(KINDS)('what is read of any cell is read again as itself: %s', (_name, kind) => {
	fc.assert(
		fc.property(cell, (raw) => {
			const { value, ignored } = readCell(raw, kind);
			if (value === null) return;
			expect(ignored).toBeUndefined();
			expect(readCell(value, kind)).toEqual({ value });
		}),
		{ numRuns: bySize(200, 2_000) },
	);
});

test.each(KINDS)(
	'a cell in an object, a list or their JSON is read as it is: %s',
	(_name, kind) => {
		const wrap = fc.constantFrom<(value: string) => unknown>(
			(value) => ({ value }),
			(text) => ({ id: 7, type: 'text', text }),
			(value) => [
				{ value: 'other', primary: false },
				{ value, primary: true },
			],
			(value) => JSON.stringify([value]),
			(value) => JSON.stringify({ value }),
			(value) => ({ id: 7, properties: { [kind.members.filter(isText)[0] ?? '']: value } }),
			(value) => [{ name: 'City' }, { name: kind.members.find(isText), values: [value] }],
		);
		fc.assert(
			fc.property(text, wrap, (plain, wrapped) => {
				const { value } = readCell(plain, kind);
				if (value !== null) expect(readCell(wrapped(plain), kind).value).toBe(value);
			}),
			{ numRuns: bySize(200, 1_000) },
		);
	},
);

test.each(KINDS)('a cell with a letter lost is never read: %s', (_name, kind) => {
	fc.assert(
		fc.property(text, fc.nat(40), fc.constantFrom('\ufffd', 'Ã©'), (plain, at, lost) => {
			// A tag or an encoded word may have it, but isn't read.
			fc.pre(!/[<&]|=\?/.test(plain));
			const cell = plain.slice(0, at) + lost + plain.slice(at);
			expect([cell, readCell(cell, kind).value]).toEqual([cell, null]);
		}),
		{ numRuns: bySize(200, 1_000) },
	);
});

test('part of an address is never read as an address', () => {
	const name = fc.stringMatching(/^[a-z]{2,8}$/);
	const separator = fc.constantFrom(...',;/\\|:" \t\u00a0(<]', ', ', '. ', '&nbsp;');
	fc.assert(
		fc.property(name, separator, name, (first, between, last) => {
			const cell = `${first}${between}${last}@acme.example`;
			fc.pre([' ', '; '].every((end) => !readCell(`${first}${end}x@acme.example`, EMAIL).value));
			expect([cell, readCell(cell, EMAIL).value]).toEqual([cell, null]);
		}),
		{ numRuns: bySize(200, 1_000) },
	);
});
