/** Renders a whole number for people: `12,345`. Without `toLocaleString`, which loads far more than this when n8n starts. */
export const formatNumber = (value: number): string =>
	String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Renders a count with its noun: `1 request`, `12,345 requests`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
	`${formatNumber(count)} ${count === 1 ? one : many}`;
