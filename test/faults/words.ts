/** The words that each kind of failure must be told in: what went wrong, and what to do. No two are alike. */

/** What is said of credits where the request cost some: that it may have been charged and was not sent again, or only that. */
type Charge = 'unsent' | 'charged';

export interface Words {
	readonly what: RegExp;
	readonly toDo: RegExp;
	readonly charge?: Charge;
}

const TRIED = /It was tried 3 times \(Max Tries under Options\)/;

export const WORDS = {
	unreachable: {
		what: /The service could not be reached/,
		toDo: /Check Base URL in the credential/,
	},
	lost: {
		what: /The connection was lost before the answer was complete/,
		toDo: TRIED,
		charge: 'unsent',
	},
	timeout: {
		what: /The service gave no answer within 7 seconds/,
		toDo: TRIED,
		charge: 'unsent',
	},
	gateway: {
		what: /The service gave no answer in time \(HTTP (408|504)\)/,
		toDo: TRIED,
		charge: 'unsent',
	},
	failed: { what: /The service failed \(HTTP 50[023]\)/, toDo: TRIED },
	limited: {
		what: /The account's rate limit is used up \(HTTP 429\)/,
		toDo: /Max Wait under Options allows 20\. Raise Max Wait/,
	},
	key: {
		what: /did not accept the API key \(HTTP 401\)/,
		toDo: /Check API Key.*in the credential/,
	},
	credits: { what: /has no credits left .*\(HTTP 40[23]\)/, toDo: /Add credits/ },
	permission: {
		what: /is not allowed to ask for this \(HTTP 403\): (This plan has no contacts|.* opted out)/,
		toDo: /Check what your plan includes/,
	},
	address: {
		what: /does not know the address \/v1\/\S+ \(HTTP 404\)|does not have what was asked for \(HTTP 404\).* so the address is right/,
		toDo: /Check (Base URL in the credential|the values that were sent)/,
	},
	record: {
		what: /does not have what was asked for \(HTTP 404\): (No such record|.* is unknown)\.(?! Other requests)/,
		toDo: /Check the value that was sent/,
	},
	withheld: {
		what: /does not give out what was asked for \(HTTP 403\): .* opted out\./,
		toDo: /Leave this value out, or ask the service why/,
	},
	large: { what: /was too large for the service \(HTTP 413\)/, toDo: /smaller Batch Size/ },
	redirect: {
		what: /answered with a redirect \(HTTP 30[2378]\)\. It was not followed/,
		toDo: /Put the service's own address into Base URL/,
	},
	refused: {
		what: /The service refused (this value|the request|[0-9a-f]{32,40}) \(HTTP 4(00|03|04|22)\)/,
		toDo: /Correct (that and|or remove it, then) run (it|the row) again/,
	},
	reported: {
		what: /reports that the request failed/,
		toDo: /Try again later; if it stays, give the correlation ID to the service's support/,
	},
	empty: { what: /sent an empty answer/, toDo: /Try again later/, charge: 'charged' },
	page: {
		what: /The answer was a web page instead of data/,
		toDo: /Check Base URL in the credential/,
		charge: 'charged',
	},
	cut: {
		what: /The answer was something that is not whole JSON/,
		toDo: /try again later/,
		charge: 'charged',
	},
	leftOut: { what: /doesn't include this person/, toDo: /Run the row again/ },
	lacks: {
		what: /could not be fetched: The service sent \d+ of \d+ rows, also when requested again/,
		toDo: /run again with Start Page [123] under Options/,
	},
	repeats: {
		what: /Page [23] could not be fetched: The service repeats (\d+ of \d+ rows of )?page [12], also when requested again/,
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
		what: /do(es)? not say whose (it is|they are), and no other is for this ID/,
		toDo: /Ask for one ID in a request \(Batch Size 1 under Options/,
		charge: 'charged',
	},
} satisfies Record<string, Words>;

export type Failing = keyof typeof WORDS;

/** What a message must say of credits, for a request that cost some and for one that was free. */
export const CHARGES: Readonly<Record<Charge, RegExp>> = {
	unsent:
		/may have done and charged the work, so the request was not sent again\. Check your credit usage/,
	charged: /may have done and charged the work\./,
};
