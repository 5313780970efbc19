/** Clients without a credential, and clients outside executions. */
import { createClient } from '../../../nodes/BusinessProspectData/api/client';
import { type FakeResponse, enrich, fakeService, OK, SETTINGS } from './service';

test.each([
	[new Error('Node does not have any credentials set'), /any credentials set.*credential/],
	['gone', /\(unknown reason\)/],
])('says what to do if n8n has no credential: %s', async (reason, message) => {
	const getCredentials = async () => await Promise.reject(reason);
	const getNode = () => ({ name: 'Probe', type: 'probe', typeVersion: 1, parameters: {} });

	const context = Object.assign(fakeService(() => OK).context, { getCredentials, getNode });

	await expect(createClient(context, SETTINGS)).rejects.toThrow(message);
});

test.each<[name: string, response: FakeResponse, outcome: object]>([
	['a response', OK, { value: OK.body }],
	['a lost connection', { code: 'ECONNRESET' }, { failure: { kind: 'noResponse' } }],
])('a list in the editor, without an execution to cancel: %s', async (_name, response, outcome) => {
	const editor = fakeService(() => response).context;
	Reflect.deleteProperty(editor, 'getExecutionCancelSignal');
	const client = await createClient(editor, SETTINGS);

	expect(await client.send(enrich)).toMatchObject(outcome);
	client.stop();
});
