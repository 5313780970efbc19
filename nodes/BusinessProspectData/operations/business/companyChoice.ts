import type { IDataObject } from 'n8n-workflow';
import { groupBy } from '../../core/collections';
import { asText, isEmpty } from '../../core/json';
import { normalizeSpaces, removeInvisible } from '../../core/text';
import { parseWebAddress } from '../../parameters/cells';

export interface CompanyInput {
	readonly companyName: string;
	/** Empty if the item has none. */
	readonly website: string;
}

/** `company_name` and `company_website` are as the service writes them, or null. */
export interface Company extends IDataObject {
	readonly business_id: string;
}

/** If no company is chosen, `candidates` has the companies that fit or, if none fits, all companies that were found. */
type CompanyChoice =
	| { readonly company: Company; readonly candidates?: undefined }
	| { readonly company?: undefined; readonly candidates: readonly Company[] };

export const CANDIDATE_FIELDS = ['candidate_names', 'candidate_ids'] as const;

/** The simplified form of `candidates`: text, because CRMs take no lists. Null if there are none. */
export function candidateFields(candidates: readonly IDataObject[]): IDataObject {
	const names = candidates.map(({ business_id: id, company_name: name, company_website: site }) => {
		const address = textOf(site);
		const label = [textOf(name).trim(), address && `(${address})`].filter(Boolean).join(' ');
		return label || textOf(id);
	});
	return {
		candidate_names: names.join('; ') || null,
		candidate_ids: candidates.map(({ business_id: id }) => id).join('; ') || null,
	};
}

/** Empty for a blank name. */
export const comparableName = (name: string): string =>
	normalizeSpaces(removeInvisible(name.normalize('NFKC'))).toLowerCase();

/** Varies the spelling of each name, because the service may compare names exactly. */
export const spellingsOf = (inputs: readonly CompanyInput[]): string[] => {
	const names = inputs.flatMap(({ companyName: name }) => [
		name,
		removeInvisible(name.normalize('NFKC')),
	]);
	const inCases = names.flatMap((name) => {
		const lower = name.toLowerCase();
		const title = lower.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
		return [title, lower, name.toUpperCase()];
	});
	return [...new Set([...names, ...inCases])];
};

function siteOf(website: string): { readonly host: string; readonly path: string } | undefined {
	const address = removeInvisible(website).trim();
	const parsed = /[\s,;|]/.test(address) ? undefined : parseWebAddress(address);
	if (parsed === undefined) return undefined;
	return { host: parsed.host, path: parsed.path.replace(/\/+$/, '').toLowerCase() };
}

export const companyKey = ({ companyName, website }: CompanyInput): string =>
	JSON.stringify([comparableName(companyName), siteOf(website)]);

const textOf = (value: unknown): string => asText(value) ?? '';

/** Chooses the company that an item means, given the people found (contract: Prospect record). */
export function chooseCompany(
	people: readonly IDataObject[],
	{ companyName, website }: CompanyInput,
): CompanyChoice {
	const name = comparableName(companyName);
	const hasName = ({ company_name: own }: IDataObject) => comparableName(textOf(own)) === name;
	const site = siteOf(website);
	const fits = (person: IDataObject): boolean => {
		if (site === undefined) return hasName(person);
		const own = siteOf(textOf(person.company_website));
		if (own?.host !== site.host) return false;
		// Companies that have pages on the same social network share its host.
		const isOtherPage = own.path !== site.path && own.path !== '' && site.path !== '';
		return !isOtherPage || hasName(person);
	};
	const fitting = companiesOf(people.filter(fits));
	const named = fitting.filter(hasName);
	const [company, ...others] = named.length === 1 ? named : fitting;
	if (company !== undefined && others.length === 0) return { company };
	return { candidates: fitting.length > 0 ? fitting : companiesOf(people) };
}

function companiesOf(people: readonly IDataObject[]): Company[] {
	const byId = groupBy(people, ({ business_id: id }) => asText(id));
	return [...byId].flatMap(([id, own]) => {
		if (id === undefined) return [];
		const valueOf = (field: string) =>
			own.map((person) => person[field]).find((value) => !isEmpty(value)) ?? null;
		return [
			{
				business_id: id,
				company_name: valueOf('company_name'),
				company_website: valueOf('company_website'),
			},
		];
	});
}
