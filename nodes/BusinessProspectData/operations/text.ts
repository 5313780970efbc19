/** The text without invisible characters and with one space for each run of white space. Copied text often has both. */
export const normalizeSpaces = (text: string): string =>
	text
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
