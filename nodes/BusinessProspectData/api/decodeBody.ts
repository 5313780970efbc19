import { asText, isDeeperThan, isObject, parseExactly } from '../core/json';

/** A response that is neither JSON nor text, such as an image. */
export interface ResponseFile {
	readonly bytes: Buffer;
	readonly mimeType: string;
	readonly fileName?: string | undefined;
}

export function asFile(body: unknown): ResponseFile | undefined {
	if (!isObject(body) || !Buffer.isBuffer(body.bytes)) return undefined;
	const { bytes, mimeType, fileName } = body;
	return {
		bytes,
		mimeType: asText(mimeType) ?? 'application/octet-stream',
		fileName: asText(fileName),
	};
}

/** Values with more levels overflow the call stack in n8n, or in a later node. */
export const MAX_DEPTH = 500;

const TEXT_TYPE = /^text\/|json|xml|javascript|ecmascript|yaml|urlencoded|csv/i;

/**
 * Reads the bytes of a response as JSON, as text, or as a file. JSON that is nested too deeply stays text. Without a content
 * type, bytes that are valid UTF-8 are text.
 */
export function decodeBody(bytes: Buffer, headers: Readonly<Record<string, unknown>>): unknown {
	const contentType = asText(headers['content-type']) ?? '';
	const [mimeType = ''] = contentType.split(';').map((part) => part.trim());
	const text =
		mimeType === '' || TEXT_TYPE.test(mimeType) ? decodeText(bytes, contentType) : undefined;
	if (text !== undefined) return isDeeperThan(text, MAX_DEPTH) ? text : parseIfJson(text);
	if (bytes.length === 0) return '';
	const disposition = asText(headers['content-disposition']) ?? '';
	const [, fileName] = /filename="?([^";]+)/i.exec(disposition) ?? [];
	return { bytes, mimeType, fileName };
}

/** Undefined for bytes without a content type that aren't text. */
function decodeText(bytes: Buffer, contentType: string): string | undefined {
	const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
	try {
		return new TextDecoder(charset, { fatal: contentType === '' }).decode(bytes);
	} catch {
		return contentType === '' ? undefined : bytes.toString();
	}
}

function parseIfJson(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return text;
	}
}
