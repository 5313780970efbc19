import type { INodeProperties } from 'n8n-workflow';
import { parameterError, stringParameter } from '../../runtime/parameters';

const EXAMPLE = 'Enter what follows Base URL, such as /v1/businesses/stats.';

/** Rules for a path as written, without its leading slash: a pattern that matches invalid paths, and the error's text. */
const RULES: ReadonlyArray<readonly [RegExp, string]> = [
	[/^$/, `is empty. ${EXAMPLE}`],
	[
		/^[a-z][a-z\d+.-]*:|^[/\\]/i,
		`must not contain a server's address. Requests go only to Base URL in the credential. ${EXAMPLE}`,
	],
	[/\\/, 'must not contain "\\". Separate its parts with "/".'],
	[/[?#]/, 'must not contain "?" or "#". Enter what follows "?" under Query Parameters.'],
	[
		/\/\/|\/$/,
		'is incomplete: nothing follows a "/". If the path contains an expression, it may have no value for this row.',
	],
	[
		/[^\w\-.~!$&'()*+,;=:@%/]|%(?![\da-f]{2})/i,
		"contains a character that a path can't have. Encode values, as in {{ encodeURIComponent($json.id) }}.",
	],
];

/** Rules for the decoded path, because proxies and servers may decode it before they resolve it. */
const DECODED_RULES: ReadonlyArray<readonly [RegExp, string]> = [
	[
		/(^|[/\\;])\.{1,2}($|[/\\;])/,
		'must not contain "." or ".." as a part, not even encoded. Enter the whole path.',
	],
	[/[\\\p{Cc}]/u, 'must not contain an encoded "\\" or control character. Remove it.'],
];

/**
 * Reads a path below Base URL and adds the leading slash. Appended to Base URL, the path can't lead out of it.
 *
 * @throws UserError that names the field but doesn't quote the text: a pasted address may contain the API key
 */
export function readPath(raw: unknown, property: INodeProperties): string {
	const path = stringParameter(property).read(raw).replace(/^\//, '');
	const broken =
		RULES.find(([pattern]) => pattern.test(path)) ??
		DECODED_RULES.find(([pattern]) => pattern.test(decodeFully(path)));
	if (broken !== undefined) throw parameterError(property, broken[1]);
	return `/${path}`;
}

/** Decodes ASCII characters until none is encoded. */
function decodeFully(path: string): string {
	const decoded = path.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
		String.fromCharCode(Number(`0x${code}`)),
	);
	return decoded === path ? path : decodeFully(decoded);
}
