/** What the codes that filters take look like, in lower case (contract: Fetch prospects). */

export const COUNTRY_CODE = {
	pattern: /^[a-z]{2}$/,
	description: 'a two-letter country code such as us. Pick the country from the list',
} as const;

export const REGION_CODE = {
	pattern: /^[a-z]{2}-[a-z0-9]{1,3}$/,
	description: 'a region code (ISO 3166-2) such as us-tx. Pick the region from the list',
} as const;

export const INDUSTRY_CODE = {
	pattern: /^\d{2}(\d{2}\d{0,2})?$/,
	description: 'an industry code of 2, 4 or all digits. Pick the industry from the list',
} as const;
