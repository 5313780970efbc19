/** What the service tells about a person, in the contract's field names. */
import { createHash } from 'node:crypto';
import { between, fraction, pick } from './hash';
import type { Company } from './companies';
import { CAREER_DATE, monthBefore, type Person } from './people';
import { LEVELS } from './vocabulary';

type Companies = (index: number) => Company;

export const professionalEmail = (person: Person, company: Company): string | null =>
	person.hasEmail ? `${person.mailbox}@${company.domain}` : null;

export const personalEmail = (person: Person): string | null =>
	person.hasEmail ? `${person.mailbox}@mailbox.example` : null;

/** Unique for each person; the digits end with the index. */
export const mobilePhone = (person: Person): string | null =>
	person.hasPhone ? `+1555${String(person.index).padStart(7, '0')}` : null;

const officePhone = (person: Person) => `+1444${String(person.index).padStart(7, '0')}`;

function experience(person: Person, companies: Companies) {
	const entry = (index: number, position: Person['position']) => {
		const { name, domain } = companies(index);
		return {
			company: { name, website: domain },
			title: { levels: [position.level, null], name: position.title },
		};
	};
	return [
		{
			...entry(person.company, person.position),
			start_date: monthBefore(person.currentRoleMonths),
			is_primary: true,
		},
		{
			...entry(person.previousCompany, person.previousPosition),
			start_date: monthBefore(person.totalExperienceMonths),
			end_date: monthBefore(person.currentRoleMonths),
			is_primary: false,
		},
	];
}

function common(person: Person, companies: Companies) {
	const company = companies(person.company);
	return {
		first_name: person.firstName,
		last_name: person.lastName,
		full_name: person.fullName,
		network_url_array: [person.network, person.networkById],
		country_name: person.place.country,
		region_name: person.place.region,
		city: person.place.city,
		network: person.network,
		experience: experience(person, companies),
		skills: person.skills,
		interests: person.interests,
		company_name: company.name,
		company_website: company.website,
		company_network: company.network,
		job_title: person.position.title,
		job_department_array: [person.position.department],
		job_department_main: person.position.department,
		job_level_array: [person.position.level],
		job_level_main: person.position.level,
	};
}

const seniority = (person: Person) => LEVELS[person.position.level] ?? person.position.level;

/** Contract: "Prospect record (returned by prospect search)". */
export function prospectRecord(person: Person, companies: Companies) {
	const company = companies(person.company);
	const email = professionalEmail(person, company);
	return {
		prospect_id: person.id,
		professional_email_hashed: email && createHash('sha256').update(email).digest('hex'),
		...common(person, companies),
		job_department: person.position.department,
		job_seniority_level: [seniority(person)],
		business_id: company.id,
	};
}

/** Contract: "Prospect profile data", bulk variant; `undefined` when there is none. */
export function profileOf(person: Person, companies: Companies) {
	if (!person.hasProfile) return undefined;
	const graduated = CAREER_DATE.year - Math.ceil(person.totalExperienceMonths / 12);
	return {
		...common(person, companies),
		age_group: person.ageGroup,
		gender: person.gender,
		education: [
			{
				degrees: ['bachelor'],
				majors: [pick(['economics', 'engineering', 'law', 'design'], person.id)],
				minors: [],
				school: { name: `${person.place.city} University` },
				start_date: String(graduated - 4),
				end_date: String(graduated),
			},
		],
		job_department: { name: person.position.department },
		job_seniority_level: seniority(person),
	};
}

/**
 * Contract: "Contact data"; `undefined` when there is none.
 * What `types` leaves out is null.
 */
export function contactsOf(
	person: Person,
	companies: Companies,
	types: readonly string[] = ['email', 'phone'],
) {
	const email = types.includes('email')
		? professionalEmail(person, companies(person.company))
		: null;
	const mobile = types.includes('phone') ? mobilePhone(person) : null;
	if (email === null && mobile === null) return undefined;
	return {
		emails: email && [
			{ address: email, type: 'current_professional' },
			{ address: personalEmail(person) ?? email, type: 'personal' },
		],
		professions_email: email,
		professional_email_status:
			email && pick(['valid', 'valid', 'valid', 'invalid', 'catch-all'], `${person.id}:status`),
		phone_numbers: mobile && [{ phone_number: mobile }, { phone_number: officePhone(person) }],
		mobile_phone: mobile,
	};
}

/** Contract: "Network post data": one entry per post, the newest first. */
export function postsOf(person: Person, now: Date) {
	return Array.from({ length: person.postCount }, (_, number) => {
		const key = `${person.id}:post ${number}`;
		const written = Date.UTC(CAREER_DATE.year, CAREER_DATE.month - 1, 1);
		const days = number * 30 + Math.floor(fraction(key) * 29);
		const time = new Date(written - days * 86_400_000 - between(0, 86_399, key) * 1000);
		return {
			display_name: number === 3 ? null : person.fullName,
			post_text: `${pick(['We are hiring.', 'Back from the fair.', 'Our new release is out.'], key)} (${number + 1})`,
			days_since_posted: Math.max(0, Math.floor((now.getTime() - time.getTime()) / 86_400_000)),
			post_url: `https://network.example/posts/${person.index}-${number + 1}`,
			number_of_comments: between(0, 40, `${key}:comments`),
			number_of_likes: between(0, 400, `${key}:likes`),
			created_at: time.toISOString().slice(0, 19),
		};
	});
}
