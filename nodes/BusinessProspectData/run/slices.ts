import { sleep } from 'n8n-workflow';

/** How long a loop may keep n8n from other work, such as its editor, webhooks, or a queue worker's lock. */
const SLICE_MS = 40;

/** Like `forEach`, but lets n8n do other work in between. */
export async function forEachInSlices<Input>(
	list: readonly Input[],
	use: (value: Input, index: number) => void,
): Promise<void> {
	let until = performance.now() + SLICE_MS;
	for (const [index, value] of list.entries()) {
		use(value, index);
		if (performance.now() < until) continue;
		await sleep(0);
		until = performance.now() + SLICE_MS;
	}
}

export async function mapInSlices<Input, Output>(
	list: readonly Input[],
	map: (value: Input, index: number) => Output,
): Promise<Output[]> {
	const output: Output[] = [];
	await forEachInSlices(list, (value, index) => output.push(map(value, index)));
	return output;
}

export async function countInSlices<Input>(
	list: readonly Input[],
	isCounted: (value: Input) => boolean,
): Promise<number> {
	return (await mapInSlices(list, isCounted)).filter(Boolean).length;
}
