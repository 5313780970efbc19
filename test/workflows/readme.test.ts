import { sys } from 'typescript';
import { jsonOf, startService } from './service';

/** The JSON block of the README after the marker `<!-- example:<name> -->`. */
function exampleIn(readme: string, name: string): unknown {
	const [, block] = readme.split(`<!-- example:${name} -->`);
	return JSON.parse(block?.split('```json')[1]?.split('```')[0] ?? 'null');
}

test('the example row of the README is what comes out', async () => {
	const readme = sys.readFile('README.md') ?? '';
	const service = await startService();

	const run = await service.run(
		{
			resource: 'prospect',
			operation: 'enrich',
			prospectIds: service.world.prospectId(55),
			dataSets: ['contacts'],
		},
		[{}],
	);

	expect(exampleIn(readme, 'prospect/enrich')).toEqual(jsonOf(run.main)[0]);
});

test('the example error of the README is what comes out', async () => {
	const readme = sys.readFile('README.md') ?? '';
	const service = await startService();

	const run = await service.run(
		{ resource: 'prospect', operation: 'enrich', prospectIds: 'abc' },
		[{}],
		{ onError: 'continueErrorOutput' },
	);

	expect(exampleIn(readme, 'error')).toEqual(run.error[0]?.json);
});
