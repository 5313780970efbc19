import type { LogEntry } from '../log';

/** How the rows of an answer can be wrong. */
export type RowChange =
	| 'null'
	| 'object'
	| 'none'
	| 'shorter'
	| 'longer'
	| 'reordered'
	| 'foreign'
	| 'doubled'
	| 'withoutIds'
	| 'withoutData'
	| 'withError'
	| 'withoutInput'
	| 'otherInput';

/** Answers the request in place of the endpoint: no work is done. */
export type InsteadFault =
	/** No answer; the connection stays open. */
	| { kind: 'hang' }
	/** The connection is cut without an answer. */
	| { kind: 'drop' }
	/** Any status; without a body the usual one for it, with a body that text or JSON. */
	| { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
	/** 429. `in` says where the wait stands (default `both`: header in seconds, and body). */
	| {
			kind: 'tooMany';
			retryAfter?: number;
			in?: 'header' | 'date' | 'body' | 'both' | 'nowhere';
	  }
	| { kind: 'redirect'; to: string; status?: number }
	/**
	 * A validation error. `names` is what its `loc` leads to: `index` (default) the place of each of `ids` in the
	 * request's list, or `position`; `list` the list alone; `member` the given member; `text` makes `detail` a text;
	 * `nothing` makes it empty. With `requestId` the text holds the ID of the request, so no two texts are the same.
	 */
	| {
			kind: 'invalid';
			names?: 'index' | 'list' | 'member' | 'text' | 'nothing';
			ids?: readonly string[];
			position?: number;
			/** The service's own count begins here: with 1, each index is that of the value behind. */
			countsFrom?: number;
			member?: string;
			indexAs?: 'text' | 'number';
			requestId?: boolean;
			status?: number;
	  }
	/** 200, with that `request_status` and no data. */
	| { kind: 'outcome'; request_status: 'failure' | 'miss'; data?: unknown }
	/** 200 without a body. */
	| { kind: 'empty' }
	/** 200 with a web page. */
	| { kind: 'html' };

/** Changes the answer: the work has been done. */
export type ChangeFault =
	/**
	 * `null`: null in place of the list; `object`: the first row alone; `none`: an empty list; `shorter`: the last row lost; `longer`: one row
	 * of nobody more; `foreign`: the first row has somebody else's id; `withoutData`: the first row's `data` is null;
	 * `withError`: the first row reports an error in place of its data;
	 * `withoutInput`, `otherInput`: match rows repeat no input, the first row that of somebody else.
	 */
	| { kind: 'rows'; how: RowChange }
	/**
	 * The rows of this page of the search, whichever page is requested. `keeps` is how many rows of the requested page stay,
	 * at its end; the others are replaced.
	 */
	| { kind: 'otherPage'; page: number; keeps?: number }
	| { kind: 'totalNull' }
	| { kind: 'numbersAsText' }
	/** Anything else; only from within the same process. */
	| { kind: 'change'; with: (answer: unknown, request: LogEntry) => unknown };

/** Changes how the answer travels: the work has been done. */
export type TransportFault =
	/** The connection is cut without an answer, after the work. */
	| { kind: 'dropAfterWork' }
	/** The connection is cut after half of the body. */
	| { kind: 'dropMidway' }
	/**
	 * The body comes in `pieces` (default 10), one every `everyMs` (default 100) milliseconds. With `endless`, blanks come instead,
	 * until the client or the sandbox closes the connection.
	 */
	| { kind: 'drip'; pieces?: number; everyMs?: number; endless?: boolean }
	/** A complete HTTP answer whose JSON is cut off half way. */
	| { kind: 'cutJson' }
	| { kind: 'gzip' }
	/** The same JSON with that many megabytes of blanks before it; with `zipped` they travel as a few kilobytes. */
	| { kind: 'huge'; megabytes: number; zipped?: boolean };

export type Fault = { kind: 'delay'; ms: number } | InsteadFault | ChangeFault | TransportFault;

const INSTEAD = 'hang drop status tooMany redirect invalid outcome empty html'.split(' ');
const CHANGE = 'rows otherPage totalNull numbersAsText change'.split(' ');
const TRANSPORT = 'dropAfterWork dropMidway drip cutJson gzip huge'.split(' ');

export const FAULT_KINDS: readonly string[] = ['delay', ...INSTEAD, ...CHANGE, ...TRANSPORT];

export const isInstead = (fault: Fault): fault is InsteadFault => INSTEAD.includes(fault.kind);
export const isChange = (fault: Fault): fault is ChangeFault => CHANGE.includes(fault.kind);
export const isTransport = (fault: Fault): fault is TransportFault =>
	TRANSPORT.includes(fault.kind);
