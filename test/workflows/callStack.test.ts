/** How far a prospect ID is from the node's `execute` to its HTTP request. */
import { startService } from './service';

const NODE = 'nodes/BusinessProspectData/';

test('an enriched ID passes at most 14 functions, and 9 times another file', async () => {
	const service = await startService();
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const stacks: string[] = [];
	Error.stackTraceLimit = 100;
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		stacks.push(String(new Error().stack));
		return timeout(ms);
	});

	await service.run(
		{ resource: 'prospect', operation: 'enrich', prospectIds: '={{ $json.id }}' },
		service.world.prospectIds(1).map((id) => ({ id })),
	);

	const files = (stacks[0] ?? '').split('\n').flatMap((line) => {
		const [, file] = new RegExp(`${NODE}([\\w./]+?):`).exec(line) ?? [];
		return file === undefined ? [] : [file];
	});
	const crossings = files.filter((file, index) => index > 0 && file !== files[index - 1]);
	expect([files.at(-1), files[0]]).toEqual(['BusinessProspectData.node.ts', 'api/httpRequest.ts']);
	expect(files.length).toBeLessThanOrEqual(14);
	expect(crossings.length).toBeLessThanOrEqual(9);
});
