import { SEARCH_FILTERS } from '../catalog/filters';
import { filterCollection } from './collection';
import { filterEntry } from './kinds';

/** The filters of the prospect search (contract: Fetch prospects). */
export const searchFilters = filterCollection(SEARCH_FILTERS.map(filterEntry));
