/** Servers of which only the address exists: nock answers in place of them. */
import nock from 'nock';

// Loading it replaces Node's HTTP client, for all test files of this worker.
nock.restore();
afterEach(() => {
	nock.cleanAll();
	nock.restore();
});

export interface Answer {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	/** JSON, or text as it is. */
	readonly body?: unknown;
}

export interface Received {
	readonly method: string;
	readonly url: string;
	/** JSON; undefined if there is none. */
	readonly body: unknown;
	readonly headers: Readonly<Record<string, string>>;
}

/** Answers all requests to an origin until the test ends. Without an answer, closes the connection. Returns what it receives. */
export function serve(
	origin: string,
	answer: (request: Received, count: number) => Answer | undefined = () => ({}),
): Received[] {
	if (!nock.isActive()) nock.activate();
	const received: Received[] = [];
	const scope = nock(origin).persist();
	for (const method of ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']) {
		scope.intercept(/^/, method).reply(function (url, sent, done) {
			const { headers } = this.req;
			received.push({ method, url, headers, body: sent === '' ? undefined : sent });
			const given = answer({ method, url, headers, body: sent }, received.length);
			if (given === undefined) {
				const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
				return done(lost, [0, '', {}]);
			}
			const { status = 200, body = '', headers: more } = given;
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			done(null, [status, text, { 'content-type': 'application/json', ...more }]);
		});
	}
	return received;
}
