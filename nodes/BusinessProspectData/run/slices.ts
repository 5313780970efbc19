import { sleep } from 'n8n-workflow';

/** How long loops may keep n8n from other work, such as its editor, webhooks, or a queue worker's lock. */
const SLICE_MS = 40;

/** So few take no time, and most polls of the trigger have no more. */
const FEW = 20;

/** Shared by all loops, because one may follow another at once. */
let until = 0;

/** Like `forEach`, but lets n8n do other work in between. */
export async function forEachInSlices<Input>(
	list: readonly Input[],
	use: (value: Input, index: number) => void,
): Promise<void> {
	let index = 0;
	for (const value of list) {
		use(value, index++);
		if (list.length <= FEW || performance.now() < until) continue;
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

export async function flatMapInSlices<Input, Output>(
	list: readonly Input[],
	map: (value: Input, index: number) => readonly Output[],
): Promise<Output[]> {
	const output: Output[] = [];
	await forEachInSlices(list, (value, index) => {
		for (const each of map(value, index)) output.push(each);
	});
	return output;
}

export async function countInSlices<Input>(
	list: readonly Input[],
	isCounted: (value: Input) => boolean,
): Promise<number> {
	let count = 0;
	await forEachInSlices(list, (value) => {
		if (isCounted(value)) count++;
	});
	return count;
}
