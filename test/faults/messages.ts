/** The message of each kind of failure: the problem, and what to do. Each problem matches one kind only. */

/** What the message for a paid request says of credits: it may have been charged, and perhaps was not retried for that. */
type Charge = 'notRetried' | 'charged';

export interface ExpectedMessage {
	readonly problem: RegExp;
	readonly solution: RegExp;
	readonly charge?: Charge;
}

const MAX_TRIES = /No further attempt was made, because Max Tries under Options > Requests is 3\./;

export const MESSAGES = {
	unreachable: {
		problem: /The service could not be reached/,
		solution: /Check Base URL in the credential/,
	},
	lost: {
		problem: /The connection was lost before the response was complete/,
		solution: MAX_TRIES,
		charge: 'notRetried',
	},
	timeout: {
		problem: /The service did not respond within 7 seconds/,
		solution: MAX_TRIES,
		charge: 'notRetried',
	},
	gateway: {
		problem: /The service did not respond in time \(HTTP (408|504)\)/,
		solution: MAX_TRIES,
		charge: 'notRetried',
	},
	failed: {
		problem: /The service failed \(HTTP 50[023]\)(?!.* so it was not sent again)/,
		solution: MAX_TRIES,
	},
	failedOnce: {
		problem: /The service failed \(HTTP 50[023]\).* so it was not sent again/,
		solution: /Check your credit usage/,
		charge: 'notRetried',
	},
	rateLimited: {
		problem: /The account has reached its rate limit \(HTTP 429\)/,
		solution: /Max Wait under Options > Requests allows 20\. Raise Max Wait/,
	},
	unauthorized: {
		problem: /did not accept the API key \(HTTP 401\)/,
		solution: /Check API Key.*in the credential/,
	},
	credits: { problem: /has no credits left .*\(HTTP 40[23]\)/, solution: /Add credits/ },
	permission: {
		problem:
			/is not allowed to make this request \(HTTP 403\): (This plan has no contacts|.* opted out)/,
		solution: /Check what your plan includes/,
	},
	wrongPath: {
		problem:
			/does not know the address \/v1\/\S+ \(HTTP 404\)|found nothing for this request \(HTTP 404\).* so Base URL is correct/,
		solution: /Check (Base URL in the credential|the values)/,
	},
	nothingAtPath: {
		problem: /found nothing at \/v1\/businesses\/stats \(HTTP 404\)/,
		solution: /Check Method, Path and Query Parameters, and Base URL in the credential/,
	},
	noSuchRecord: {
		problem: /has no such record \(HTTP 404\): (No such record|.* is unknown)\.(?! Other requests)/,
		solution: /Check the value\./,
	},
	accessDenied: {
		problem: /denies access to this record \(HTTP 403\): .* opted out\./,
		solution: /Remove this value, or ask the service's support for the reason/,
	},
	tooLarge: { problem: /was too large for the service \(HTTP 413\)/, solution: /lower Batch Size/ },
	redirect: {
		problem: /redirects to another one \(HTTP 30[2378]\).* was not followed/,
		solution: /Enter the service's own address as Base URL/,
	},
	invalid: {
		problem:
			/The service rejected (this value|the request|[0-9a-f]{32,40}|[A-Z][a-z]+ [A-Z][a-z]+) \(HTTP 4(00|03|04|22)\)/,
		solution: /Correct (this and try|or remove it, then run the row) again/,
	},
	reported: {
		problem: /reports that the request failed/,
		solution: /Try again later\. If it persists, send the correlation_id to the service's support/,
	},
	empty: { problem: /sent an empty response/, solution: /Try again later/, charge: 'charged' },
	webPage: {
		problem: /The service responded with a web page instead of data/,
		solution: /Check Base URL in the credential/,
		charge: 'charged',
	},
	invalidJson: {
		problem: /The response is incomplete or not valid JSON/,
		solution: /try again later/,
		charge: 'charged',
	},
	personMissing: {
		problem: /doesn't include this person/,
		solution: /Run the row again/,
		charge: 'charged',
	},
	companyUnknown: {
		problem: /so it is unknown whether it has this company/,
		solution: /Run the row again/,
	},
	missingRows: {
		problem: /(is|are) incomplete: The service sent \d+ of \d+ rows, even after a second request/,
		solution: /run again with Start Page [123] under Options/,
	},
	repeatedRows: {
		problem:
			/Page [23] is incomplete: (All|\d+ of \d+) rows were already on page [12], even after a second request/,
		solution: /run again with Start Page [23] under Options/,
	},
	idMissing: {
		problem: /doesn't include this ID, so it is unknown whether there is data for it/,
		solution: /Run the row again/,
		charge: 'charged',
	},
	noData: {
		problem: /The service's response contains no data/,
		solution: /Run the row again/,
		charge: 'charged',
	},
	unassigned: {
		problem:
			/rows? of the response (has|have) no ID, so it is unclear which of your rows (it belongs|they belong) to/,
		solution: /set Batch Size to 1 under Options > Requests/,
		charge: 'charged',
	},
	rowError: {
		problem:
			/(reported an error for this row|could not look this person up): quota exceeded \(QuotaError\)/,
		solution: /[Rr]un the row again later/,
	},
	unfinished: {
		problem: /The response was still incomplete after ten times the timeout of 7 seconds/,
		solution: /Try again later|Check your credit usage/,
		charge: 'notRetried',
	},
} satisfies Record<string, ExpectedMessage>;

export type Message = keyof typeof MESSAGES;

export const CHARGE_MESSAGES: Readonly<Record<Charge, RegExp>> = {
	notRetried:
		/may have processed the request and charged for it, so it was not sent again\. Check your credit usage/,
	charged: /may have processed the request and charged for it\./,
};
