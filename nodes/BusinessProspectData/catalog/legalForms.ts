/**
 * Legal forms of companies; the spellings in a group mean the same form. Case, dots, accents and spaces don't matter. The common
 * ones of cleanco's terms (https://github.com/psolin/cleanco) and of ISO 20275.
 */
export const LEGAL_FORMS: ReadonlyArray<readonly string[]> = `
	Inc, Incorporated | Corp, Corporation | Co, and Co, und Co | Ltd, Limited, L.t.d., Pty,
	Pty Ltd, Pty Limited, Proprietary Limited, Pte, Pte Ltd, Pte Limited, Pvt, Pvt Ltd, Pvt Limited,
	Private Limited, P Ltd | LLC, Limited Liability Company | PLLC | PLC, Public Limited Company |
	LP, Limited Partnership | LLP, Limited Liability Partnership | LLLP | PBC | CIC | FZE, FZ LLC, FZCO, FZC |
	DMCC |
	GmbH, mbH, Gesellschaft mit beschränkter Haftung, Ges.m.b.H. | gGmbH | UG, UG (haftungsbeschränkt),
	Unternehmergesellschaft | AG, Aktiengesellschaft | KG, Kommanditgesellschaft | GmbH & Co. KG, AG & Co. KG,
	UG & Co. KG, GmbH & Co | KGaA, GmbH & Co. KGaA, SE & Co. KGaA, AG & Co. KGaA | OHG | GbR | PartG, PartGmbB,
	PartG mbB | e.K., e.Kfr., e.Kfm. | e.U. | eG, eGen | e.V. |
	SE, Societas Europaea | EEIG, EWIV |
	S.A., S/A, SC SA, Société anonyme, Sociedad Anónima, Sociedade Anônima | SAS, S.A.S., Société par actions simplifiée |
	SASU | SARL, S.à r.l., Société à responsabilité limitée | EURL | SCA | SCS | SNC | SCOP | et Cie, Cie,
	et Compagnie | S.p.A., Società per azioni | S.r.l., S.r.l.s., SC SRL,
	Società a responsabilità limitata | S.a.p.a. |
	S.a.g.l. | Soc. Coop., Società Cooperativa | S.L., Sociedad Limitada | S.L.U. | S.A.U. | S. Coop. | y Cía |
	S.A. de C.V., S.A.P.I. de C.V., S.A.B. de C.V. | S. de R.L. de C.V., S. de R.L. | S.A.C. | EIRL | C.A. | Ltda,
	Limitada | EIRELI | Lda | SGPS |
	B.V., Besloten vennootschap | N.V., Naamloze vennootschap | BVBA, SPRL | CVBA, SCRL | V.O.F. | C.V. | VZW,
	ASBL |
	AB, Aktiebolag, AB (publ) | A/S, AS, Aktieselskab, Aksjeselskap | ASA | ApS, Anpartsselskab | K/S | IVS | Oy,
	Osakeyhtiö, Oy Ab | Oyj, Oyj Abp, Abp | Ky | Tmi | ehf | OÜ | SIA | UAB |
	Sp. z o.o., Spółka z o.o., Spółka z ograniczoną odpowiedzialnością | Sp. z o.o. Sp. k., Sp. k.,
	Sp. z o.o. S.K.A. | Sp. j. | s.r.o., spol. s r.o. | a.s., akc. spol. | v.o.s. | k.s. | Kft,
	Korlátolt felelősségű társaság | Zrt | Nyrt | d.o.o. | d.d. | j.d.o.o. | a.d. | EOOD | OOD | EAD | A.E. |
	E.P.E. | I.K.E. | OOO, ООО | OAO, ОАО | ZAO, ЗАО | PAO, ПАО | AO, АО | TOV, ТОВ | A.Ş., Anonim Şirketi |
	Ltd. Şti., Limited Şirketi |
	K.K., Kabushiki Kaisha, 株式会社, (株) | G.K., Godo Kaisha, 合同会社 | Y.K., 有限会社 | 有限公司, 有限责任公司 | 股份有限公司 | 주식회사, (주) |
	Bhd, Berhad, Sdn Bhd, Sendirian Berhad | PT, PT Tbk, Tbk | JSC, Joint Stock Company | W.L.L. | S.A.E. |
	S.A.O.G. | Q.S.C. | P.J.S.C.
`
	.split('|')
	.map((spellings) => spellings.split(',').map((spelling) => spelling.trim()));

/** Spellings of legal forms that are other words more often. With dots, they are legal forms. */
export const NOT_LEGAL_FORMS: readonly string[] = ['Spa', 'spa', 'EV', 'AE', 'AD', 'CA', 'CV'];

/** Legal forms that stand before the name, such as `OOO Example`. Others may be words there, as in SAS Institute. */
export const LEADING_LEGAL_FORMS: readonly string[] = [
	...['OOO', 'ООО', 'OAO', 'ОАО', 'ZAO', 'ЗАО', 'PAO', 'ПАО', 'АО', 'TOV', 'ТОВ', 'UAB'],
];

/** Legal forms that are written without a space before or after the name. */
export const ATTACHED_LEGAL_FORMS: readonly string[] = [
	...['株式会社', '(株)', '合同会社', '有限会社'],
	...['股份有限公司', '有限责任公司', '有限公司', '주식회사', '(주)'],
];
