/**
 * The matrix' clock: waits end at once, and the clock of the node and the sandbox advances by as much. Import it before
 * anything that loads n8n-workflow.
 */
import type * as Workflow from 'n8n-workflow';

/** Shorter waits are real, so that a partial response can arrive. Milliseconds. */
const mockShort = 20;
const { setImmediate: mockImmediate } =
	jest.requireActual<Record<'setImmediate', () => Promise<void>>>('node:timers/promises');
/** How far the clock is ahead of the machine's, milliseconds. */
let mockAhead = 0;

jest.mock('n8n-workflow', () => {
	const actual = jest.requireActual<typeof Workflow>('n8n-workflow');
	return {
		...actual,
		__esModule: true,
		sleep: async (ms: number, signal?: AbortSignal) => {
			if (ms <= mockShort) return await actual.sleep(ms, signal);
			await mockImmediate();
			signal?.throwIfAborted();
			mockAhead += ms;
		},
	};
});

/** Starts the clock at a moment, for the rest of the test file. */
export function startClock(moment: string): void {
	const offset = Date.parse(moment) - Date.now();
	const machine = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => machine() + offset + mockAhead);
	const monotonic = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + mockAhead);
}
