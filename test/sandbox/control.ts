/** Steering from another process, under `/_sandbox/`: without key, not counted, not logged. */
import type { FastifyInstance } from 'fastify';
import { FAULT_KINDS, type Fault } from './faults/kinds';
import type { FaultRule } from './faults/rules';
import { eventRecord } from './world/events';
import type { Sandbox } from './sandbox';
import type { PlantedEvent } from './world/world';

type Controlled = Pick<Sandbox, 'log' | 'world' | 'fault' | 'clear' | 'setRateLimit'>;

interface Planted extends Omit<PlantedEvent, 'time' | 'surfacesAt'> {
	time?: string;
	surfacesAt?: string;
}

const date = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Faults of the data-only forms: what is sent as JSON. */
function checkedRule(rule: FaultRule): FaultRule {
	const list = (Array.isArray(rule.do) ? rule.do : [rule.do]) as readonly Fault[];
	for (const fault of list) {
		if (!FAULT_KINDS.includes(fault?.kind) || fault.kind === 'change') {
			throw new Error(`No such fault: ${JSON.stringify(fault)}`);
		}
	}
	return rule;
}

/**
 * `GET log`, `GET world` (`?people=3&companies=2`: ids), `GET events` (`?kind=prospect`), `POST faults` (a rule),
 * `POST events` (an event to plant), `POST rate` (`{ limit }`), `POST clear`.
 */
export function addControl(app: FastifyInstance, sandbox: Controlled): void {
	const { log, world } = sandbox;
	app.get('/_sandbox/log', async () => ({ entries: log.entries, count: log.count() }));
	app.get<{ Querystring: { people?: string; companies?: string } }>(
		'/_sandbox/world',
		async ({ query }) => ({
			prospect_ids: world.prospectIds(Number(query.people ?? 10)),
			business_ids: world.businessIds(Number(query.companies ?? 10)),
		}),
	);
	app.get<{ Querystring: { kind?: 'prospect' | 'business' } }>(
		'/_sandbox/events',
		async ({ query }) => world.surfacedEvents({ kind: query.kind ?? 'prospect' }).map(eventRecord),
	);
	app.post<{ Body: FaultRule }>('/_sandbox/faults', async ({ body }, reply) => {
		try {
			sandbox.fault(checkedRule(body));
		} catch (error) {
			return await reply.code(400).send({ message: (error as Error).message });
		}
		return { added: true };
	});
	app.post<{ Body: Planted }>('/_sandbox/events', async ({ body }) =>
		eventRecord(
			world.addEvent({ ...body, time: date(body.time), surfacesAt: date(body.surfacesAt) }),
		),
	);
	app.post<{ Body: { limit: number | null } }>('/_sandbox/rate', async ({ body }) => {
		sandbox.setRateLimit(body.limit);
		return { limit: body.limit };
	});
	app.post('/_sandbox/clear', async () => {
		sandbox.clear();
		return { cleared: true };
	});
}
