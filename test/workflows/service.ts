import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { type NodeRun, type NodeRunOptions, runNode } from '../harness/engine';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox';

/** A sandbox, and the node run in a workflow against it. */
export interface Service extends Sandbox {
	run(
		parameters: INodeParameters,
		items?: IDataObject[],
		options?: Omit<Partial<NodeRunOptions>, 'parameters' | 'items'>,
	): Promise<NodeRun>;
}

const open = new Set<Sandbox>();

/** Starts a sandbox that is closed after the test; without a rate limit unless the test sets one. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const sandbox = await startSandbox({ rateLimit: null, ...options });
	open.add(sandbox);
	return {
		...sandbox,
		run: async (parameters, items = [{}], more = {}) =>
			await runNode({
				node: new BusinessProspectData(),
				credentials: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
				credentialType: new BusinessProspectDataApi(),
				expressionAfter: "{{ $('CRM').item.json.row }}",
				parameters,
				items,
				...more,
			}),
	};
}

afterEach(async () => {
	expect([...open].flatMap(({ log }) => log.defects())).toEqual([]);
	await Promise.all([...open].map(async (sandbox) => await sandbox.close()));
	open.clear();
});

export const jsonOf = (items: readonly INodeExecutionData[]): IDataObject[] =>
	items.map(({ json }) => json);

export const itemOf = ({ pairedItem }: INodeExecutionData): unknown =>
	typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : pairedItem;

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
