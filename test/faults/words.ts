/** The words that each kind of failure must be told in: what went wrong, and what to do. No two are alike. */

/** What is said of credits where the request cost some: that it may have been charged and was not sent again, or only that. */
type Charge = 'unsent' | 'charged';

export interface Words {
	readonly what: RegExp;
	readonly toDo: RegExp;
	readonly charge?: Charge;
}

const TRIED = /The request was sent 3 times \(Max Tries under Options > Requests\)/;

export const WORDS = {
	unreachable: {
		what: /The service could not be reached/,
		toDo: /Check Base URL in the credential/,
	},
	lost: {
		what: /The connection was lost before the response was complete/,
		toDo: TRIED,
		charge: 'unsent',
	},
	timeout: {
		what: /The service did not respond within 7 seconds/,
		toDo: TRIED,
		charge: 'unsent',
	},
	gateway: {
		what: /The service did not respond in time \(HTTP (408|504)\)/,
		toDo: TRIED,
		charge: 'unsent',
	},
	failed: { what: /The service failed \(HTTP 50[023]\)/, toDo: TRIED },
	limited: {
		what: /The account has reached its rate limit \(HTTP 429\)/,
		toDo: /Max Wait under Options > Requests allows 20\. Raise Max Wait/,
	},
	key: {
		what: /did not accept the API key \(HTTP 401\)/,
		toDo: /Check API Key.*in the credential/,
	},
	credits: { what: /has no credits left .*\(HTTP 40[23]\)/, toDo: /Add credits/ },
	permission: {
		what: /is not allowed to make this request \(HTTP 403\): (This plan has no contacts|.* opted out)/,
		toDo: /Check what your plan includes/,
	},
	address: {
		what: /has no endpoint \/v1\/\S+ \(HTTP 404\)|found nothing for this request \(HTTP 404\).* so Base URL is correct/,
		toDo: /Check (Base URL in the credential|the values)/,
	},
	record: {
		what: /has no such record \(HTTP 404\): (No such record|.* is unknown)\.(?! Other requests)/,
		toDo: /Check the value\./,
	},
	withheld: {
		what: /denies access to this record \(HTTP 403\): .* opted out\./,
		toDo: /Remove this value, or ask the service for the reason/,
	},
	large: { what: /was too large for the service \(HTTP 413\)/, toDo: /lower Batch Size/ },
	redirect: {
		what: /responded with a redirect \(HTTP 30[2378]\).* was not followed/,
		toDo: /Enter the service's own address as Base URL/,
	},
	refused: {
		what: /The service rejected (this value|the request|[0-9a-f]{32,40}) \(HTTP 4(00|03|04|22)\)/,
		toDo: /Correct (this and try|or remove it, then run the row) again/,
	},
	reported: {
		what: /reports that the request failed/,
		toDo: /Try again later\. If it persists, send the correlation_id to the service's support/,
	},
	empty: { what: /sent an empty response/, toDo: /Try again later/, charge: 'charged' },
	page: {
		what: /The service responded with a web page instead of data/,
		toDo: /Check Base URL in the credential/,
		charge: 'charged',
	},
	cut: {
		what: /The service responded with incomplete or invalid JSON/,
		toDo: /try again later/,
		charge: 'charged',
	},
	leftOut: { what: /doesn't include this person/, toDo: /Run the row again/ },
	lacks: {
		what: /(is|are) incomplete: The service sent \d+ of \d+ rows, even after a second request/,
		toDo: /run again with Start Page [123] under Options/,
	},
	repeats: {
		what: /Page [23] is incomplete: (All|\d+ of \d+) rows were already on page [12], even after a second request/,
		toDo: /run again with Start Page [23] under Options/,
	},
	idLeftOut: {
		what: /doesn't include this ID, so it is unknown whether there is data for it/,
		toDo: /Run the row again/,
		charge: 'charged',
	},
	noData: {
		what: /The service's response contains no data/,
		toDo: /Run the row again/,
		charge: 'charged',
	},
	nobodys: {
		what: /rows? of the response (has|have) no ID, so (it|they) can't be assigned/,
		toDo: /set Batch Size to 1 under Options > Requests/,
		charge: 'charged',
	},
} satisfies Record<string, Words>;

export type Failing = keyof typeof WORDS;

/** What a message must say of credits, for a request that cost some and for one that was free. */
export const CHARGES: Readonly<Record<Charge, RegExp>> = {
	unsent:
		/may have processed the request and charged for it, so it was not sent again\. Check your credit usage/,
	charged: /may have processed the request and charged for it\./,
};
