/** A client with a credential that is missing, wrong, or used where there is no execution. */
import { createClient } from '../../../nodes/BusinessProspectData/api/client';
import { type Answer, enrich, fakeService, KEY, OK, SETTINGS } from './service';

const context = (members: object) => Object.assign(fakeService(() => OK).context, members);

const withFields = (fields: object) =>
	context({
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: KEY, ...fields }),
	});

test.each([
	[{ baseUrl: '' }, /^Base URL is empty/],
	[{ baseUrl: 'http://service.example' }, /^Base URL starts with http:/],
	[{ apiKey: ' ' }, /^API Key is empty/],
	[{ apiKey: `${KEY}\n${KEY}` }, /^API Key has a line break/],
	[{ tenant: 'a\nb' }, /^Tenant has a line break/],
])('the wrong field %j is named before anything is sent', async (fields, problem) => {
	const connecting = createClient(withFields(fields), SETTINGS);

	await expect(connecting).rejects.toThrow(problem);
	await expect(connecting).rejects.not.toThrow(KEY);
});

test('a missing credential says what to do', async () => {
	const getCredentials = async () => {
		throw new Error('Node does not have any credentials set');
	};
	const getNode = () => ({ name: 'Probe', type: 'probe', typeVersion: 1, parameters: {} });

	await expect(createClient(context({ getCredentials, getNode }), SETTINGS)).rejects.toThrow(
		/does not have any credentials set.*credential/,
	);
});

test('a credential that is lost without a word says what to do, too', async () => {
	const getCredentials = async () => await Promise.reject('gone');
	const getNode = () => ({ name: 'Probe', type: 'probe', typeVersion: 1, parameters: {} });

	await expect(createClient(context({ getCredentials, getNode }), SETTINGS)).rejects.toThrow(
		/\(unknown reason\)/,
	);
});

describe('a list that loads in the editor has no execution to be cancelled', () => {
	const editorOn = (answer: Answer) => {
		const editor = fakeService(() => answer).context;
		Reflect.deleteProperty(editor, 'getExecutionCancelSignal');
		return editor;
	};

	test('an answer', async () => {
		const client = await createClient(editorOn(OK), SETTINGS);

		expect(await client.send(enrich)).toEqual({ value: OK.body });
		client.stop();
	});

	test('a lost connection', async () => {
		const client = await createClient(editorOn({ code: 'ECONNRESET' }), SETTINGS);

		expect((await client.send(enrich)).failure?.kind).toBe('noAnswer');
		client.stop();
	});
});
