/**
 * Keys that reach prototypes, in rows and in responses: no object gains a member, no request contains them, and all
 * rows come out.
 */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';
import { optionValues } from '../../nodes/BusinessProspectData/parameters/parameter';
import { stopClock } from '../workflows/clock';
import { startService, type Service } from '../workflows/service';
import { triggerOn } from '../workflows/trigger';
import { mergeParameters, parameterPathsOf } from './parameterPaths';
import { isRequired, POLLUTION, PROTOTYPE_KEYS, validValue } from './sampleValues';

/** A custom API call outputs what the service sends. */
const CONTRACT_OPERATIONS = OPERATIONS.filter(({ resource }) => resource !== 'customApiCall');

let service: Service;
beforeEach(async () => {
	const now = stopClock('2026-11-18T12:00:00Z');
	service = await startService({ now: () => now, people: 60, companies: 20, eventsPerDay: 20 });
});

/** Adds the keys to every object in the service's responses. */
const polluteResponses = () =>
	service.fault({
		times: 'always',
		do: {
			kind: 'change',
			with: (response) => JSON.parse(JSON.stringify(response), addKeys) as unknown,
		},
	});

const addKeys = (_: string, value: unknown): unknown =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.defineProperties(value, Object.getOwnPropertyDescriptors(JSON.parse(POLLUTION)))
		: value;

function expectNoPollution(items: readonly INodeExecutionData[] = []) {
	expect('polluted' in {}).toBe(false);
	expect('polluted' in Object).toBe(false);
	expect(Object.keys(Object.prototype)).toEqual([]);
	for (const { json } of items) {
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
		expect('polluted' in json).toBe(false);
	}
}

const validParameters = (resource: string, operation: string, more: INodeParameters = {}) =>
	mergeParameters(
		{ resource, operation },
		...parameterPathsOf(resource, operation)
			.filter(isRequired)
			.map(({ property, withValue }) => withValue(validValue(property, service.world) as string)),
		more,
	);

describe.each(CONTRACT_OPERATIONS.map(({ resource, value }) => ({ resource, operation: value })))(
	'$resource: $operation',
	({ resource, operation }) => {
		const all = parameterPathsOf(resource, operation);
		const outputModes: INodeParameters[] = all.flatMap(({ path, property }): INodeParameters[] => {
			if (path === 'simplify') return [{ simplify: true }, { simplify: false }];
			return path === 'output' ? optionValues(property).map((output) => ({ output })) : [];
		});

		test.each(outputModes.length === 0 ? [{}] : outputModes)(
			'ignores the keys in responses, with %j',
			async (outputMode) => {
				const parameters = validParameters(resource, operation, outputMode);
				const before = await service.run(parameters);
				polluteResponses();

				const run = await service.run(parameters);

				expect(run.failure).toBeUndefined();
				expectNoPollution(run.main);
				expect(before.main.length).toBeGreaterThan(0);
				expect(run.main.length).toBeGreaterThanOrEqual(before.main.length);
			},
		);

		const jsonPaths = all.filter(({ property }) => property.type === 'json');
		for (const { path, withValue } of jsonPaths) {
			// By default, n8n evaluates no expression that returns such an object of the row itself.
			test.each([
				['text', '={{ $json.value }}'],
				['an object', '={{ JSON.parse($json.value) }}'],
			])(`ignores the keys in ${path} as %s`, async (_, expression) => {
				const parameters = validParameters(resource, operation, withValue(expression));

				const run = await service.run(parameters, [{ value: POLLUTION }], {
					onError: 'continueErrorOutput',
				});

				expect(run.task?.error).toBeUndefined();
				expectNoPollution([...run.main, ...run.error]);
				expect(run.main.length + run.error.length).toBeGreaterThan(0);
				for (const { status, body } of service.log.entries) {
					expect(status).toBe(200);
					expect(JSON.stringify(body ?? null)).not.toMatch(/polluted|__proto__|constructor/);
				}
			});
		}
	},
);

test('ignores the keys in a row whose fields are included in the output', async () => {
	const parameters = validParameters('prospect', 'getAll', {
		options: { includeInputFields: true, fields: '__proto__, constructor, full_name' },
	});

	const run = await service.run(parameters, [JSON.parse(POLLUTION) as IDataObject]);

	expect(run.failure).toBeUndefined();
	expectNoPollution(run.main);
	expect(run.main[0]?.json.full_name).toBeDefined();
});

test.each([{ durable: false }, { durable: true }])(
	"ignores the keys in the trigger's settings and events: %j",
	async ({ durable }) => {
		const { world } = service;
		const settings = {
			triggerOn: 'businessEvent',
			ids: world.businessIds(20),
			otherEventTypes: PROTOTYPE_KEYS.join(', '),
			options: { startFrom: '2026-11-01' },
		};
		for (const key of PROTOTYPE_KEYS) {
			world.addEvent({ business: 1, event_name: key, event_id: key });
		}
		polluteResponses();
		const name = `polluted, durable: ${durable}`;
		const poller = triggerOn(service, settings, { durable, name });

		const { items } = await poller.poll({ activation: 'activate' });
		const second = await poller.poll();
		const afterRestart = triggerOn(service, settings, { durable, name, staticData: poller.saved });
		const third = await afterRestart.poll();

		expectNoPollution([items ?? []].flat());
		expect((items ?? []).length).toBeGreaterThan(5);
		expect([second.items, third.items]).toEqual([null, null]);
	},
);
