/** Names of companies: what is a legal form, which names are alike, and which spellings are sent. */
import {
	areAlike,
	bareSpellingsOf,
	parseCompanyName,
	spellingsOf,
} from '../../../nodes/BusinessProspectData/identify/companyName';

test('the legal form of a name is not part of it', () => {
	const names = `Acme, Inc. | Acme,Inc. | Acme - Inc | Acme INCORPORATED | Acme GmbH | Acme G.m.b.H.
		| Acme GmbH & Co. KG | Acme UG (haftungsbeschränkt) | Acme Ltd. | Acme Limited | Acme (Pty) Ltd | Acme Pvt. Ltd.
		| Acme L.L.C. | Acme PLC | Acme Co., Ltd. | Acme & Co. | Acme S.A. | Acme S/A | Acme S.à r.l.
		| Acme S.p.A. | Acme SpA | Acme S.A. de C.V. | Acme B.V. | Acme AG | Acme SE | Acme A/S | Acme Oy | Acme AB (publ)
		| Acme Sp. z o.o. | Acme, s.r.o. | Acme A.Ş. | Acme K.K. | OOO Acme | ООО «Acme» | UAB Acme | UAB "Acme"
		| PT Acme Tbk | PT. Acme Tbk. | S.C. Acme S.R.L. | SC Acme SRL | Oy Acme Ab | Acme™ Inc. | Acme® GmbH`.split(
		/\s*\|\s*/,
	);
	const bare = names.map((name) => [name, parseCompanyName(name).bare]);

	expect(bare).toEqual(names.map((name) => [name, 'Acme']));
});

test.each([
	['Acme (UK) Limited', 'Acme (UK)'],
	['株式会社アクメ', 'アクメ'],
	['アクメ㈱', 'アクメ'],
	['艾克米有限公司', '艾克米'],
	// Names without a legal form.
	...[
		...['AG', 'Sp. z o.o.', 'Limited Brands', 'Day Spa', 'Corner Co-op', 'Acme Inc Partners'],
		'Procter & Gamble',
	].map((name) => [name, name]),
])('%s without its legal form is %s', (name = '', bare = '') => {
	expect(parseCompanyName(name).bare).toBe(bare);
});

test.each<[boolean, string, string]>([
	[true, 'Silver-Analytics', 'Silver Analytics'],
	[true, 'Société Générale', 'SOCIETE GENERALE'],
	[true, 'Møller', 'Moller'],
	[true, 'A.B.C. Trading', 'ABC Trading'],
	[true, "McDonald's", 'McDonalds'],
	[true, 'Acme Inc', 'Acme, Incorporated'],
	[true, 'Acme Ltd', 'Acme Co., Ltd.'],
	[true, 'PT Acme Tbk', 'Acme'],
	[true, 'Acme™', 'Acme'],
	[false, 'SAS Institute', 'Institute'],
	[false, 'Acme AG', 'Acme Ltd'],
	[false, 'Acme Inc', 'Acme Bank Inc'],
	[false, 'ガス', 'カス'],
])('it is %p that %s may be %s', (alike, one, other) => {
	const [a, b] = [parseCompanyName(one), parseCompanyName(other)];

	expect([areAlike(a, b), areAlike(b, a)]).toEqual([alike, alike]);
});

test('a name is sent with and without its legal form, in several cases', () => {
	const names = ['Cedar CAPITAL, Inc.', 'Cedar'];
	expect(spellingsOf(names)).toEqual([
		...['Cedar CAPITAL, Inc.', 'Cedar'],
		...['Cedar Capital, Inc.', 'cedar capital, inc.', 'CEDAR CAPITAL, INC.'],
		...['cedar', 'CEDAR'],
	]);
	expect(bareSpellingsOf(names)).toEqual([
		...['Cedar CAPITAL', 'Cedar Capital', 'cedar capital', 'CEDAR CAPITAL'],
	]);
	// What stands in front may be a legal form, or a word.
	expect(bareSpellingsOf(['SIA Cedar'])).toEqual(['Cedar', 'cedar', 'CEDAR']);
	expect(bareSpellingsOf(['UAB Cedar'])).toEqual(['Cedar', 'cedar', 'CEDAR']);
});
