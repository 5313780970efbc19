import type { INodePropertyOptions } from 'n8n-workflow';
import { COUNTRIES_METHOD, listCountries } from '../catalog/countries';

/** Lists that need no request. */
export const loadOptions = {
	[COUNTRIES_METHOD]: async (): Promise<INodePropertyOptions[]> => listCountries(),
};
