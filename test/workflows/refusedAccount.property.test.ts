/** Whatever says that the account is refused: the node searches few rows for what is at fault. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { bySize } from '../size';
import { CONTINUE, itemsWith, startService } from './service';

test('an account that is refused, under any status and at any time, costs few requests more', async () => {
	const text = 'Your balance is 0';
	const bodies: IDataObject[] = [
		...[{ error: text }, { message: text }, { detail: text }],
		{ detail: [{ loc: ['body'], msg: text, type: 'x' }] },
	];
	const statuses = fc.constantFrom(400, 402, 403, 409, 422);
	const service = await startService();
	const items = itemsWith(service.world.prospectIds(400));
	const sent = fc.asyncProperty(statuses, fc.constantFrom(...bodies), fc.nat(3), refused);
	async function refused(status: number, body: IDataObject, answered: number) {
		service.clear();
		let requests = 0;
		service.fault({
			when: () => ++requests > answered,
			times: 'always',
			do: { kind: 'status', status, body },
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
		// Each of the 8 batches, and 7 single rows.
		expect(requests - answered).toBeLessThanOrEqual(8 + 7);
	}
	await fc.assert(sent, { numRuns: bySize(5, 40) });
});
