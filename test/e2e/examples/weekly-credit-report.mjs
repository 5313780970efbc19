import assert from 'node:assert/strict';

const DAY_MS = 86_400_000;

export const settings = ({ inbox }) => ({ fillIn: { 'Send message': { url: inbox.url } } });

export async function check({ run, sandbox, inbox, timeZone }) {
	const { log } = sandbox;
	const result = await run('weekly-credit-report', 'Every Monday at 7');
	assert.equal(result.status, 'success', result.error);

	const [before, last, byEndpoint, ...more] = log.requestsTo('credits').map(({ body }) => body);
	assert.deepEqual(more, []);
	assert.equal(log.requestsTo().length, 3);

	// Monday to Sunday, in n8n's time zone: the last whole week, and the one before.
	const wall = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		fractionalSecondDigits: 3,
	});
	const at = (moment, type) =>
		wall.formatToParts(new Date(moment)).find((part) => part.type === type)?.value;
	for (const { from_date: from, to_date: to, timezone } of [before, last, byEndpoint]) {
		assert.match(wall.format(new Date(from)), /^Mon.*00:00:00\.000$/);
		assert.match(wall.format(new Date(to)), /^Sun.*23:59:59\.999$/);
		assert.equal(timezone, timeZone);
	}
	assert.equal(Date.parse(before.to_date) + 1, Date.parse(last.from_date));
	const age = Date.now() - Date.parse(last.to_date);
	assert.ok(age > 0 && age < 7.1 * DAY_MS, `the last week ended ${age / DAY_MS} days ago`);
	assert.deepEqual([last.mode, byEndpoint.mode], ['timely', 'endpoints']);
	const resolutions = [before, last, byEndpoint].map(({ resolution }) => resolution);
	assert.deepEqual(resolutions, ['day', 'day', 'month']);
	assert.deepEqual([byEndpoint.from_date, byEndpoint.to_date], [last.from_date, last.to_date]);

	// Each day asked for by itself.
	async function creditsOf(from, to) {
		const response = await fetch(`${sandbox.url}/v1/credits/aggregation`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', api_key: sandbox.apiKey },
			body: JSON.stringify({ from_date: from, to_date: to, mode: 'timely', resolution: 'hour' }),
		});
		return (await response.json()).total_credits;
	}
	const total = await creditsOf(last.from_date, last.to_date);
	const totalBefore = await creditsOf(before.from_date, before.to_date);
	const days = result.rows('Rows per day');
	assert.equal(days.length, 7);
	for (const [place, { timestamp, credits }] of days.entries()) {
		const next = days[place + 1]?.timestamp ?? last.to_date;
		assert.ok(credits > 0);
		assert.equal(credits, await creditsOf(timestamp, next), timestamp);
	}
	const endpoints = result.rows('Rows per endpoint');
	assert.equal(
		endpoints.reduce((sum, { credits }) => sum + credits, 0),
		total,
	);
	assert.ok(
		endpoints.some(({ endpoint }) => endpoint.endsWith('contacts_information/bulk_enrich')),
	);

	const shortOf = (moment) => `${at(moment, 'day')} ${at(moment, 'month')}`;
	assert.deepEqual(inbox.take(), [
		[
			`Credits from ${shortOf(last.from_date)} to ${shortOf(last.to_date)}: ${total} (week before: ${totalBefore})`,
			...days.map(
				({ timestamp, credits }) => `${at(timestamp, 'weekday')} ${shortOf(timestamp)}: ${credits}`,
			),
			...endpoints.map(({ endpoint, credits }) => `${endpoint}: ${credits}`),
		].join('\n'),
	]);
}
