/** The test of the simulation: with any of these bugs in the trigger, some history goes wrong. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	type Checkpoint,
	CLOCK_SLACK_MS,
	HOUR_MS,
} from '../../../nodes/BusinessProspectData/trigger/checkpoint';
import { createMemory, type Memory } from '../../../nodes/BusinessProspectData/trigger/memory';
import {
	pack,
	fingerprintOf,
	unpack,
} from '../../../nodes/BusinessProspectData/trigger/fingerprints';
import { queryEvents } from '../../../nodes/BusinessProspectData/events/query';
import { createPollRunner, RULES } from '../../../nodes/BusinessProspectData/trigger/pollRun';
import { executeBatches } from '../../../nodes/BusinessProspectData/runtime/batches';
import { anyHistory } from './history';
import { type NewProcess, Simulation } from './simulation';

type Rules = typeof RULES;

const rules = (mutant: Partial<Rules>): NewProcess => {
	return () => createPollRunner({ ...RULES, ...mutant });
};

/** Changes what a poll keeps. */
const keeping = (
	change: (
		after: Checkpoint,
		before: Checkpoint,
		...rest: [...Parameters<Rules['selected']>]
	) => Checkpoint,
): NewProcess =>
	rules({
		selected(...all) {
			const { events, checkpoint } = RULES.selected(...all);
			return { events, checkpoint: change(checkpoint, all[0], ...all) };
		},
	});

const opening = (change: (opened: Checkpoint, now: number) => Partial<Checkpoint>): NewProcess =>
	rules({
		opened(saved, watch, now) {
			const opened = RULES.opened(saved, watch, now);
			return { ...opened, ...change(opened, now) };
		},
	});

const allIdsFrom = ({ watched }: Checkpoint, floor: number) => ({
	watched: { [floor]: Object.values(watched).join('') },
});

const seenWithout = (
	{ seen }: Checkpoint,
	drops: (hour: number, print: string) => boolean,
): Record<string, string> =>
	Object.fromEntries(
		Object.entries(seen).map(([hour, prints]) => [
			hour,
			pack(unpack(prints).filter((print) => !drops(Number(hour), print))),
		]),
	);

const withMemory = (mutant: (memory: Memory) => Partial<Memory>): NewProcess => {
	return () => {
		const memory = createMemory();
		return createPollRunner(RULES, { ...memory, ...mutant(memory) });
	};
};

const ended = (after: Checkpoint, before: Checkpoint) =>
	before.sweep !== undefined && after.sweep === undefined;

const MUTANTS: Record<string, NewProcess> = {
	'moves the clock before the request': rules({
		sweeping: (checkpoint, watch, now) => ({
			...RULES.sweeping(checkpoint, watch, now),
			last: now,
		}),
	}),
	'moves the clock despite a failed request': keeping((after, before) => ({
		...after,
		last: ended(after, before) ? (before.sweep?.start ?? 0) : after.last,
	})),
	'moves the clock to the end of the sweep': rules({
		selected(checkpoint, watch, number, answers, now) {
			const { events, checkpoint: after } = RULES.selected(checkpoint, watch, number, answers, now);
			return { events, checkpoint: after.last > checkpoint.last ? { ...after, last: now } : after };
		},
	}),
	'moves the clock after each poll': keeping((after, { sweep }) => ({
		...after,
		last: sweep?.start ?? after.last,
	})),
	'takes a failed request for an answer without events': rules({
		selected: (checkpoint, watch, number, answers, now) =>
			RULES.selected(
				checkpoint,
				watch,
				number,
				answers.map(({ id, events = [] }) => ({ id, events })),
				now,
			),
	}),
	'takes ids for asked when the time ran out': rules({
		selected: (checkpoint, watch, number, answers, now) =>
			RULES.selected(
				checkpoint,
				watch,
				number,
				[...answers, ...watch.ids.map((id) => ({ id, events: [] }))],
				now,
			),
	}),
	'asks only the first ids': rules({
		pending: (_, { ids }) => [...ids],
	}),
	'remembers no events': keeping((after) => ({ ...after, seen: {} })),
	'forgets events too early': rules({
		selected(checkpoint, watch, number, answers, now) {
			const { events, checkpoint: after } = RULES.selected(checkpoint, watch, number, answers, now);
			const edge = now - watch.lookbackMs;
			const seen = seenWithout(after, (hour) => hour * HOUR_MS < edge);
			return { events, checkpoint: { ...after, seen } };
		},
	}),
	'forgets events that move to a later time': keeping((after, before) => {
		const known = new Set(Object.values(before.seen).flatMap(unpack));
		const seen = seenWithout(
			after,
			(hour, print) => known.has(print) && !before.seen[hour]?.includes(print),
		);
		return { ...after, seen };
	}),
	'asks for what it has forgotten': opening(() => ({ from: 0 })),
	'has no look-back': rules({
		sweeping: (checkpoint, watch, now) =>
			RULES.sweeping(checkpoint, { ...watch, lookbackMs: 0 }, now),
	}),
	'trusts the clock': rules({
		sweeping: (checkpoint, watch, now) =>
			RULES.sweeping(checkpoint, { ...watch, lookbackMs: watch.lookbackMs - CLOCK_SLACK_MS }, now),
	}),
	'puts out the past of ids': opening((opened) => allIdsFrom(opened, 0)),
	'counts all ids anew when one is added': rules({
		opened(saved, watch, now) {
			const opened = RULES.opened(saved, watch, now);
			const [floor = now, ...more] = Object.keys(opened.watched).map(Number);
			return more.length === 0
				? opened
				: { ...opened, ...allIdsFrom(opened, Math.max(floor, ...more)) };
		},
	}),
	'puts out the past of types': opening(({ types }) => ({
		types: Object.fromEntries(Object.keys(types).map((type) => [type, 0])),
	})),
	'starts anew with each list': rules({
		opened(saved, watch, now) {
			const before = saved as Checkpoint | undefined;
			const known = new Set(Object.values(before?.watched ?? {}).flatMap(unpack));
			const same = watch.ids.every((id) => known.has(fingerprintOf(id)));
			return RULES.opened(same ? saved : undefined, watch, now);
		},
	}),
	'lets polls overlap': () => {
		const memory = createMemory();
		return async (turn) => await createPollRunner(RULES, memory)(turn);
	},
	'remembers nothing between savings': withMemory(() => ({
		recall: (_, { checkpoint }) => checkpoint,
	})),
	'remembers events as put out that n8n may drop': withMemory((memory) => ({
		keep: (key, state, checkpoint, _, now) => memory.keep(key, state, checkpoint, false, now),
	})),
	'does not notice lists that are edited during a check': () => {
		const takeTurn = createPollRunner();
		const running = new Set<string>();
		return async (turn) => {
			if (running.has(turn.key)) return { events: [], answered: true };
			running.add(turn.key);
			return await takeTurn(turn).finally(() => running.delete(turn.key));
		};
	},
	'goes on with the list with which a check began': () => {
		let begun: readonly string[] = [];
		return createPollRunner({
			...RULES,
			pending: (checkpoint, watch) => {
				begun = watch.ids.map(fingerprintOf);
				return RULES.pending(checkpoint, watch);
			},
			selected(...all) {
				const { events, checkpoint } = RULES.selected(...all);
				const watched = Object.entries(checkpoint.watched).map(([floor, prints]) => [
					floor,
					pack(unpack(prints).filter((print) => begun.includes(print))),
				]);
				return { events, checkpoint: { ...checkpoint, watched: Object.fromEntries(watched) } };
			},
		});
	},
	'tells events apart by their own ID alone': () => {
		const owners = new Map<unknown, string>();
		return createPollRunner({
			...RULES,
			selected: (checkpoint, watch, number, answers, now) => {
				const first = answers.map(({ id, events }) => ({
					id,
					events: events?.filter(({ event_id }) => {
						const owner = owners.get(event_id) ?? id;
						owners.set(event_id, owner);
						return owner === id;
					}),
				}));
				return RULES.selected(checkpoint, watch, number, first, now);
			},
		});
	},
	'goes on from its memory whatever n8n has': withMemory((memory) => {
		const latest = new Map<string, unknown>();
		return {
			recall: (key, { checkpoint }) => latest.get(key) ?? checkpoint,
			keep(key, state, checkpoint, putsOut, now) {
				memory.keep(key, state, checkpoint, putsOut, now);
				latest.set(key, state.checkpoint);
			},
		};
	}),
};

/** Bugs in what is made of a response. */
const QUERIES: Record<string, typeof queryEvents> = {
	'takes events that name nobody for none': async (client, source, asks) =>
		await queryEvents(
			{
				...client,
				async send(request) {
					const { value, failure } = await client.send(request);
					if (failure !== undefined) return { failure };
					const { output_events } = value as { output_events: IDataObject[] };
					return { value: { output_events: output_events.filter((event) => event.prospect_id) } };
				},
			},
			source,
			asks,
		),
	'takes IDs for answered that failed when they were asked for alone': async (...all) => {
		const { value, failure } = await queryEvents(...all);
		if (value === undefined) return { failure };
		return { value: value.map((one) => (one.value === undefined ? one : { value: one.value })) };
	},
};

/** Bugs in what is made of a request that the service refuses. */
const BATCHES: Record<string, typeof executeBatches> = {
	'believes every index that the service names': async (client, inputs, functions, options) =>
		await executeBatches(
			client,
			inputs,
			{
				...functions,
				async send(own, batch, skipIf) {
					const { value, failure } = await functions.send(own, batch, skipIf);
					if (failure === undefined) return { value };
					const named = batch[failure.issues?.[0]?.index ?? batch.length];
					if (named === undefined) return { failure };
					const rest = batch.filter((input) => input !== named);
					const again = await functions.send(own, rest, skipIf);
					const others = [...(again.value ?? rest.map(() => ({ failure })))];
					const invalid = { failure: { ...failure, field: functions.field } };
					return {
						value: batch.map((input) => (input === named ? invalid : (others.shift() ?? invalid))),
					};
				},
			},
			options,
		),
	'takes all IDs of a refused request for invalid': async (client, inputs, functions, options) =>
		await executeBatches(
			client,
			inputs,
			{
				...functions,
				async send(own, batch, skipIf) {
					const { value, failure } = await functions.send(own, batch, skipIf);
					if (failure === undefined) return { value };
					if (failure.kind !== 'invalid') return { failure };
					return { value: batch.map(() => ({ failure: { ...failure, field: functions.field } })) };
				},
			},
			options,
		),
};

const found = async (newProcess: NewProcess, query = queryEvents, batches = executeBatches) => {
	const { failed } = await fc.check(
		fc.asyncProperty(anyHistory, async (history) => {
			const wrongs = await new Simulation(history, newProcess, query, batches).run();
			return wrongs.length === 0;
		}),
		{ numRuns: 5_000, seed: 1, endOnFailure: true },
	);
	return failed;
};

test.each(Object.entries(MUTANTS))('a trigger that %s is found out', async (_, newProcess) => {
	expect(await found(newProcess)).toBe(true);
});

test.each(Object.entries(QUERIES))('a trigger that %s is found out', async (_, query) => {
	expect(await found(createPollRunner, query)).toBe(true);
});

test.each(Object.entries(BATCHES))('a trigger that %s is found out', async (_, batches) => {
	expect(await found(createPollRunner, queryEvents, batches)).toBe(true);
});
