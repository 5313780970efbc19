import { MAX_CREDIT_RANGES } from '../../catalog/service';
import { dateTime } from '../../runtime/dates';
import { choice, text } from '../../runtime/parameters';
import { outputParameter } from '../outputChoice';

export const fromDate = dateTime({
	displayName: 'From',
	name: 'fromDate',
	type: 'dateTime',
	default: '',
	required: true,
	description:
		'Start of the range, such as 2026-05-31T09:00:00. Without a time zone of its own, Time Zone applies.',
});

export const toDate = dateTime({
	displayName: 'To',
	name: 'toDate',
	type: 'dateTime',
	default: '',
	required: true,
	description:
		'End of the range, such as 2026-05-31T09:00:00. Without a time zone of its own, Time Zone applies.',
});

export const mode = choice({
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	default: 'timely',
	options: [
		{ name: 'By Endpoint', value: 'endpoints', description: 'Credits of each endpoint' },
		{ name: 'By Time', value: 'timely', description: 'Credits of each hour, day or month' },
	],
	description: 'How the credits are broken down',
});

export const resolution = choice({
	displayName: 'Resolution',
	name: 'resolution',
	type: 'options',
	default: 'day',
	options: [
		{ name: 'Day', value: 'day' },
		{ name: 'Hour', value: 'hour' },
		{ name: 'Month', value: 'month' },
	],
	description: `Length of one point. By Time, a range longer than ${MAX_CREDIT_RANGES.hour.words} (hour), ${MAX_CREDIT_RANGES.day.words} (day) or ${MAX_CREDIT_RANGES.month.words} (month) takes several requests; By Endpoint it is refused.`,
});

export const timezone = text({
	displayName: 'Time Zone',
	name: 'timezone',
	type: 'string',
	default: '',
	placeholder: 'e.g. Europe/Berlin',
	description: "Zone in which days begin. Empty: the workflow's time zone.",
});

export const output = outputParameter(
	{ name: 'Points', value: 'points', description: 'One row for each point' },
	'One row with the total and all points',
);
