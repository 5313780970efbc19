/** On Error set to "Stop Workflow". */
import { sleep } from 'n8n-workflow';
import {
	enriched,
	people,
	person,
	interceptRequests,
	run,
	runWithoutMemory,
	serve,
} from './fakeService';

interceptRequests();

const ONE_BY_ONE = { options: { requests: { batchSize: 1, maxConcurrentRequests: 1 } } };
const WRONG =
	'is not a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f. Run Match first, then drag prospect_id here, or set Identify By to Person Details.';
const KEEP =
	'To keep the other rows, set On Error to "Continue (using error output)" in the node\'s settings.';

test('all items are checked before the first request', async () => {
	const requests = serve(enriched);
	const items = [...people(60), { id: 'oops', row: 60 }, { id: 'worse', row: 61 }];
	const { failureText, main, status } = await run(items);
	expect(status).toBe('error');
	expect(failureText).toBe(`Row 61 of 62: Prospect IDs: "oops" ${WRONG} ${KEEP}`);
	expect(requests).toEqual([]);
	expect(main).toEqual([]);
});

test('the first failure stops further requests; it says how many were answered and what would keep their rows', async () => {
	const requests = serve((request, nth) =>
		nth < 3 ? enriched(request) : [402, { message: 'Out of credits', correlation_id: 'c-402' }],
	);
	const { failureText, main } = await run(people(10), ONE_BY_ONE);
	expect(requests).toHaveLength(3);
	expect(failureText).toBe(
		'Row 3 of 10: The account has no credits left for this request (HTTP 402): Out of credits. Add credits, then try again.' +
			` Before that, 2 requests had succeeded. ${KEEP} Correlation ID: c-402`,
	);
	expect(main).toEqual([]);
});

test('requests under way at the first failure end; none is started after it', async () => {
	const requests = serve(() => [403, {}]);
	const { failureText } = await run(people(40), {
		options: { requests: { batchSize: 1, maxConcurrentRequests: 4 } },
	});
	expect(requests.length).toBeLessThanOrEqual(4);
	expect(failureText).toContain('Row 1 of 40: ');
});

test('a value that the service refuses by its index: that item, and nothing is sent again', async () => {
	const requests = serve(() => [
		422,
		{ detail: [{ loc: ['body', 'prospect_ids', 3], msg: 'Not known' }] },
	]);
	const { failureText } = await run(people(10));
	expect(requests).toHaveLength(1);
	expect(failureText).toBe(
		`Row 4 of 10: The service rejected ${person(3)} (HTTP 422): Not known. Correct or remove it, then run the row again. ${KEEP}`,
	);
});

test('a run that cannot tell which rows are new says that its requests had succeeded', async () => {
	const { failureText, main } = await runWithoutMemory();
	expect(failureText).toBe(`The database is locked. Before that, 1 request had succeeded. ${KEEP}`);
	expect(main).toEqual([]);
});

test('no credential: what to do about it', async () => {
	const { failureText } = await run(people(1), {}, { credentials: undefined });
	expect(failureText).toContain('Business and Prospect Data API');
	expect(failureText).not.toMatch(/[a-z] [A-Z][a-z]+ or create/);
});

test.each([429, 503])('a cancelled execution ends the wait after a %i', async (status) => {
	let cancelNow: () => void = () => {};
	const requests = serve(() => {
		void sleep(50).then(() => cancelNow());
		return [status, { retry_after: 200 }];
	});
	const cancelAfter = (cancel: () => void) => (cancelNow = cancel);
	const { main } = await run(people(1), {}, { cancelAfter });
	expect(requests).toHaveLength(1);
	expect(main).toEqual([]);
});
