import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../api/json';
import type { Outcome } from '../../api/outcome';
import { CATEGORY_FILTERS, STATISTICS_FILTERS } from '../../catalog/filters';
import { perItem } from '../../runtime/operation';
import { rowsOf } from '../../runtime/output';
import { options } from '../../runtime/options';
import { json, refusal } from '../../runtime/parameters';
import { outputChoice } from '../shared';
import { statisticsFilters } from '../statisticsFilters';
import { statisticsRows } from './statistics';

const filters = statisticsFilters(STATISTICS_FILTERS);

const additionalFilters = json({
	displayName: 'Additional Filters',
	name: 'additionalFilters',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "country_code": { "type": "includes", "values": ["us"] } }',
	description: 'Further business filters as a JSON object, in the form of the service',
});

const output = outputChoice(
	{ name: 'Rows', value: 'rows', description: 'One row for each category and location' },
	'The answer as the service sends it',
);

interface StatisticsAsk {
	readonly filters: IDataObject;
	readonly requestContext?: IDataObject;
}

export const getStatistics = perItem({
	resource: 'business',
	value: 'getStatistics',
	name: 'Get Statistics',
	action: 'Get statistics of businesses',
	description: 'Count companies by category and location for a selection',
	parameters: [filters, additionalFilters, output],
	options: options(),
	ask: (values, { requestContext }): StatisticsAsk => {
		const wrong = Object.entries(values.additionalFilters ?? {}).find(
			([, form]) => !isFilter(form),
		);
		if (wrong !== undefined) {
			throw refusal(
				additionalFilters.property,
				'is not a filter of the form { "type": "includes", "values": ["us"], "negate": true }; "negate" may be left out.',
				wrong[0],
			);
		}
		const all = { ...values.filters, ...values.additionalFilters };
		const categories = CATEGORY_FILTERS.filter((name) => all[name] !== undefined);
		if (categories.length > 1) {
			throw refusal(
				filters.property,
				`${categories.join(' and ')} cannot be combined: the service takes one category filter at most.`,
			);
		}
		return { filters: all, requestContext };
	},
	send: async (client, { filters: sent, requestContext }): Promise<Outcome<IDataObject>> => {
		const { value, failure } = await client.send({
			method: 'POST',
			path: '/v1/businesses/stats',
			body: { filters: sent, ...(requestContext && { request_context: requestContext }) },
			free: true,
		});
		return failure === undefined ? { value: isObject(value) ? value : {} } : { failure };
	},
	rows: (answered, values) =>
		answered.flatMap(({ outcome }) =>
			rowsOf(outcome, (answer) =>
				(values.output === 'rows' ? statisticsRows(answer) : [answer]).map((json) => ({ json })),
			),
		),
	wording: { verb: 'Returned', one: 'row', many: 'rows' },
});

/** Which filters there are is open, but not their form (contract: Business statistics). */
const isFilter = (form: unknown): boolean =>
	isObject(form) &&
	typeof form.type === 'string' &&
	Array.isArray(form.values) &&
	['undefined', 'boolean'].includes(typeof form.negate) &&
	Object.keys(form).every((key) => ['type', 'values', 'negate'].includes(key));
