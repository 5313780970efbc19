import { sleep } from 'n8n-workflow';

/** How long a loop may keep n8n from other work, such as its editor, webhooks, or a queue worker's lock. */
const SLICE_MS = 40;

/** Like `map`, but lets n8n do other work in between. */
export async function mapInSlices<Input, Output>(
	list: readonly Input[],
	map: (value: Input, index: number) => Output,
): Promise<Output[]> {
	const output: Output[] = [];
	const endsSlice = createPacer();
	for (const [index, value] of list.entries()) {
		output.push(map(value, index));
		if (endsSlice()) await sleep(0);
	}
	return output;
}

/** Returns a function that tells a loop to pause: `if (endsSlice()) await sleep(0)`. */
export function createPacer(): () => boolean {
	let until = performance.now() + SLICE_MS;
	return () => {
		const now = performance.now();
		if (now < until) return false;
		until = now + SLICE_MS;
		return true;
	};
}

export async function countInSlices<Input>(
	list: readonly Input[],
	isCounted: (value: Input) => boolean,
): Promise<number> {
	return (await mapInSlices(list, isCounted)).filter(Boolean).length;
}
