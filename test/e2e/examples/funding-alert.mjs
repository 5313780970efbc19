import assert from 'node:assert/strict';
import { eventRecord } from '../../sandbox/world/events.ts';
import { BUSINESS_DATA } from '../../sandbox/world/business-data.ts';

const ID = 'funding-alert';
const TRIGGER = 'When an account raises money';
const DAY_MS = 86_400_000;
/** n8n refuses a poll time of less than a minute, but takes several of a minute each. */
const EVERY_FEW_SECONDS = Array.from({ length: 15 }, (_, at) => ({
	mode: 'custom',
	cronExpression: `${at * 4} * * * * *`,
}));

export const settings = ({ sandbox: { world }, inbox }) => ({
	fillIn: {
		[TRIGGER]: { ids: world.businessIds(45).join('\n') },
		'Send message': { url: inbox.url },
	},
	faster: { [TRIGGER]: { pollTimes: { item: EVERY_FEW_SECONDS } } },
});

export async function check({ run, whileActive, eventually, sandbox, inbox, timeZone }) {
	const { log, world } = sandbox;
	const around = { company: world.company, companies: world.companies, now: new Date() };
	const evening = new Date().setUTCHours(23, 30, 0, 0);
	const plant = (business, name, time) =>
		eventRecord(world.addEvent({ business, event_name: name, time: new Date(time) }));

	/** @param {any} event */
	function messageOf(event, withHistory = true) {
		const { business_id: id, event_name: name, event_time: time, data } = event;
		const history = withHistory
			? BUSINESS_DATA.fundingAndAcquisition(world.company(world.businessIndex(id)), {}, around)
			: undefined;
		const day = new Intl.DateTimeFormat('en-GB', {
			day: 'numeric',
			month: 'short',
			year: 'numeric',
			timeZone,
		}).format(new Date(time));
		return [
			`${history?.company_name ?? `Account ${id}`}: ${name.replaceAll('_', ' ')} on ${day}`,
			name === 'new_investment' &&
				` of ${data.investment_amount} in ${data.investment_target} (${data.investment_type})`,
			'.',
			history &&
				` Known rounds: ${history.number_of_funding_rounds}, the last one ${history.last_funding_round_type} with ${history.last_funding_round_value_usd} USD.`,
			` ${data.link}`,
		]
			.filter(Boolean)
			.join('');
	}

	// Company 7 has no funding data, company 60 is not watched.
	const events = [
		plant(0, 'new_funding_round', evening - 6 * DAY_MS),
		plant(44, 'new_investment', evening - 5 * DAY_MS),
		plant(7, 'ipo_announcement', evening - 4 * DAY_MS),
		plant(0, 'new_investment', evening - 3 * DAY_MS),
	];
	plant(2, 'new_office', evening - 2 * DAY_MS);
	plant(60, 'new_funding_round', evening - DAY_MS);

	// By hand: the latest events, the oldest first.
	const byHand = await run(ID, TRIGGER);
	assert.equal(byHand.status, 'success', byHand.error);
	assert.deepEqual(
		inbox.take(),
		events.map((event) => messageOf(event)),
	);
	assert.deepEqual(log.count('businessEvents'), { requests: 2, ids: 45, unique: 45, repeated: [] });
	assert.deepEqual(log.count('fundingAndAcquisition'), {
		requests: 1,
		ids: 3,
		unique: 3,
		repeated: [],
	});
	assert.equal(log.requestsTo().length, 3);

	// Without the funding data the message goes out all the same.
	const broken = sandbox.fault({
		when: { to: 'fundingAndAcquisition' },
		times: 'always',
		do: { kind: 'status', status: 403 },
	});
	const without = await run(ID, TRIGGER);
	broken.remove();
	assert.equal(without.status, 'success', without.error);
	assert.deepEqual(
		inbox.take(),
		events.map((event) => messageOf(event, false)),
	);

	// By itself: what happens from now on.
	log.clear();
	await whileActive(ID, async () => {
		const polled = async (times) =>
			await eventually(() => log.count('businessEvents').requests >= 2 * times);
		await polled(1);
		const happened = [
			plant(3, 'new_funding_round', Date.now()),
			plant(44, 'ipo_announcement', Date.now()),
		];
		plant(3, 'new_product', Date.now());
		const messages = [];
		await eventually(() => messages.push(...inbox.take()) >= happened.length);
		log.clear();
		await polled(2);
		messages.push(...inbox.take());
		assert.deepEqual(messages.sort(), happened.map((event) => messageOf(event)).sort());
	});
}
