/** Names of companies: what is a legal form, which names are alike, and which spellings are sent. */
import {
	areAlike,
	bareSpellingsOf,
	parseCompanyName,
	spellingsOf,
} from '../../../../nodes/BusinessProspectData/identify/companyName';

test.each([
	['Cedar Capital, Inc.', 'Cedar Capital'],
	['Cedar Capital,Inc.', 'Cedar Capital'],
	['Cedar Capital - Inc', 'Cedar Capital'],
	['CEDAR CAPITAL INCORPORATED', 'CEDAR CAPITAL'],
	['Acme GmbH', 'Acme'],
	['Acme G.m.b.H.', 'Acme'],
	['Acme GmbH & Co. KG', 'Acme'],
	['Acme UG (haftungsbeschränkt)', 'Acme'],
	['Acme Ltd.', 'Acme'],
	['Acme Limited', 'Acme'],
	['Acme (Pty) Ltd', 'Acme'],
	['Acme Pty', 'Acme'],
	['Acme (UK) Limited', 'Acme (UK)'],
	['Acme Pvt. Ltd.', 'Acme'],
	['Acme L.L.C.', 'Acme'],
	['Acme PLC', 'Acme'],
	['Acme Co., Ltd.', 'Acme'],
	['Acme & Co.', 'Acme'],
	['Acme and Company', 'Acme'],
	['Acme S.A.', 'Acme'],
	['Acme S/A', 'Acme'],
	['Société Acmé SAS', 'Société Acmé'],
	['Acme S.à r.l.', 'Acme'],
	['Acme S.p.A.', 'Acme'],
	['Acme SpA', 'Acme'],
	['Acme S.A. de C.V.', 'Acme'],
	['Acme B.V.', 'Acme'],
	['Acme AG', 'Acme'],
	['Acme Aktiengesellschaft', 'Acme'],
	['Acme SE', 'Acme'],
	['Acme A/S', 'Acme'],
	['Acme Oy', 'Acme'],
	['Acme AB (publ)', 'Acme'],
	['Acme Sp. z o.o.', 'Acme'],
	['Acme, s.r.o.', 'Acme'],
	['Acme A.Ş.', 'Acme'],
	['Acme K.K.', 'Acme'],
	['株式会社アクメ', 'アクメ'],
	['アクメ㈱', 'アクメ'],
	['艾克米有限公司', '艾克米'],
	['OOO Acme', 'Acme'],
	['PT Acme Tbk', 'Acme'],
	['X Corp.', 'X'],
	// Names without a legal form.
	['AG', 'AG'],
	['Sp. z o.o.', 'Sp. z o.o.'],
	['Limited Brands', 'Limited Brands'],
	['Day Spa', 'Day Spa'],
	['Corner Co-op', 'Corner Co-op'],
	['Acme Inc Partners', 'Acme Inc Partners'],
	['Procter & Gamble', 'Procter & Gamble'],
])('%s without its legal form is %s', (name, bare) => {
	expect(parseCompanyName(name).bare).toBe(bare);
});

test.each<[boolean, string, string]>([
	[true, 'Silver-Analytics', 'Silver Analytics'],
	[true, 'Silver & Sons', 'silver and sons'],
	[true, 'Société Générale', 'SOCIETE GENERALE'],
	[true, 'Møller', 'Moller'],
	[true, 'A.B.C. Trading', 'ABC Trading'],
	[true, "McDonald's", 'McDonalds'],
	[true, 'Acme', 'Acme, Inc.'],
	[true, 'Acme Inc', 'Acme, Incorporated'],
	[true, 'Acme Ltd', 'Acme Co., Ltd.'],
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
});

test('long text takes no longer than its length', () => {
	// Other programs slow down some of the runs.
	const fastest = (length: number) => {
		const name = `${' , ('.repeat(length)}Acme${' &'.repeat(length)} Bank Inc.`;
		const times = Array.from({ length: 7 }, () => {
			const start = performance.now();
			parseCompanyName(name);
			return performance.now() - start;
		});
		return Math.min(...times);
	};
	const short = fastest(5_000);

	// With the square of its length it would be 64 times as long.
	expect(fastest(40_000) / short).toBeLessThan(30);
});
