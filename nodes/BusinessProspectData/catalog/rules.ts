import type { Rule } from '../runtime/lists';

/** Identifiers (contract: Common conventions). */
export const PROSPECT_ID: Rule = {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f',
};

export const BUSINESS_ID: Rule = {
	pattern: /^[a-f0-9]{32}$/,
	description: 'a business ID. A business ID has 32 characters, 0 to 9 and a to f',
};

/** Codes that filters take (contract: Fetch prospects). */
export const COUNTRY_CODE: Rule = {
	pattern: /^[a-z]{2}$/,
	description: 'a two-letter country code such as us. Pick the country from the list',
};

export const REGION_CODE: Rule = {
	pattern: /^[a-z]{2}-[a-z0-9]{1,3}$/,
	description: 'a region code (ISO 3166-2) such as us-tx. Pick the region from the list',
};

export const INDUSTRY_CODE: Rule = {
	pattern: /^\d{2}(\d{2}\d{0,2})?$/,
	description: 'an industry code of 2, 4 or all digits. Pick the industry from the list',
};
