import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { authHeaders, isSentTo, parseBaseUrl } from '../nodes/BusinessProspectData/api/credential';
import { testRules } from '../nodes/BusinessProspectData/runtime/casts';

/** What the test says per HTTP status; n8n shows the server's own words for any other. */
const STATUS_WORDS: ReadonlyArray<{ statuses: readonly number[]; words: string }> = [
	{
		statuses: [301, 302, 303, 307, 308],
		words:
			'The Base URL redirects to another address, and the API key is not sent on to it. Enter the final address of the service.',
	},
	{
		statuses: [400, 422],
		words:
			'The service did not understand the test request. Check the Base URL, and the Tenant if you filled it in.',
	},
	{
		statuses: [401],
		words: 'The service does not accept this API Key. Copy it again from your account page.',
	},
	{
		statuses: [402, 403],
		words:
			'The service refuses access with this API Key. Check on your account page that it is active and has credits, and the Tenant if you filled it in.',
	},
	{
		statuses: [404, 405],
		words:
			'The service was not found at this Base URL. Enter its address alone, such as https://api.example.com, without the path of a page or an endpoint.',
	},
	{
		statuses: [429],
		words:
			'The service is getting too many requests with this API Key. Wait a minute and test again.',
	},
	{
		statuses: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524],
		words:
			'The service cannot answer at the moment. Test again later; if it stays so, ask its support.',
	},
];

/** For n8n's newer request helper, and for the older one, which the HTTP Request node uses. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

export class BusinessProspectDataApi implements ICredentialType {
	name = 'businessProspectDataApi';

	displayName = 'Business and Prospect Data API';

	documentationUrl =
		'https://github.com/business-prospect-data/n8n-nodes-business-prospect-data#credential';

	icon: Icon = {
		light: 'file:../nodes/BusinessProspectData/businessProspectData.svg',
		dark: 'file:../nodes/BusinessProspectData/businessProspectData.dark.svg',
	};

	/** Not for the HTTP Request node, which can send to any address. */
	restrictToSupportedNodes = true as const;

	/** Fields about the HTTP Request node, which cannot use this credential. */
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: 'Address of the service, as its account page or documentation gives it',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'You find it on the account page of the service',
		},
		{
			displayName: 'Tenant',
			name: 'tenant',
			type: 'string',
			default: '',
			description: 'Leave it empty unless the service has given you a tenant name',
		},
	];

	/**
	 * Adds the key to requests for the base URL's own origin, and leaves all others as they are: older versions of n8n
	 * let other nodes use this credential. A path alone is completed with the base URL. With the key on board no redirect
	 * is followed, since n8n would send it along.
	 *
	 * @throws UserError when a field of the credential is wrong.
	 */
	authenticate: IAuthenticate = async (credentials, request) => {
		const own = parseBaseUrl(credentials.baseUrl);
		const { baseURL = own } = request;
		if (!isSentTo(own, request, baseURL)) return request;
		return {
			...request,
			...NO_REDIRECTS,
			baseURL,
			headers: { ...request.headers, ...authHeaders(credentials) },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			url: '/v1/businesses/autocomplete',
			qs: { field: 'country', query: 'united' },
			json: true,
		},
		rules: testRules([
			...STATUS_WORDS.flatMap(({ statuses, words }) =>
				statuses.map((status) => ({
					type: 'responseCode' as const,
					properties: { value: status, message: `${words} (HTTP ${status})` },
				})),
			),
			{
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						"A web page answered instead of the service. Enter the address of the service's API, not of its website.",
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'value',
					value: undefined,
					message:
						'Something answered at this Base URL, but not the service: its list of suggestions is missing. Check the Base URL.',
				},
			},
		]),
	};
}
