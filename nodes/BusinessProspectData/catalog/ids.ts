/** Identifiers of the service (contract: Common conventions); they are compared in lower case. */
export const PROSPECT_ID = {
	pattern: /^[a-f0-9]{40}$/,
	description: 'a prospect ID. A prospect ID has 40 characters, 0 to 9 and a to f',
} as const;

export const BUSINESS_ID = {
	pattern: /^[a-f0-9]{32}$/,
	description: 'a business ID. A business ID has 32 characters, 0 to 9 and a to f',
} as const;
