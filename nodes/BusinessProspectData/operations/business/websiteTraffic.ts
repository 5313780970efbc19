import type { IDataObject } from 'n8n-workflow';
import { LIMITS } from '../../catalog/service';
import type { RunContext } from '../../runtime/spec';
import { parameter, readText, parameterError } from '../../runtime/parameters';

export const monthPeriod = parameter(
	{
		displayName: 'Month',
		name: 'monthPeriod',
		type: 'string',
		default: '',
		placeholder: 'e.g. 2026-05',
		displayOptions: { show: { dataSets: ['websiteTraffic'] } },
		description: `Month of the traffic, from ${LIMITS.trafficFrom} to last month. Empty: last month.`,
	},
	readText,
);

/**
 * The `parameters` of the data set Website Traffic (contract: Business bulk enrichment, `month_period`).
 *
 * @throws UserError when it is no month, or one without traffic data
 */
export function trafficParameters(
	{ monthPeriod: month }: { readonly monthPeriod: string },
	{ now }: RunContext,
): IDataObject {
	if (month === '') return {};
	const current = new Date(now);
	const last = new Date(Date.UTC(current.getUTCFullYear(), current.getUTCMonth() - 1, 1));
	const lastMonth = last.toISOString().slice(0, 'YYYY-MM'.length);
	if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) {
		throw parameterError(monthPeriod.property, `is not a month such as ${lastMonth}.`, month);
	}
	if (month < LIMITS.trafficFrom || month > lastMonth) {
		throw parameterError(
			monthPeriod.property,
			`is outside the traffic data, which go from ${LIMITS.trafficFrom} to ${lastMonth}.`,
			month,
		);
	}
	return { month_period: month };
}
