/** Tells a history that went wrong, in at most 15 lines. */
import { BEGIN, DAY, type History, MINUTE, QUIET } from './n8n';

const MAX_STEPS = 11;

const duration = (ms: number) =>
	ms % DAY === 0 ? `${ms / DAY} d` : `${Math.round(ms / MINUTE)} min`;

/** Without what is as usual, and with times from the beginning. */
function tell(value: unknown): string {
	const text = JSON.stringify(value, (name, part: unknown) => {
		const usual: unknown = Object.entries(QUIET).find(([key]) => key === name)?.[1];
		if (JSON.stringify(usual) === JSON.stringify(part)) return undefined;
		if (typeof part !== 'number') return part;
		if (['ms', 'after', 'off'].includes(name)) return duration(part);
		return ['time', 'surfaces', 'to'].includes(name) ? duration(part - BEGIN) : part;
	});
	return text
		.replaceAll(/([0-9a-f])\1{30,}/g, '$1...')
		.replaceAll(/["{}]/g, '')
		.replaceAll(/[:,]/g, '$& ');
}

export function storyOf<Settings, Change>(
	history: History<Settings, Change> | undefined,
	error: unknown,
	seed: number,
): string {
	const { steps = [], activation, ...start } = history ?? {};
	const told = steps.slice(0, MAX_STEPS).map((step, index) => `${index + 1}. ${tell(step)}`);
	return [
		`${String(error)} (SIMULATION_SEED=${seed})`,
		`At first: ${tell(start)}`,
		`Each activation: ${tell(activation) || 'as usual'}`,
		...told,
		...(steps.length > MAX_STEPS ? [`... and ${steps.length - MAX_STEPS} more steps`] : []),
	].join('\n');
}
