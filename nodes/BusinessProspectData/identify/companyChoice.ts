import type { IDataObject } from 'n8n-workflow';
import { groupBy } from '../core/collections';
import { asText, isEmpty, textOf } from '../core/json';
import { removeInvisible } from '../core/text';
import { parseWebAddress } from '../parameters/webAddresses';
import { areAlike, comparableName, parseCompanyName } from './companyName';

export interface CompanyInput {
	readonly companyName: string;
	/** Empty if the item has none. */
	readonly website: string;
}

/** `company_name` and `company_website` are as the service writes them, or null. */
export interface Company extends IDataObject {
	readonly business_id: string;
}

/** A company, or a name that the service suggests, which has no ID. */
type Candidate = IDataObject & { readonly business_id: string | null };

export const suggestedCandidate = (name: string): Candidate => ({
	business_id: null,
	company_name: name,
	company_website: null,
});

/** If no company is chosen, `candidates` has the companies that fit or, if none fits, all companies that were found. */
export type CompanyChoice = (
	| { readonly company: Company; readonly candidates?: undefined }
	| { readonly company?: undefined; readonly candidates: readonly Candidate[] }
) & {
	/** True if no company of another spelling can fit better. */
	readonly isClose?: boolean;
};

/** The simplified form of `candidates`: text, because CRMs take no lists. Null if there are none. */
export function candidateFields(candidates: readonly IDataObject[]): IDataObject {
	const names = candidates.map(({ business_id: id, company_name: name, company_website: site }) => {
		const address = textOf(site);
		const label = [textOf(name).trim(), address && `(${address})`].filter(Boolean).join(' ');
		return label || textOf(id);
	});
	return {
		candidate_names: names.join('; ') || null,
		// A name that the service suggests has no ID.
		candidate_ids: candidates.flatMap(({ business_id: id }) => id ?? []).join('; ') || null,
	};
}

function siteOf(website: string): { readonly host: string; readonly path: string } | undefined {
	const address = removeInvisible(website).trim();
	const parsed = /[\s,;|]/.test(address) ? undefined : parseWebAddress(address);
	if (parsed === undefined) return undefined;
	return { host: parsed.host, path: parsed.path.replace(/(?<!\/)\/+$/, '').toLowerCase() };
}

export const companyKey = ({ companyName, website }: CompanyInput): string =>
	JSON.stringify([comparableName(companyName), siteOf(website)]);

/** Decides which company is found: the name as it is written, and the website that is read from the cell. */
export function companyQuestion({ companyName, website }: CompanyInput): string {
	const { host, path } = siteOf(website) ?? {};
	return `${JSON.stringify(companyName)}${host === undefined ? '' : `, website: ${host}${path}`}`;
}

/**
 * Chooses the company that an item means, given the people found (contract: Prospect record). A name that is only alike, and a
 * website that is only part of the same domain, count if nothing fits better, the latter only with the same name. They never
 * decide between companies.
 */
export function chooseCompany(
	people: readonly IDataObject[],
	{ companyName, website }: CompanyInput,
): CompanyChoice {
	const name = comparableName(companyName);
	const hasName = ({ company_name: own }: IDataObject) => comparableName(textOf(own)) === name;
	const parsed = parseCompanyName(companyName);
	const isAlike = ({ company_name: own }: IDataObject) =>
		areAlike(parseCompanyName(textOf(own)), parsed);
	const hasForms = ({ company_name: own }: IDataObject) => {
		const { key, forms } = parseCompanyName(textOf(own));
		return key === parsed.key && forms.join() === parsed.forms.join();
	};
	const site = siteOf(website);
	const fitsWebsite = (person: IDataObject): boolean => {
		const own = siteOf(textOf(person.company_website));
		if (own === undefined || own.host !== site?.host) return false;
		// Companies that have pages on the same social network share its host.
		const isOtherPage = own.path !== site.path && own.path !== '' && site.path !== '';
		return !isOtherPage || isAlike(person);
	};
	const fitsDomain = (person: IDataObject): boolean => {
		const own = siteOf(textOf(person.company_website))?.host ?? '';
		const host = site?.host ?? '';
		// For example, `de.acme.example` and `acme.example`.
		return (own.endsWith(`.${host}`) || host.endsWith(`.${own}`)) && hasForms(person);
	};
	const rules = site === undefined ? [hasName, hasForms, isAlike] : [fitsWebsite, fitsDomain];
	for (const fits of rules) {
		const fitting = companiesOf(people.filter(fits));
		if (fitting.length === 0) continue;
		const named = fitting.filter(hasName);
		const [company, ...others] = named.length === 1 ? named : fitting;
		const isClose = fits !== isAlike;
		return company !== undefined && others.length === 0
			? { company, isClose }
			: { candidates: fitting, isClose };
	}
	return { candidates: companiesOf(people), isClose: false };
}

export function companiesOf(people: readonly IDataObject[]): Company[] {
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
