import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { createPoller, type Poller, type PollerOptions } from '../harness/poll';
import type { Sandbox } from '../sandbox/sandbox';

let nodes = 0;

/** The trigger in an active workflow. It checks at each poll. Each has its own name, because the process remembers nodes by name. */
export function triggerOn(
	sandbox: Pick<Sandbox, 'url' | 'apiKey'>,
	parameters: INodeParameters,
	options: Partial<PollerOptions> = {},
): Poller {
	nodes++;
	return createPoller({
		node: new BusinessProspectDataTrigger(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
		name: `Watch ${nodes}`,
		parameters: { checkEvery: 'poll', ...parameters },
		...options,
	});
}

/** A clock of the node and the sandbox that the test moves. */
export interface Clock {
	readonly now: () => Date;
	pass(ms: number): void;
}

afterEach(() => {
	jest.restoreAllMocks();
});

/** Starts such a clock, until the test ends. */
export function startClock(moment: string): Clock {
	let now = Date.parse(moment);
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	return {
		now: () => new Date(now),
		pass(ms) {
			now += ms;
		},
	};
}

export const idsOf = (items: ReadonlyArray<{ json: IDataObject }> | null): string[] =>
	(items ?? []).map(({ json }) => String(json.event_id));
