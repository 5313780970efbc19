/** A client with a credential that is missing, wrong, or used where there is no execution. */
import { createClient } from '../../../nodes/BusinessProspectData/api/client';
import { enrich, fakeService, KEY, OK, SETTINGS } from './service';

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

test('a list that loads in the editor has no execution to be cancelled', async () => {
	const editor = fakeService(() => OK).context;
	Reflect.deleteProperty(editor, 'getExecutionCancelSignal');

	const client = await createClient(editor, SETTINGS);

	expect(await client.send(enrich)).toEqual({ value: OK.body });
	client.stop();
});
