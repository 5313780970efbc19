import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../core/json';

/**
 * The rows of a statistics answer (contract: Statistics result): one for each business category and location, without
 * the totals; the members whose shape the contract does not show pass through in a row of their own.
 */
export function statisticsRows(answer: IDataObject): IDataObject[] {
	const stats = isObject(answer.stats) ? answer.stats : {};
	const { business_categories_per_location: byCategory, ...others } = stats;
	const rows = Object.entries(isObject(byCategory) ? byCategory : {})
		.filter(([category]) => category !== 'total_per_location')
		.flatMap(([category, locations]) =>
			Object.entries(isObject(locations) ? locations : {})
				.filter(([location]) => location !== 'total')
				.map(([location, count]): IDataObject => ({ category, location, count })),
		);
	return Object.keys(others).length === 0 ? rows : [...rows, others];
}
