/** Whatever says that the account is refused: the node doesn't search for rows that are at fault. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { bySize } from '../size';
import { CONTINUE, itemsWith, startService } from './service';

test('an account that is refused, under any status and at any time, costs few requests more', async () => {
	const refusals = fc.constantFrom(
		...[
			'Insufficient credits',
			'The account is suspended.',
			'Trial expired',
			'credit limit reached',
		],
		...['You have used all your credits', 'Your balance is 0', 'Not in your plan', 'nope'],
	);
	const statuses = fc.constantFrom(200, 400, 402, 403, 409, 422, 422, 422, 429, 500, 503);
	const wrap = fc.constantFrom<(text: string) => IDataObject>(
		...[(error: string) => ({ error }), (message: string) => ({ message })],
		(detail) => ({ detail }),
		(msg) => ({ detail: [{ loc: ['body'], msg, type: 'x' }] }),
	);
	const service = await startService();
	const items = itemsWith(service.world.prospectIds(400));
	await fc.assert(
		fc.asyncProperty(refusals, statuses, wrap, fc.nat(3), async (text, status, body, answered) => {
			// Other words under these statuses are no refusal: the service is busy, or has the answer.
			fc.pre(text !== 'nope' || ![200, 429, 500, 503].includes(status));
			// What a list of issues under this status says is read as issues.
			// A plan may lack one kind of data, which says nothing of other requests.
			fc.pre(text !== 'Not in your plan' || status !== 403);
			fc.pre(status !== 200 || !('detail' in body(text)));
			service.clear();
			let requests = 0;
			service.fault({
				when: () => ++requests > answered,
				times: 'always',
				do: { kind: 'status', status, body: body(text) },
			});
			const { main, error } = await service.run(
				{
					...{ resource: 'prospect', operation: 'enrich', prospectIds: '={{ $json.id }}' },
					...{ dataSets: ['profile'], options: { maxConcurrentRequests: 1 } },
				},
				items,
				CONTINUE,
			);
			expect([main.length, error.length]).toEqual([50 * answered, 400 - 50 * answered]);
			// Of words that it doesn't know, the node tries seven single rows.
			expect(requests - answered).toBeLessThanOrEqual(text === 'nope' ? 8 + 7 : 1);
		}),
		{ numRuns: bySize(15, 60) },
	);
});
