/**
 * Many histories: whoever comes after the first check and stays is output once, and nobody from before. The only deviations
 * are those of n8n's own gaps, and they are counted.
 */
import { assertHistories } from './histories';
import { anySearchHistory } from './searchHistory';
import { createSearchRunner } from './runners';
import { SearchSimulation } from './searchSimulation';

test('everybody who comes and stays is output, once, and nobody from before', async () => {
	await assertHistories(
		anySearchHistory,
		(history) => new SearchSimulation(history, createSearchRunner),
		1 / 8,
	);
});
