/** Random steps that both kinds of trigger share. */
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, type Mode, type Plan, type Step } from './n8n';

/** One of the alternatives, by weight. A failing one is made simpler also by trying the first. */
export const weighted = <Value>(
	...alternatives: Array<[weight: number, arbitrary: fc.Arbitrary<Value>]>
): fc.Arbitrary<Value> =>
	fc.oneof(
		{ withCrossShrink: true },
		...alternatives.map(([weight, arbitrary]) => ({ weight, arbitrary })),
	);

/** A value in one of several cases. */
export const seldom = <Value>(value: fc.Arbitrary<Value>, cases: number) =>
	weighted<Value | undefined>([cases - 1, fc.constant(undefined)], [1, value]);

export const anyMode = fc.constantFrom<Mode>('live', 'durable', 'scheduled');

const anyWait = weighted(
	[4, fc.constant(MINUTE)],
	[3, fc.integer({ min: 1, max: 5 * HOUR })],
	[2, fc.integer({ min: HOUR, max: 30 * HOUR })],
);

interface Own<Settings, Change> {
	readonly settings: fc.Arbitrary<Settings>;
	readonly change: fc.Arbitrary<Change>;
	/** How often something changes, compared with 12 polls. */
	readonly changes: number;
}

/** Steps and polls of a kind of trigger. */
export function anyStepsOf<Settings, Change>({ settings, change, changes }: Own<Settings, Change>) {
	type OwnStep = Step<Settings, Change>;
	type Steps = readonly OwnStep[];

	const anyPlan = (during: fc.Arbitrary<Steps>): fc.Arbitrary<Plan<Settings, Change>> =>
		fc.record({
			fails: weighted<Plan<Settings, Change>['fails']>(
				[6, fc.constant([])],
				[2, fc.subarray([0, 1, 2, 3])],
				[1, fc.constant('all')],
			),
			requests: weighted([3, fc.constant(99)], [1, fc.nat(4)]),
			during,
			at: fc.constantFrom(0, 1, 1, 2),
			dies: seldom(fc.constantFrom('before', 'after'), 15),
		});
	const polling = (during: fc.Arbitrary<Steps>): fc.Arbitrary<OwnStep> =>
		anyPlan(during).map((plan) => ({ kind: 'poll', plan }));
	const waiting = (anyMs: fc.Arbitrary<number>): fc.Arbitrary<OwnStep> =>
		anyMs.map((ms) => ({ kind: 'wait', ms }));
	const anyChange = change.map((own): OwnStep => ({ kind: 'change', change: own }));
	const anyEdit = settings.map((own): OwnStep => ({ kind: 'edit', settings: own }));
	const anyDisruption = (after: fc.Arbitrary<number>): fc.Arbitrary<OwnStep> =>
		fc.oneof(
			anyEdit,
			fc.record({ kind: fc.constantFrom('reactivate' as const, 'restart' as const), after }),
			fc.constant({ kind: 'stale' as const }),
		);
	/** What happens during a poll, which takes minutes at most. */
	const anyDuring = weighted<Steps>(
		[4, fc.constant([])],
		[
			1,
			fc.array(
				weighted<OwnStep>(
					[2, waiting(fc.constantFrom(0, MINUTE, 5 * MINUTE))],
					[1 + changes, anyChange],
					[2, anyDisruption(fc.constantFrom(0, MINUTE))],
					[1, polling(fc.constant([]))],
				),
				{ minLength: 1, maxLength: 2 },
			),
		],
	);
	const anyStep = weighted<OwnStep>(
		[30, waiting(anyWait)],
		[60, polling(anyDuring)],
		[5 * changes, anyChange],
		[15, anyDisruption(fc.constantFrom(0, MINUTE, 3 * HOUR, 7 * DAY))],
		[1, fc.constant({ kind: 'rename' as const })],
	);
	return {
		anySteps: fc.array(anyStep, { minLength: 1, maxLength: 30 }),
		/** Nothing that activates the workflow again, which would go on for ever. */
		anyActivation: fc.record({
			fails: fc.constant([]),
			requests: fc.constantFrom(99, 99, 2),
			during: weighted<Steps>(
				[1, fc.constant([])],
				[1, fc.array(anyChange, { minLength: 1, maxLength: 3 })],
			),
			at: fc.constantFrom(1, 1, 2),
		}),
	};
}
