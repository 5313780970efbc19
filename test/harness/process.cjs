// What TypeScript files may not import or use: Node's own modules and globals.
const { getEventListeners } = require('node:events');
const { setFlagsFromString } = require('node:v8');
const { inspect } = require('node:util');
const { runInNewContext } = require('node:vm');

let collectGarbage;

exports.turn = () => new Promise((resolve) => setImmediate(resolve));

exports.abortListeners = (signal) => getEventListeners(signal, 'abort').length;

exports.inspectDeeply = (value) =>
	inspect(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: null,
		maxStringLength: null,
	});

exports.heapInUse = () => {
	if (collectGarbage === undefined) {
		setFlagsFromString('--expose-gc');
		collectGarbage = runInNewContext('gc');
	}
	collectGarbage();
	return process.memoryUsage().heapUsed;
};

exports.cpuUsage = process.cpuUsage;

exports.watchTimers = (isWatched) => {
	const begun = new Set();
	const ended = new Set();
	const { setTimeout: start, clearTimeout: end } = globalThis;
	globalThis.setTimeout = (act, ms, ...rest) => {
		const timer = start(act, ms, ...rest);
		if (isWatched(ms)) begun.add(timer);
		return timer;
	};
	globalThis.clearTimeout = (timer) => {
		ended.add(timer);
		end(timer);
	};
	return {
		begun: () => begun.size,
		stop: () => {
			globalThis.setTimeout = start;
			globalThis.clearTimeout = end;
			const left = [...begun].filter((timer) => !ended.has(timer));
			left.forEach((timer) => end(timer));
			return left.length;
		},
	};
};

/** Makes timers of half a second or longer a hundredth of that; returns what ends it. */
exports.shortenTimers = () => {
	const { setTimeout: start } = globalThis;
	globalThis.setTimeout = (act, ms = 0, ...rest) => start(act, ms < 500 ? ms : ms / 100, ...rest);
	return () => {
		globalThis.setTimeout = start;
	};
};
