import { LIMITS } from '../contract/limits';
import type { Company } from './companies';
import type { BusinessParameters, Surroundings } from './business-data';
import { between } from './hash';
import { TOPICS } from './vocabulary';

/** Monday of the week, as `YYYYMMDD`: the data come weekly. */
function weekStamp(now: Date): string {
	const day = (now.getUTCDay() + 6) % 7;
	const monday = new Date(now.getTime() - day * 86_400_000);
	return monday.toISOString().slice(0, 10).replaceAll('-', '');
}

function levelOfIntent(company: Company, share: number): string {
	if (share > 0.25) return company.index % 7 === 0 ? 'In Depth Research' : 'In-Depth Research';
	return share >= 0.05 ? 'Active Research' : 'Early Research';
}

/** Contract: "Intent data". */
export function intent(company: Company, given: BusinessParameters, around: Surroundings) {
	const about = {
		business_id: company.id,
		company_name: company.name,
		company_website: company.website,
	};
	const nothing = { intent_topics: null, level_of_intent: null, topic_count: null };
	if (company.index % 12 === 11) return { ...about, date_stamp: null, ...nothing };
	const wanted = given.topics?.flatMap((entry) => entry.split(';')).map((entry) => entry.trim());
	const requested = wanted && wanted.length > 0 ? [...new Set(wanted)] : undefined;
	const date = weekStamp(around.now);
	const threshold = given.min_score ?? LIMITS.minScoreAbove;
	const returned = TOPICS.filter((topic) => requested?.includes(topic) ?? true)
		.map((topic) => ({
			topic,
			category: topic.slice(0, topic.indexOf(': ')),
			composite_score: between(30, 100, `${company.id}:${topic}`),
			date,
		}))
		.filter((topic) => topic.composite_score >= threshold);
	const evaluated = requested?.length ?? TOPICS.length;
	return {
		...about,
		date_stamp: date,
		intent_topics: JSON.stringify(returned),
		level_of_intent: requested ? levelOfIntent(company, returned.length / requested.length) : null,
		topic_count: `${returned.length} / ${evaluated}`,
	};
}
