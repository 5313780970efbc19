// n8n's editor, used as a person does, in Chromium. It also takes the documentation's pictures.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry.ts';
import { EVENT_TRIGGERS } from '../../nodes/BusinessProspectData/trigger/parameters.ts';
import { contactsOf } from '../sandbox/world/prospect-data.ts';
import {
	choose,
	closeNode,
	drag,
	eventually,
	input,
	onCanvas,
	openBrowser,
	openNode,
	openWorkflow,
	searchList,
	step,
	VIEWPORT,
} from './browser.mjs';
import { startAnimation, takePicture } from './pictures.mjs';
import {
	CREDENTIAL_TYPE,
	credentialFor,
	NODE,
	node,
	shareN8n,
	START,
	SUITE_MS,
	TOOL,
	TRIGGER,
	workflowOf,
} from './stage.mjs';

const NAME = 'Business and Prospect Data';
const EXAMPLE = new URL('../../examples/list-building.json', import.meta.url);
const AGENT = new URL('../../examples/company-research-agent.json', import.meta.url);

/** What people look for. */
const WORDS = ['leads', 'email finder', 'company enrichment', 'prospect'];

const WRONG_KEY =
	'The service did not accept the API key (HTTP 401): Invalid API key. Check API Key, and Tenant if you use one, in the credential.';

/** A node of this package; `column` is its place from the left. */
const dataNode = (name, column, parameters) =>
	node(name, NODE, 1, { resource: 'prospect', ...parameters }, { position: [column * 240, 0] });

test('the editor', { timeout: SUITE_MS }, async (t) => {
	const { sandbox, n8n } = await shareN8n();
	const page = await openBrowser(t, n8n);
	const ndv = page.getByTestId('ndv');
	const output = page.getByTestId('output-panel');
	const addFilter = ndv.getByPlaceholder('Add filter');
	/** The row of a filter's value that comes at this place in the panel, if it has suggestions. */
	const list = (at) => ndv.getByTestId('rlc-input').nth(at);

	/** Chooses several countries in one filter: what is typed, and the name that is then chosen. */
	async function chooseCountries(at, chosen) {
		const box = ndv.locator('.el-select', { has: page.locator('.el-select__tags') }).nth(at);
		const offered = page.getByRole('option').filter({ visible: true });
		for (const [text, name] of Object.entries(chosen)) {
			const option = offered.getByText(name, { exact: true });
			// n8n closes the list when its countries arrive.
			await eventually(async () => {
				await box.click();
				await option.waitFor({ timeout: 2_000 });
			});
			await page.keyboard.type(text);
			await option.click();
			await box.getByText(name, { exact: true }).waitFor();
			// n8n keeps the text until the list is closed.
			await page.keyboard.press('Escape');
			await eventually(async () => assert.equal(await offered.count(), 0));
		}
	}

	let credentials;
	/** Saves a workflow whose nodes of this package use the credential, once there is one, and opens it. */
	async function open({ nodes, ...workflow }) {
		const { id } = await n8n.rest('POST', '/workflows', {
			...workflow,
			id: undefined,
			nodes: nodes.map(({ credentials: _, ...node }) =>
				credentials && [NODE, TOOL, TRIGGER].includes(node.type) ? { ...node, credentials } : node,
			),
		});
		await openWorkflow(page, id);
		return id;
	}

	/** The parameters of a node as n8n has saved them. */
	async function savedParameters(id, nodeName) {
		const { nodes } = await n8n.rest('GET', `/workflows/${id}`);
		return nodes.find(({ name }) => name === nodeName).parameters;
	}

	/** Waits for the first column of the rows in the output panel: n8n draws them after all else there. */
	async function firstColumnIs(expected) {
		const cells = output.getByTestId('ndv-data-container').locator('tbody tr td:nth-child(1)');
		await eventually(async () => assert.deepEqual(await cells.allInnerTexts(), expected));
	}

	/** What the first column of contacts shows of people: their email addresses. */
	const emailsOf = (ids) =>
		ids.map((id) => {
			const { world } = sandbox;
			const person = world.person(world.prospectIndex(id) ?? -1);
			return contactsOf(person, world.company)?.professions_email ?? 'null';
		});

	/** Makes the window so wide that all columns of a table, or all buttons above it, are in sight. */
	async function atWidth(width, act) {
		await page.setViewportSize({ ...VIEWPORT, width });
		try {
			await act();
		} finally {
			await page.setViewportSize(VIEWPORT);
		}
	}

	/** Takes a picture of the output panel from its heading to the last row of its table. */
	async function takeTablePicture(name, width) {
		await atWidth(width, async () => {
			await takePicture(name, output, {
				things: [output.getByText('Output', { exact: true }), output.locator('tbody tr').last()],
				margin: 12,
				marginRight: 0,
			});
		});
	}

	/** Runs the open workflow, and waits until this node has succeeded. */
	async function runUntil(name) {
		await page.getByTestId('execute-workflow-button').click();
		await onCanvas(page, name).getByTestId('canvas-node-status-success').waitFor();
	}

	await step(t, page, 'finds the node by what people look for, and shows its actions', async () => {
		await page.goto('/workflow/new');
		await page.getByTestId('canvas-plus-button').click();
		const panel = page.getByTestId('node-creator');
		const found = panel.getByTestId('item-iterator-item').filter({ hasText: NAME });
		for (const word of WORDS) {
			await panel.getByTestId('node-creator-search-bar').fill(word);
			await found.waitFor();
			await panel.getByTestId('node-creator-search-bar').fill('');
			await found.waitFor({ state: 'hidden' });
		}
		await panel.getByTestId('node-creator-search-bar').fill('prospect');
		await found.click();
		await panel.getByText(EVENT_TRIGGERS[0].option.action, { exact: true }).waitFor();
		await panel.getByText(`Actions (${OPERATIONS.length})`).click();
		await panel.getByText('Get many prospects', { exact: true }).click();
		await input(ndv, 'limit').waitFor();
	});

	await step(t, page, 'the credential turns red with the reason, then green', async () => {
		const find = dataNode('Find', 0, { operation: 'getAll' });
		await open(workflowOf('Credential', [find]));
		await openNode(page, find.name);
		const dialog = page.getByTestId('editCredential-modal');
		await ndv.getByRole('button', { name: `Connect to ${NAME}` }).click();
		// n8n asks its server for the name, and does not save without one.
		await dialog.getByTestId('inline-edit-preview').getByText(`${NAME} account`).waitFor();
		await input(dialog, 'baseUrl').fill(sandbox.url);
		await input(dialog, 'apiKey').fill('not the key');
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('Couldn’t connect with these settings').waitFor();
		const details = dialog.getByText('More details');
		const reason = dialog.getByText(WRONG_KEY, { exact: true });
		await details.or(reason).first().waitFor();
		if (await details.isVisible()) await details.click();
		await reason.waitFor();

		await input(dialog, 'apiKey').fill(sandbox.apiKey);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.waitFor({ state: 'hidden' });
		await page.getByTestId('credential-edit-button').click();
		await dialog.getByTestId('credentials-config-container-test-success').waitFor();
		// The reader's address, not this run's.
		await input(dialog, 'baseUrl').evaluate((field) => (field.value = 'https://api.example.com'));
		await takePicture('credential', dialog, {
			things: [
				dialog.getByTestId('menu-item').first(),
				dialog.getByTestId('credential-name'),
				dialog.getByTestId('credentials-config-container-test-success'),
				dialog.getByTestId('tenant'),
			],
			margin: 20,
		});
	});

	// What follows does not hang on the dialog.
	const { id, name } = await n8n.rest('POST', '/credentials', {
		...credentialFor(sandbox),
		name: `${NAME} account`,
	});
	credentials = { [CREDENTIAL_TYPE]: { id, name } };

	let filtered;
	await step(t, page, 'a value found while typing keeps its label', async () => {
		const find = dataNode('Find prospects', 1, { operation: 'getAll' });
		filtered = await open(workflowOf('Find', [START, find]));
		await openNode(page, find.name);
		await choose(page, addFilter, 'Job Title');
		await list(0).click();
		await searchList(page, 'manager', [
			'Senior Manager Procurement',
			'Sales Manager',
			'Account Manager',
			'Engineering Manager',
			'Human Resources Manager',
			'Customer Success Manager',
		]);
		const titles = await searchList(page, 'sales', ['Vice President of Sales', 'Sales Manager']);
		await takePicture('list', ndv.getByTestId('resource-locator-value').first(), {
			things: [ndv.getByText('Filters', { exact: true }), list(0), titles.last()],
			margin: 12,
		});
		await titles.getByText('Sales Manager', { exact: true }).click();
		await choose(page, addFilter, 'Person Country');
		await chooseCountries(0, { united: 'United States', germ: 'Germany' });
		await closeNode(page);

		await eventually(async () => {
			const { filters } = await savedParameters(filtered, find.name);
			assert.equal(filters.job_title?.[0].value.value, 'Sales Manager');
			assert.deepEqual(filters.country_code, [{ value: ['us', 'de'] }]);
		});
		await openWorkflow(page, filtered);
		await openNode(page, find.name);
		await eventually(async () => assert.equal(await list(0).inputValue(), 'Sales Manager'));
		await ndv.getByText('United States', { exact: true }).waitFor();
		await ndv.getByText('Germany', { exact: true }).waitFor();
		await takePicture('get-many', ndv, {
			things: [ndv.getByTestId('tab-params'), ndv.getByTestId('node-execute-button'), addFilter],
			margin: 12,
		});

		// One that is added stays, to be filled in later, and there may be two of a kind.
		for (const name of ['Has Email', 'City', 'City']) await choose(page, addFilter, name);
		await closeNode(page);
		await eventually(async () => {
			const { filters } = await savedParameters(filtered, find.name);
			assert.deepEqual(filters.has_email, [{}]);
			assert.equal(filters.city_region_country?.length, 2);
			assert.equal(filters.job_title?.[0].value.value, 'Sales Manager');
		});
	});

	await step(t, page, 'a list that cannot be loaded says why', async () => {
		await openWorkflow(page, filtered);
		await openNode(page, 'Find prospects');
		const fault = sandbox.fault({ times: 'always', do: { kind: 'status', status: 401 } });
		await list(0).click();
		const message = ndv.getByTestId('rlc-error-message');
		await message.waitFor();
		fault.remove();
		assert.equal((await message.innerText()).trim(), WRONG_KEY);
	});

	await step(t, page, 'fields can be dragged before the first run', async () => {
		const find = dataNode('Find prospects', 1, { operation: 'getAll' });
		const enrich = dataNode('Enrich', 2, {
			...{ operation: 'enrich', identifyBy: 'prospectId', dataSets: ['emails'] },
		});
		const id = await open(workflowOf('Preview', [START, find, enrich]));
		await openNode(page, enrich.name);
		const fields = page.getByTestId('ndv-input-panel').getByTestId('run-data-schema-node-name');
		for (const name of ['prospect_id', 'first_name', 'job_title', 'business_id'])
			await fields.getByText(name, { exact: true }).waitFor();
		await drag(
			page,
			fields.getByText('prospect_id', { exact: true }),
			ndv.getByTestId('parameter-input-prospectIds'),
		);
		await eventually(async () => {
			const { prospectIds } = await savedParameters(id, enrich.name);
			assert.equal(prospectIds, '={{ $json.prospect_id }}');
		});
		assert.deepEqual(sandbox.log.requestsTo('search'), []);
	});

	await step(t, page, 'a run shows its rows, and what it took', async () => {
		await open(JSON.parse(await readFile(EXAMPLE, 'utf8')));
		await runUntil('Add to CRM');
		await takePicture('workflow', page.getByTestId('canvas-wrapper'), {
			things: [
				...(await page.getByTestId('canvas-node').all()),
				...(await page.getByTestId('sticky').all()),
				...(await page.getByTestId('canvas-handle-plus').all()),
			],
			margin: 40,
		});

		await openNode(page, 'Enrich contacts');
		await output
			.getByText(
				/^25 rows enriched \(\d+ emails, \d+ phone numbers\)\. 0 remembered, 25 bought, 1 req/,
			)
			.waitFor();
		await firstColumnIs(emailsOf(sandbox.log.idsAskedFor('contactsBulk')));
	});

	await step(t, page, 'an AI agent has the node as its tools', async () => {
		const agent = JSON.parse(await readFile(AGENT, 'utf8'));
		const id = await open(agent);
		// A credential that n8n doesn't ask anyone about.
		const model = { name: 'Of this picture', type: 'openAiApi', data: { apiKey: 'none' } };
		const { id: modelId } = await n8n.rest('POST', '/credentials', model);
		const { nodes, connections, versionId } = await n8n.rest('GET', `/workflows/${id}`);
		nodes.find(({ name }) => name === 'Chat model').credentials = {
			[model.type]: { id: modelId, name: model.name },
		};
		await n8n.rest('PATCH', `/workflows/${id}`, { nodes, connections, versionId });
		await openWorkflow(page, id);
		const tools = ['Get company data', 'Get company news', 'Find people'];
		const things = ['Company', 'Research agent', 'Brief', 'Chat model', ...tools];
		await takePicture('agent', page.getByTestId('canvas-wrapper'), {
			things: things.map((name) => onCanvas(page, name)),
			margin: 50,
		});
	});

	await step(t, page, 'a hint sums up duplicates, and people without data', async () => {
		const rows = [0, 1, 0, 9, 2].map((index) => ({
			json: {
				name: sandbox.world.person(index).fullName,
				prospect_id: sandbox.world.prospectId(index),
			},
		}));
		const enrich = dataNode('Enrich', 1, {
			operation: 'enrich',
			identifyBy: 'prospectId',
			prospectIds: '={{ $json.prospect_id }}',
			dataSets: ['emails', 'phoneNumbers'],
			options: { fields: 'contacts_email, name, prospect_id' },
		});
		await open(workflowOf('Hint', [START, enrich], { pinData: { Start: rows } }));
		await runUntil(enrich.name);
		await openNode(page, enrich.name);
		const hint = output.getByText(
			/^5 rows: 4 enriched \(\d emails, \d phone numbers\), 1 without data\. 1 request, 4 records\. 1 dup/,
		);
		await hint.waitFor();
		await firstColumnIs(emailsOf(rows.map(({ json }) => json.prospect_id)));
		await takeTablePicture('hint', 1960);
	});

	await step(t, page, 'find, enrich, table: the animation of the README', async () => {
		const find = dataNode('Get many prospects', 1, {
			operation: 'getAll',
			limit: 10,
			filters: { job_level: [{ value: ['director'] }] },
			options: { fields: 'full_name, company_name, prospect_id' },
		});
		const enrich = dataNode('Enrich prospects', 2, {
			operation: 'enrich',
			identifyBy: 'prospectId',
			prospectIds: '={{ $json.prospect_id }}',
			dataSets: ['emails', 'phoneNumbers'],
			options: { fields: 'contacts_email, contacts_phone_number' },
		});
		const note = {
			...dataNode('Note', 0, {
				content:
					'## Find and enrich\nFinds ten directors, then adds their email addresses\nand phone numbers, in two requests.',
				width: 576,
				height: 120,
			}),
			type: 'n8n-nodes-base.stickyNote',
			position: [0, -192],
		};
		const workflow = workflowOf('Find and enrich', [START, find, enrich]);
		workflow.nodes.unshift(note);
		const animation = startAnimation('find-and-enrich', { width: 915, height: 684 });
		await atWidth(1410, async () => {
			await open(workflow);
			await runUntil(enrich.name);
			await animation.addFrame(page.getByTestId('canvas-wrapper'), { x: 286, y: 243 }, 2_000);

			await openNode(page, find.name);
			await output.getByText('Schema', { exact: true }).click();
			await output.getByText('Ivan Eriksson').waitFor();
			await animation.addFrame(ndv, { x: 495, y: 17 }, 2_500);
			await output.getByText('Table', { exact: true }).click();
			await closeNode(page);

			await openNode(page, enrich.name);
			await animation.addFrame(ndv, { x: 0, y: 68 }, 2_500);
		});
		await atWidth(2300, async () => {
			await firstColumnIs(emailsOf(sandbox.log.idsAskedFor('contactsBulk').slice(-10)));
			await animation.addFrame(output, { x: 1360, y: 108 }, 2_500);
		});
		await animation.end();
	});

	await step(t, page, 'a row that fails is on the error branch, the others are not', async () => {
		const [one, other] = sandbox.world.prospectIds(2);
		const enrich = dataNode('Enrich', 1, {
			operation: 'enrich',
			identifyBy: 'prospectId',
			prospectIds: '={{ $json.id }}',
			dataSets: ['profile'],
		});
		const pinData = { Start: [one, 'abc', other].map((id) => ({ json: { id } })) };
		await open(workflowOf('Error branch', [START, enrich], { pinData }));
		await openNode(page, enrich.name);
		await ndv.getByTestId('tab-settings').click();
		await choose(page, ndv.getByTestId('parameter-input-onError'), 'Continue (using error output)');
		await closeNode(page);
		await runUntil(enrich.name);
		await openNode(page, enrich.name);
		await output.getByText('3 rows: 2 enriched, 1 failed. 1 request, 2 records.').waitFor();
		await output.getByText('Success Branch (2 items)').waitFor();
		await firstColumnIs([one, other]);
		await output.getByText('Error Branch (1 item)').click();
		await firstColumnIs(['abc']);
		await takeTablePicture('error-branch', 1500);
	});

	await step(t, page, 'n8n adds no custom API call of its own', async () => {
		const types = await (await page.request.get('/types/nodes.json')).json();
		const own = types.filter(({ name }) => name.startsWith(NODE));
		const offered = own.flatMap(({ properties }) => properties.flatMap(({ options }) => options));
		assert.ok(offered.some((option) => option?.value === 'customApiCall'));
		assert.ok(!offered.some((option) => option?.value === '__CUSTOM_API_CALL__'));
	});

	await step(t, page, 'the trigger shows recent events before it is activated', async () => {
		const ids = sandbox.world.prospectIds(2);
		const event = sandbox.world.addEvent({
			prospect: 0,
			data: {
				current_company_name: sandbox.world.company(1).name,
				current_company_id: sandbox.world.businessId(1),
				current_job_title: 'Vice President of Sales',
				previous_company_name: sandbox.world.company(2).name,
				previous_company_id: sandbox.world.businessId(2),
				previous_job_title: 'Sales Manager',
			},
		});
		const watch = {
			...dataNode('Job changes', 0, { ids: ids.join('\n') }),
			type: TRIGGER,
		};
		await open(workflowOf('Watch', [watch]));
		await onCanvas(page, watch.name).getByText('Prospect Event', { exact: true }).waitFor();
		await openNode(page, watch.name);
		await takePicture('trigger', ndv, {
			things: [
				ndv.getByTestId('tab-params'),
				ndv.getByTestId('node-execute-button'),
				ndv.getByTestId('parameter-input-simplify'),
			],
			margin: 12,
		});
		await ndv.getByTestId('node-execute-button').click();
		await output.getByText(event.event_id).waitFor();
		await atWidth(1500, async () => {
			await output.getByText('Schema', { exact: true }).click();
			// The same time in each run.
			await output
				.getByText(new Date(event.time).toISOString().replace('Z', '+00:00'))
				.evaluate((shown) => (shown.textContent = '2026-11-01T00:00:00.000+00:00'));
			await takePicture('trigger-output', output, {
				things: [
					output.getByText('Output', { exact: true }),
					output.getByText('1 item'),
					output.getByTestId('ndv-pin-data'),
					output.getByText(event.event_id),
				],
				margin: 8,
				marginRight: 4,
			});
		});
	});
});
