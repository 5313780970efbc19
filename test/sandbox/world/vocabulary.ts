/** The words that the made-up data and the autocomplete suggestions share. */
import { words } from '../contract/schema';

export const PLACES = [
	['San Francisco', 'California', 'us-ca', 'United States'],
	['Los Angeles', 'California', 'us-ca', 'United States'],
	['New York', 'New York', 'us-ny', 'United States'],
	['Austin', 'Texas', 'us-tx', 'United States'],
	['Toronto', 'Ontario', 'ca-on', 'Canada'],
	['London', 'England', 'gb-eng', 'United Kingdom'],
	['Edinburgh', 'Scotland', 'gb-sct', 'United Kingdom'],
	['Berlin', 'Berlin', 'de-be', 'Germany'],
	['Munich', 'Bavaria', 'de-by', 'Germany'],
	['Paris', 'Ile-de-France', 'fr-idf', 'France'],
	['Amsterdam', 'North Holland', 'nl-nh', 'Netherlands'],
	['Madrid', 'Madrid', 'es-md', 'Spain'],
	['Stockholm', 'Stockholm', 'se-ab', 'Sweden'],
	['Sao Paulo', 'Sao Paulo', 'br-sp', 'Brazil'],
	['Sydney', 'New South Wales', 'au-nsw', 'Australia'],
	['Tel Aviv', 'Tel Aviv', 'il-ta', 'Israel'],
	['Bengaluru', 'Karnataka', 'in-ka', 'India'],
	['Singapore', 'Central Singapore', 'sg-01', 'Singapore'],
].map(([city = '', region = '', regionCode = '', country = '']) => ({
	city,
	region,
	/** ISO 3166-2 in lower case, such as `us-ca`. */
	regionCode,
	country,
	/** Two letters in lower case. */
	countryCode: regionCode.slice(0, 2),
}));

export type Place = (typeof PLACES)[number];

/** `<City>, <Region>, <CC>`. */
export const placeLabel = (place: Place): string =>
	`${place.city}, ${place.region}, ${place.countryCode.toUpperCase()}`;

/** `<Region>, <CC>`, as in the statistics result. */
export const regionLabel = (place: Place): string =>
	`${place.region}, ${place.countryCode.toUpperCase()}`;

/** Normalized departments, in the contract's spelling. */
export const DEPARTMENTS = [
	'retail,engineering,customer success,administration,education,security,healthcare',
	'public service,partnerships,creative,strategy,real estate,procurement,IT,data,c-suite',
	'manufacturing,support,logistics,product,sales,design,marketing,finance,R&D,trade',
	'human resources,legal,operations',
].flatMap((line) => line.split(','));

const SENIORITY: Readonly<Record<string, string>> = {
	'c-suite': 'cxo',
	'senior non-managerial': 'senior',
	'non-managerial': 'entry',
	'vice president': 'vp',
};
/** Normalized levels, in the contract's spelling, each with its form as a seniority level. */
export const LEVELS: Readonly<Record<string, string>> = Object.fromEntries(
	[
		'manager,president,senior manager,owner,advisor,freelancer,junior,director,c-suite,board member',
		'senior non-managerial,non-managerial,partner,vice president,founder',
	]
		.flatMap((line) => line.split(','))
		.map((level) => [level, SENIORITY[level] ?? level.replace(' ', '_')]),
);

export const TITLES = [
	['Chief Executive Officer', 'c-suite', 'c-suite'],
	['Chief Technology Officer', 'engineering', 'c-suite'],
	['Chief Financial Officer', 'finance', 'c-suite'],
	['Founder and Managing Partner', 'strategy', 'founder'],
	['Owner', 'retail', 'owner'],
	['President', 'operations', 'president'],
	['Board Advisor', 'strategy', 'advisor'],
	['Board Member', 'strategy', 'board member'],
	['Vice President of Sales', 'sales', 'vice president'],
	['Vice President of Marketing', 'marketing', 'vice president'],
	['Vice President Engineering', 'engineering', 'vice president'],
	['Director of Partnerships', 'partnerships', 'director'],
	['Director of Product', 'product', 'director'],
	['Director of Operations', 'operations', 'director'],
	['Senior Manager Procurement', 'procurement', 'senior manager'],
	['Sales Manager', 'sales', 'manager'],
	['Account Manager', 'sales', 'manager'],
	['Engineering Manager', 'engineering', 'manager'],
	['Human Resources Manager', 'human resources', 'manager'],
	['Customer Success Manager', 'customer success', 'manager'],
	['Senior Software Engineer', 'engineering', 'senior non-managerial'],
	['Senior Data Scientist', 'data', 'senior non-managerial'],
	['Legal Counsel', 'legal', 'non-managerial'],
	['IT Administrator', 'IT', 'non-managerial'],
	['Security Analyst', 'security', 'non-managerial'],
	['Product Designer', 'design', 'non-managerial'],
	['Junior Accountant', 'finance', 'junior'],
	['Freelance Copywriter', 'creative', 'freelancer'],
].map(([title = '', department = '', level = '']) => ({ title, department, level }));

export type Title = (typeof TITLES)[number];

const FREIGHT = 'transportation, logistics, supply chain and storage';
export const INDUSTRIES = [
	['Custom Software', 'software development', '541511', 'Custom Computer Programming Services'],
	['IT Consulting', 'it services and it consulting', '541512', 'Computer Systems Design Services'],
	['Cloud Hosting', 'technology, information and internet', '518210', 'Computing Infrastructure'],
	['Management Consulting', 'business consulting and services', '541611', 'Management Consulting'],
	['Advertising Agencies', 'advertising services', '541810', 'Advertising Agencies'],
	['Biotechnology', 'biotechnology research', '541714', 'Research in Biotechnology'],
	['Commercial Banks', 'banking', '522110', 'Commercial Banking'],
	['Insurance Brokers', 'insurance', '524210', 'Insurance Agencies and Brokerages'],
	['Hospitals', 'hospitals and health care', '622110', 'General Medical and Surgical Hospitals'],
	['Freight Forwarding', FREIGHT, '488510', 'Freight'],
	['Machine Builders', 'machinery manufacturing', '333248', 'Industrial Machinery Manufacturing'],
	['Online Stores', 'retail', '455110', 'Department Stores'],
].map(([search = '', network = '', naics = '', naicsLabel = '']) => ({
	search,
	network,
	naics,
	naicsLabel,
}));

export const FIRST_NAMES = words(
	'Ada Alan Aisha Bruno Carla Chen Dana Diego Elena Emil Fatima Felix Grace Hugo Ines Ivan Jana José ' +
		'Karim Lena Liam Lucía Maja Marco Mina Nadia Noah Olga Omar Paula Priya Quinn Rosa Samuel Sofia ' +
		'Tariq Uma Viktor Wanda Zoë',
);
export const LAST_NAMES = words(
	'Abbott Almeida Bauer Bernard Castro Cohen Costa Dahl Diaz Eriksson Fischer Fontaine García Gupta ' +
		'Hansen Hoffmann Ibrahim Jansen Jones Kaya Keller Kowalski Lang Larsen Levy Marino Meyer Moreau ' +
		'Müller Novak Okafor Oliveira Patel Reyes Rossi Sato Schmidt Silva Tanaka Weber',
);
export const COMPANY_FIRST_WORDS = words(
	'Amber Blue Cedar Copper Delta Eastern Falcon Golden Granite Harbor Iron Juniper Lunar Maple ' +
		'Northern Olive Pioneer Quartz River Silver Summit Timber Violet Western',
);
export const COMPANY_SECOND_WORDS = words(
	'Analytics Bridge Capital Cloud Dynamics Engines Foods Foundry Health Industries Instruments Labs ' +
		'Logistics Materials Media Networks Partners Robotics Software Systems',
);
export const SKILLS = words(
	'accounting analytics budgeting coaching copywriting forecasting hiring javascript leadership ' +
		'negotiation planning python reporting sales sql testing writing',
);
export const INTERESTS = words('chess cycling economics education hiking music sailing science');

/** Technologies by category; the categories carry the names of the technology stack's members. */
export const TECHNOLOGIES: Readonly<Record<string, readonly string[]>> = {
	prog_langs_and_frameworks: ['TypeScript', 'Python', 'Java', 'React'],
	platform_and_storage: ['PostgreSQL', 'Linux', 'Object Storage'],
	marketing: ['Campaign Mailer', 'Landing Page Builder'],
	sales: ['Deal Pipeline', 'Quote Desk'],
	customer_management: ['Contact Register', 'Ticket Desk'],
	devops_and_development: ['Kubernetes', 'Terraform', 'Git'],
	communications: ['Voice Bridge', 'Chat Rooms'],
	it_security: ['Single Sign-On', 'Firewall'],
	bi_and_analytics: ['Dashboards', 'Web Analytics'],
	finance_and_accounting: ['Ledger', 'Invoice Flow'],
	hr: ['Payroll', 'Applicant Tracking'],
};

/** Intent topics by category; a topic's full form is `<category>: <topic>`. */
const TOPICS_BY_CATEGORY: Readonly<Record<string, readonly string[]>> = {
	'Artificial Intelligence': ['Machine Learning', 'Language Models', 'Computer Vision'],
	'Cloud Computing': ['Cloud Migration', 'Hybrid Cloud', 'Cloud Cost Control'],
	'Cyber Security': ['Zero Trust', 'Endpoint Protection', 'Phishing, Awareness Training'],
	'Data Management': ['Data Warehouse', 'Data Governance', 'Streaming Data'],
	Finance: ['Expense Management', 'Invoice Automation', 'Credit Risk'],
	'Human Resources': ['Remote Work', 'Payroll Software', 'Employee Engagement'],
	Marketing: ['Marketing Automation', 'Search Advertising', 'Account Based Marketing'],
	Sales: ['Sales Enablement', 'Lead Scoring', 'Customer Relationship Management'],
};
export const TOPICS: readonly string[] = Object.entries(TOPICS_BY_CATEGORY).flatMap(
	([category, topics]) => topics.map((topic) => `${category}: ${topic}`),
);

export const COMPANY_AGES = ['0-3', '3-6', '6-10', '10-20', '20+'];
export const LOCATION_COUNTS = ['0-1', '2-5', '6-20', '21-50', '51-100', '101-1000', '1001+'];
