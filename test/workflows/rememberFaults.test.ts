/** Remember In, when the table or the service fails at any moment: nothing that was paid for is lost, and no run breaks off. */
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { createDataTables } from '../harness/dataTables';
import { bySize } from '../size';
import { hintsOf, type Service, startService } from './service';

const ENRICH: INodeParameters = {
	resource: 'prospect',
	operation: 'enrich',
	identifyBy: 'personDetails',
	email: '={{ $json.mail }}',
	dataSets: ['profile'],
	rememberIn: 'M',
	options: { maxWait: 0 },
};

const BY_EMAIL: INodeParameters = {
	...ENRICH,
	resource: 'business',
	identifyBy: 'workEmail',
	email: '',
	workEmail: '={{ $json.mail }}',
	dataSets: ['fundingAndAcquisition'],
};

const mailOf = ({ world }: Service, index: number) => {
	const { mailbox, company } = world.person(index);
	return `${mailbox}@${world.company(company).domain}`;
};

const isError = ({ error }: IDataObject) => typeof error === 'object' && error !== null;

/** Runs 52 rows; the nth call of the table or the service fails, once. */
async function runWithFault(
	parameters: INodeParameters,
	onError: OnError,
	at: string,
	nth: number,
) {
	const service = await startService();
	const dataTables = createDataTables();
	const rows = Array.from({ length: 52 }, (_, row) => ({ row, mail: mailOf(service, row) }));
	// One is remembered, which takes other calls.
	await service.run(parameters, rows.slice(0, 1), { dataTables });
	const before = service.log.entries.length;
	let calls = 0;
	if (at === 'table') {
		dataTables.before = () => {
			if (++calls === nth) throw new Error('SQLITE_BUSY: database is locked');
		};
	} else {
		service.fault({ when: () => ++calls === nth, do: { kind: 'status', status: 400 } });
	}
	const run = await service.run(parameters, rows, { dataTables, onError });
	const sent = service.log.entries.slice(before);
	return {
		run,
		calls,
		sent,
		wasMatch: sent.find(({ status }) => status === 400)?.endpoint === 'match',
	};
}

const MODES: OnError[] = ['continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'];

test.each([
	...MODES.flatMap((mode) => [
		['Prospect: Enrich', ENRICH, mode, 'table'] as const,
		['Prospect: Enrich', ENRICH, mode, 'service'] as const,
	]),
	['Business: Enrich', BY_EMAIL, 'continueErrorOutput', 'table'] as const,
])('%s, %#: each call fails once', async (_, parameters, onError, at) => {
	for (let nth = 1; ; nth += bySize(2, 1)) {
		const { run, calls, sent, wasMatch } = await runWithFault(parameters, onError, at, nth);
		const items = [...run.main, ...run.error];
		const failed = items.filter(({ json }) => isError(json));
		const said = `${at} ${nth}: ${run.failureText} ${hintsOf(run).join(' ')}`;

		if (calls >= nth && onError === 'stopWorkflow' && (at === 'service' || sent.length === 0)) {
			expect(said).toMatch(at === 'table' ? /Nothing was requested/ : /HTTP 400/);
			continue;
		}
		expect([said, run.task?.error, items.length]).toEqual([said, undefined, 52]);
		const linked = [...run.linked, ...run.linkedErrors].map(Number).sort((a, b) => a - b);
		expect(linked).toEqual([...Array(52).keys()]);
		// Before anything is paid, a table that fails stops all; later, it costs no row.
		if (at === 'table') expect([said, failed.length]).toEqual([said, sent.length === 0 ? 52 : 0]);
		else if (!wasMatch) {
			for (const { json } of failed) expect(JSON.stringify(json)).toContain('"prospect_id":"');
		}
		if (calls < nth) break;
	}
});
