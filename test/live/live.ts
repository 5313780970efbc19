/** Asks each endpoint of a real service once, and prints what differs from the contract and what each request cost. */
import Table from 'cli-table3';
import { sleep } from 'n8n-workflow';
import { creditsIn, usageRequest } from '../../nodes/BusinessProspectData/api/accountLimit';
import { authHeaders, parseBaseUrl } from '../../nodes/BusinessProspectData/api/credential';
import { reportedStatus } from '../../nodes/BusinessProspectData/api/responseBody';
import { parsedJson } from '../../nodes/BusinessProspectData/core/json';
import { pluralize } from '../../nodes/BusinessProspectData/core/text';
import { type Endpoint, endpointNamed } from '../sandbox/contract/contract';
import { type Answer, differencesIn } from './differences';
import { FREE, inputFor, PAID, type Person, personIn, priceOf } from './requests';

interface Service {
	readonly baseUrl: unknown;
	readonly apiKey: unknown;
	readonly tenant?: unknown;
	/** Time that Credit Usage gets to count a request. */
	readonly waitSeconds: number;
}

interface Terminal {
	readonly print: (text: string) => void;
	/** Resolves to true if the answer is yes. */
	readonly confirm: (question: string) => Promise<boolean>;
}

export interface Result {
	readonly endpoint: Endpoint;
	readonly answer: Answer;
	/** Undefined if Credit Usage reports no total. */
	readonly cost: number | undefined;
	readonly differences: string[];
}

const TIMEOUT_MS = 120_000;

function createSend(service: Service) {
	const baseUrl = parseBaseUrl(service.baseUrl);
	const headers = { ...authHeaders(service), 'content-type': 'application/json' };
	return async ({ method, path }: Endpoint, input: object): Promise<Answer> => {
		const isGet = method === 'GET';
		const query = isGet ? `?${new URLSearchParams({ ...input })}` : '';
		try {
			const response = await fetch(baseUrl + path + query, {
				method,
				headers,
				body: isGet ? undefined : JSON.stringify(input),
				// The key goes to no other address.
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			return { status: response.status, body: parsedJson(await response.text()) };
		} catch {
			return {};
		}
	};
}

const pathOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function announce(): string {
	const priced = PAID.filter((endpoint) => priceOf(endpoint) !== undefined);
	const prices = priced.map(
		(endpoint) => `${pathOf(endpoint)} costs ${pluralize(priceOf(endpoint) ?? 0, 'credit')}`,
	);
	const others = PAID.length - priced.length;
	return `${FREE.length} requests that should be free were sent. ${PAID.length} more may cost credits: ${prices.join(', ')}, and ${others} have no published price. Each is about 1 person, company or record. Type yes to send them: `;
}

/** A price that isn't the known one. */
const priceDifference = ({ endpoint, cost }: Result): string[] => {
	const price = priceOf(endpoint);
	return price === undefined || cost === undefined || cost === price
		? []
		: [`costs ${pluralize(cost, 'credit')} instead of ${price}`];
};

function tableOf(results: readonly Result[]): string {
	const table = new Table({
		head: ['Endpoint', 'Answer', 'Credits', 'Differs from the contract'],
		colWidths: [null, null, null, 70],
		wordWrap: true,
		style: { head: [], border: [], compact: true },
	});
	for (const { endpoint, answer, cost, differences } of results) {
		const outcome = [answer.status ?? 'none', reportedStatus(answer.body)].filter(Boolean);
		table.push([pathOf(endpoint), outcome.join(' '), cost ?? '?', differences.join('\n')]);
	}
	return table.toString();
}

/** @throws UserError if the address or the key is missing or malformed */
export async function checkService(
	service: Service,
	{ print, confirm }: Terminal,
): Promise<Result[]> {
	const send = createSend(service);
	const waitMs = service.waitSeconds * 1000;
	const creditsUsed = async () => {
		const { body = {} } = usageRequest(Date.now());
		return creditsIn((await send(endpointNamed('credits'), body)).body).value;
	};
	const asked: Result[] = [];
	const first = await creditsUsed();
	let used = first;
	let person: Person | undefined;

	async function ask(endpoint: Endpoint) {
		const input = inputFor(endpoint, person);
		if (input === undefined) return;
		print(pathOf(endpoint));
		const answer = await send(endpoint, input);
		if (endpoint.name === 'search') person = personIn(answer.body);
		await sleep(waitMs);
		const before = used;
		used = await creditsUsed();
		const cost = before === undefined || used === undefined ? undefined : used - before;
		asked.push({ endpoint, answer, cost, differences: differencesIn(endpoint, input, answer) });
	}

	for (const endpoint of FREE) await ask(endpoint);
	if (await confirm(announce())) {
		for (const endpoint of PAID) await ask(endpoint);
		const missing = FREE.length + PAID.length - asked.length;
		if (missing > 0) print(`The search found nobody to ask the other ${missing} endpoints about.`);
	}
	await sleep(waitMs);
	const last = await creditsUsed();
	// A total that doesn't move says nothing about prices.
	const isCounted = first !== undefined && last !== undefined && last !== first;
	const results = asked
		.map((result) => (isCounted ? result : { ...result, cost: undefined }))
		.map((result) => ({
			...result,
			differences: [...result.differences, ...priceDifference(result)],
		}));

	print(tableOf(results));
	const differing = results.filter(({ differences }) => differences.length > 0);
	print(
		`${differing.length} of ${pluralize(results.length, 'endpoint')} differ from the contract.`,
	);
	if (!isCounted) {
		print('Credit Usage did not change, so the costs are unknown. Look at it again later.');
	} else if (last !== used) {
		print(
			'Credit Usage changed again after the last request. It lags behind or others use the account, so the costs above may be wrong.',
		);
	}
	return results;
}
