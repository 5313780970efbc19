import type { LogEntry } from '../log';

/** How the rows of an answer can be wrong. "One" is the first. */
export type RowChange =
	/** Null in place of the list, the first row alone, or no rows. */
	| 'null'
	| 'object'
	| 'none'
	/** The last row is lost; there is one row of nobody more. */
	| 'shorter'
	| 'longer'
	| 'reordered'
	| 'doubled'
	/** One has somebody else's id; none has an id. */
	| 'foreign'
	| 'withoutIds'
	/** One has null as its data; one reports an error in place of its data. */
	| 'withoutData'
	| 'withError'
	/** Match rows repeat no input; one repeats somebody else's. */
	| 'withoutInput'
	| 'otherInput';

/** Answers the request in place of the endpoint: no work is done. */
export type InsteadFault =
	/** No answer; the connection stays open, or is cut. */
	| { kind: 'hang' | 'drop' }
	/** Any status; without a body the usual one for it, with a body that text or JSON. */
	| { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
	/** 429, with the wait in seconds in header and body. */
	| { kind: 'tooMany'; retryAfter?: number }
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
			member?: string;
			requestId?: boolean;
	  }
	/** 200, with that `request_status` and no data. */
	| { kind: 'outcome'; request_status: 'failure' | 'miss' }
	/** 200 without a body, or with a web page. */
	| { kind: 'empty' | 'html' };

/** Changes the answer: the work has been done. */
export type ChangeFault =
	| { kind: 'rows'; how: RowChange }
	/** The rows of this page of the search, whichever page is requested. */
	| { kind: 'otherPage'; page: number }
	| { kind: 'totalNull' }
	| { kind: 'change'; with: (answer: unknown, request: LogEntry) => unknown };

/** Changes how the answer travels: the work has been done. */
export type TransportFault =
	/** The connection is cut before the answer, or after half of the body. */
	| { kind: 'dropAfterWork' | 'dropMidway' }
	/** The body comes in `pieces`, one every `everyMs` milliseconds. */
	| { kind: 'drip'; pieces: number; everyMs: number }
	/** A complete HTTP answer whose JSON is cut off half way. */
	| { kind: 'cutJson' };

export type Fault = { kind: 'delay'; ms: number } | InsteadFault | ChangeFault | TransportFault;

export const isChange = (fault: Fault): fault is ChangeFault =>
	['rows', 'otherPage', 'totalNull', 'change'].includes(fault.kind);
export const isTransport = (fault: Fault): fault is TransportFault =>
	['dropAfterWork', 'dropMidway', 'drip', 'cutJson'].includes(fault.kind);
export const isInstead = (fault: Fault): fault is InsteadFault =>
	fault.kind !== 'delay' && !isChange(fault) && !isTransport(fault);
