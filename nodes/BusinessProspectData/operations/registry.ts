import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Operation } from '../run/operation';
import { failAll } from '../run/execute';
import { enrich as enrichBusinesses } from './business/enrich';
import { find as findBusinesses } from './business/find';
import { getEvents as getBusinessEvents } from './business/getEvents';
import { getStatistics as getBusinessStatistics } from './business/getStatistics';
import { get as getCreditUsage } from './creditUsage/get';
import { send as sendCustomApiCall } from './customApiCall/send';
import { deleteEnrollment } from './eventEnrollment/delete';
import { search as searchFilterValues } from './filterValue/search';
import { enrich as enrichProspects } from './prospect/enrich';
import { getAll as getManyProspects } from './prospect/getAll';
import { getEvents as getProspectEvents } from './prospect/getEvents';
import { match as matchProspects } from './prospect/match';

/** Custom API Call is last, where n8n puts its own entry of that name in the lists of other nodes. */
export const RESOURCES = [
	{ value: 'prospect', name: 'Prospect' },
	{ value: 'business', name: 'Business' },
	{ value: 'creditUsage', name: 'Credit Usage' },
	{ value: 'eventEnrollment', name: 'Event Enrollment' },
	{ value: 'filterValue', name: 'Filter Value' },
	{ value: 'customApiCall', name: 'Custom API Call' },
] as const;

/** Within a resource, the editor shows the operations in this order. The first one is the default. */
export const OPERATIONS: readonly Operation[] = [
	enrichProspects,
	getProspectEvents,
	getManyProspects,
	matchProspects,
	enrichBusinesses,
	findBusinesses,
	getBusinessEvents,
	getBusinessStatistics,
	getCreditUsage,
	deleteEnrollment,
	searchFilterValues,
	sendCustomApiCall,
];

const resourceProperty: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: RESOURCES.map(({ name, value }) => ({ name, value })),
	default: 'prospect',
};

const operationProperty = (resource: string): INodeProperties => {
	const operations = OPERATIONS.filter((operation) => operation.resource === resource);
	// A variable, because n8n's lint would report an inline expression such as this one as a missing default.
	const first = operations[0]?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			action,
			description,
		})),
		default: first,
	};
};

export const properties: INodeProperties[] = [
	resourceProperty,
	...RESOURCES.map(({ value }) => operationProperty(value)),
	...OPERATIONS.flatMap((operation) =>
		operation.properties.map((property) => ({
			...property,
			displayOptions: {
				...property.displayOptions,
				show: {
					resource: [operation.resource],
					operation: [operation.value],
					...property.displayOptions?.show,
				},
			},
		})),
	),
];

export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(
		OPERATIONS.map(({ resource, value, name }) => {
			const resourceName = RESOURCES.find((each) => each.value === resource)?.name;
			return [`${resource}/${value}`, `${name}: ${resourceName}`];
		}),
	),
)})[$parameter["resource"] + "/" + $parameter["operation"]] }}`;

const findOperation = (resource: unknown, value: unknown): Operation | undefined =>
	OPERATIONS.find((one) => one.resource === resource && one.value === value);

/** Lists the columns that may fill others, without a request. */
export async function getColumns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const saved = this.getCurrentNodeParameters() ?? {};
	const { resource = RESOURCES[0].value, operation } = saved;
	const chosen =
		operation === undefined
			? OPERATIONS.find((one) => one.resource === resource)
			: findOperation(resource, operation);
	return (chosen?.columns(saved) ?? []).map((name) => ({ name, value: name }));
}

export async function executeOperation(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const resource = context.getNodeParameter('resource', 0, '');
	const value = context.getNodeParameter('operation', 0, '');
	const operation = findOperation(resource, value);
	return operation === undefined
		? failAll(
				context,
				`There is no operation "${value}" of the resource "${resource}". Choose Resource and Operation again.`,
			)
		: await operation.execute(context);
}
