import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { type NodeRun, type NodeRunOptions, rowOfSource, runNode } from '../harness/engine';
import { callTool } from '../harness/tool';
import type { FaultRule } from '../sandbox/faults/rules';
import type { LogEntry } from '../sandbox/log';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox';

/** Failed rows are on the error output. */
export const CONTINUE = { onError: 'continueErrorOutput' } as const;

/** Return All, with the filter that it needs and that everyone matches. */
export const EVERYONE: INodeParameters = {
	returnAll: true,
	filters: { total_experience_months: [{ gte: 0 }] },
};

/** A sandbox, and the node run in a workflow against it. */
export interface Service extends Sandbox {
	run(
		parameters: INodeParameters,
		items?: IDataObject[],
		options?: Omit<Partial<NodeRunOptions>, 'parameters' | 'items'>,
	): Promise<NodeRun>;
	/** Changes what the service answers: once, or as the rule says. */
	change(
		change: (answer: IDataObject, request: LogEntry) => unknown,
		rule?: Omit<FaultRule, 'do'>,
	): ReturnType<Sandbox['fault']>;
	/** What an agent gets that calls the node once as its tool; `input` is what its model fills in. */
	callTool(parameters: INodeParameters, input: IDataObject): Promise<IDataObject[]>;
	/** Options of a run that is cancelled when the service answers the nth request. */
	cancelAt(nth: number): Pick<NodeRunOptions, 'cancelAfter'>;
}

/** What a person chooses in the editor: a data set and, if there are IDs, to identify by them. */
const choices = (parameters: INodeParameters): INodeParameters => ({
	...(parameters.operation === 'enrich' && {
		dataSets: [parameters.resource === 'business' ? 'fundingAndAcquisition' : 'profile'],
	}),
	...(`${parameters.resource as string}Ids` in parameters && {
		identifyBy: `${parameters.resource as string}Id`,
	}),
});

const open = new Set<Sandbox>();

/** Starts a sandbox that is closed after the test; without a rate limit unless the test sets one. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const sandbox = await startSandbox({ rateLimit: null, ...options });
	open.add(sandbox);
	const change: Service['change'] = (changed, rule) =>
		sandbox.fault({
			...rule,
			do: { kind: 'change', with: (answer, request) => changed(answer as IDataObject, request) },
		});
	const node = () => ({
		node: new BusinessProspectData(),
		credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		credentialType: new BusinessProspectDataApi(),
	});
	return {
		...sandbox,
		change,
		callTool: async (parameters, input) =>
			JSON.parse(
				await callTool({ ...node(), parameters: { ...choices(parameters), ...parameters } }, input),
			) as IDataObject[],
		cancelAt(nth) {
			let cancelNow = () => {};
			let answered = 0;
			change((answer) => (cancelNow(), answer), { when: () => ++answered === nth });
			return { cancelAfter: (cancel) => (cancelNow = cancel) };
		},
		run: async (parameters, items = [{}], more = {}) =>
			await runNode({
				...node(),
				expressionAfter: rowOfSource,
				// Without the input's fields, tests see what the node itself outputs.
				parameters: {
					...choices(parameters),
					...withOption(parameters, { includeInputFields: false }),
				},
				items,
				...more,
			}),
	};
}

/** With this option, unless it is set. */
const withOption = (parameters: INodeParameters, option: INodeParameters): INodeParameters => ({
	...parameters,
	options:
		typeof parameters.options === 'string'
			? parameters.options
			: { ...option, ...(parameters.options as INodeParameters | undefined) },
});

/** As by default, with the fields of the input row. */
export const withInputFields = (parameters: INodeParameters): INodeParameters =>
	withOption(parameters, { includeInputFields: true });

afterEach(async () => {
	expect([...open].flatMap(({ log }) => log.defects())).toEqual([]);
	await Promise.all([...open].map(async (sandbox) => await sandbox.close()));
	open.clear();
});

export const jsonOf = (items: readonly INodeExecutionData[]): IDataObject[] =>
	items.map(({ json }) => json);

export const itemOf = ({ pairedItem }: INodeExecutionData): unknown =>
	typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : pairedItem;

/** The hints, then the warnings, each of which the editor shows in one box. */
export const hintsOf = ({ hints }: Pick<NodeRun, 'hints'>): string[] =>
	hints.flatMap(({ message }) => message.split('\n'));

/** An input row for each ID. */
export const itemsWith = (ids: readonly string[]) => ids.map((id, row) => ({ row, id }));

/** Input rows with their numbers, by which rows that come out are linked. */
export const numbered = <Row extends IDataObject>(rows: readonly Row[]) =>
	rows.map((item, row) => ({ ...item, row }));

/** What an error item says, and the parameter that it names. */
export function failureOf({ json }: INodeExecutionData): { message: unknown; field: unknown } {
	const { message, field } = json.error as IDataObject;
	return { message, field };
}

/** The objects and lists in a value, itself included. */
function partsOf(value: unknown): object[] {
	if (typeof value !== 'object' || value === null) return [];
	return [value, ...Object.values(value).flatMap(partsOf)];
}

/** Fails where an object of one item is also in another: a node that edits one in place would change both. */
export function expectOwnObjects(items: ReadonlyArray<{ json: IDataObject }>): void {
	const owners = new Map<object, number>();
	const shared = items.flatMap(({ json }, at) =>
		partsOf(json).filter((part) => {
			const owner = owners.get(part) ?? at;
			owners.set(part, owner);
			return owner !== at;
		}),
	);
	expect(shared).toEqual([]);
}
