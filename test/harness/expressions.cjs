// Evaluates expressions apart from the node, as n8n does by default: what they give arrives as a copy. n8n's own engine
// (`vm`) needs Node.js 24, and Jest can't tell its objects from strange ones; `quickjs` behaves the same way.
const { Expression } = require('n8n-workflow');

beforeAll(async () => {
	await Expression.initExpressionEngine({
		engine: 'quickjs',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeMemoryLimit: 128,
		// n8n's is 5 seconds; no test may depend on being fast.
		bridgeTimeout: 60_000,
	});
	if (Expression.getActiveImplementation() !== 'quickjs') throw new Error('quickjs is not in use');

	// n8n makes a new context for each execution, which takes a tenth of a second; here each is used again.
	const { pool } = Expression.vmEvaluator;
	pool.replenish = () => {};
	pool.release = async (context) => {
		if (!context.isDisposed()) pool.bridges.push(context);
	};
});

afterAll(async () => {
	await Expression.disposeExpressionEngine();
});
