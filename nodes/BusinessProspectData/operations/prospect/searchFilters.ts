import { isObject } from '../../core/json';
import { SEARCH_FILTERS, type Filter } from '../../catalog/filters';
import { flag, parameter, type Parameter } from '../../runtime/parameters';
import { filterCollection, type Filters, type FilterValue } from '../filters/collection';
import { filterProperty } from '../filters/properties';
import { readFilter } from '../filters/values';

const relatedTitles = flag({
	displayName: 'Include Related Job Titles',
	name: 'include_related_job_titles',
	type: 'boolean',
	default: false,
	description: 'Whether to also find titles related to Job Title',
});

const filterParameter = ({ name, displayName, description, form }: Filter) =>
	parameter<string, FilterValue>(
		{ displayName, name, description, ...filterProperty(form, name) },
		(raw, property) => readFilter(raw, form, property),
	);

const shown = filterCollection(SEARCH_FILTERS.map(filterParameter), [relatedTitles]);

/** The filters of the prospect search (contract: Fetch prospects); related titles go along with the title. */
export const searchFilters: Parameter<'filters', Filters> = {
	...shown,
	read: (raw) => {
		const filters = shown.read(raw);
		const { job_title: title } = filters.sent;
		if (!isObject(title) || !isObject(raw)) return filters;
		if (!relatedTitles.read(raw[relatedTitles.name])) return filters;
		const related = { ...title, include_related_job_titles: true };
		return { ...filters, sent: { ...filters.sent, job_title: related } };
	},
};
