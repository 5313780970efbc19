/** Clients whose credential is missing or wrong, and clients outside executions. */
import { createClient } from '../../../nodes/BusinessProspectData/api/client';
import { type FakeResponse, enrich, fakeService, KEY, OK, SETTINGS } from './service';

const context = (members: object) => Object.assign(fakeService(() => OK).context, members);

const withFields = (fields: object) =>
	context({
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: KEY, ...fields }),
	});

test.each([
	[{ baseUrl: '' }, /^Base URL is empty/],
	[{ baseUrl: 'http://service.example' }, /^Base URL starts with http:/],
	[{ apiKey: ' ' }, /^API Key is empty/],
	[{ apiKey: `${KEY}\n${KEY}` }, /^API Key contains a line break/],
	[{ tenant: 'a\nb' }, /^Tenant contains a line break/],
])('names the invalid field %j before anything is sent', async (fields, message) => {
	const connecting = createClient(withFields(fields), SETTINGS);

	await expect(connecting).rejects.toThrow(message);
	await expect(connecting).rejects.not.toThrow(KEY);
});

test('says what to do about a missing credential', async () => {
	const getCredentials = async () => {
		throw new Error('Node does not have any credentials set');
	};
	const getNode = () => ({ name: 'Probe', type: 'probe', typeVersion: 1, parameters: {} });

	await expect(createClient(context({ getCredentials, getNode }), SETTINGS)).rejects.toThrow(
		/does not have any credentials set.*credential/,
	);
});

test('says what to do if n8n throws no error', async () => {
	const getCredentials = async () => await Promise.reject('gone');
	const getNode = () => ({ name: 'Probe', type: 'probe', typeVersion: 1, parameters: {} });

	await expect(createClient(context({ getCredentials, getNode }), SETTINGS)).rejects.toThrow(
		/\(unknown reason\)/,
	);
});

describe('lists in the editor, without an execution to cancel', () => {
	const editorWith = (response: FakeResponse) => {
		const editor = fakeService(() => response).context;
		Reflect.deleteProperty(editor, 'getExecutionCancelSignal');
		return editor;
	};

	test('return a response', async () => {
		const client = await createClient(editorWith(OK), SETTINGS);

		expect(await client.send(enrich)).toEqual({ value: OK.body });
		client.stop();
	});

	test('return the failure of a lost connection', async () => {
		const client = await createClient(editorWith({ code: 'ECONNRESET' }), SETTINGS);

		expect((await client.send(enrich)).failure?.kind).toBe('noResponse');
		client.stop();
	});
});
