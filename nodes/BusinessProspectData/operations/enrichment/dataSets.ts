import type { DataSet } from '../../catalog/dataSets';
import { LIMITS } from '../../catalog/service';
import { choices, noChoiceError } from '../../runtime/lists';
import type { Parameter } from '../../runtime/parameters';

/**
 * The choice of data sets, at least one; its value is their rows of the catalog.
 *
 * @param first the saved value of the one that is chosen by default
 * @param many what the entities are called
 */
export function dataSetsParameter(
	enrichments: readonly DataSet[],
	first: string,
	many: string,
): Parameter<'dataSets', DataSet[]> {
	const { name, property, read } = choices({
		displayName: 'Data Sets',
		name: 'dataSets',
		type: 'multiOptions',
		default: [first],
		required: true,
		options: enrichments.map(({ name, value, description }) => ({ name, value, description })),
		description: `What to fetch. Each data set takes one request for every ${LIMITS.enrich} ${many}.`,
	});
	return {
		name,
		property,
		read: (raw) => {
			const chosen = read(raw);
			if (chosen.length === 0) throw noChoiceError(property);
			return enrichments.filter(({ value }) => chosen.includes(value));
		},
	};
}
