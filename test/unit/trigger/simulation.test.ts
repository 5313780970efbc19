/**
 * Many histories: what surfaced within the lookback window is output once, and nothing from before. The only
 * deviations are those of n8n's own gaps, and they are counted.
 */
import { assertHistories } from './histories';
import { anyHistory } from './history';
import { createEventsRunner } from './runners';
import { Simulation } from './simulation';

test('outputs every event once, and none from before', async () => {
	await assertHistories(anyHistory, (history) => new Simulation(history, createEventsRunner), 1);
});
