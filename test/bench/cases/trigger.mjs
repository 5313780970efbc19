// The trigger: one poll compared with hand-written code that sends the same requests.
import { createPoller } from '../../harness/poll.ts';
import { events } from '../byHand.mjs';
import { againstHand, shown } from '../measure.mjs';
import { account, trigger, withFetch, withHelper } from '../node.mjs';
import { idOf } from '../people.mjs';

const DAY_MS = 86_400_000;
const TYPES = [
	'prospect_changed_company',
	'prospect_changed_role',
	'prospect_job_start_anniversary',
];

let nodes = 0;

/** The first poll of a new trigger with Start From a day ago. */
async function poll(url, ids) {
	const poller = createPoller({
		node: trigger,
		...account(url),
		name: `Watch ${++nodes}`,
		parameters: {
			triggerOn: 'prospectEvent',
			ids: ids.join('\n'),
			options: {
				startFrom: new Date(Date.now() - DAY_MS).toISOString(),
				requests: { requestsPerPoll: 1_000 },
			},
		},
	});
	const { items } = await poller.poll();
	return items ?? [];
}

async function whole(url, count, rounds) {
	const ids = Array.from({ length: count }, (_, number) => idOf(number));
	const from = new Date(Date.now() - DAY_MS).toISOString();
	return await againstHand({
		what: `Trigger, ${shown(count)} IDs`,
		url,
		rounds,
		acts: {
			byFetch: async () => await events(withFetch(url), ids, from, TYPES, 4),
			byHelper: async () => await events(withHelper(url), ids, from, TYPES, 4),
			node: async () => await poll(url, ids),
		},
		items: count,
		expected: count / 40,
		rule: 'IDs ÷ 40',
	});
}

export async function run({ url, short }) {
	const { rows } = await whole(url, short ? 2_000 : 10_000, short ? 2 : 5);
	return rows;
}
