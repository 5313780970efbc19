import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { authHeaders, isSentTo, parseBaseUrl } from '../nodes/BusinessProspectData/api/credential';
import { testRules } from '../nodes/BusinessProspectData/core/casts';

/** Result of the credential test by HTTP status; for other statuses n8n shows the response's own text. */
const STATUS_MESSAGES: ReadonlyArray<{ statuses: readonly number[]; message: string }> = [
	{
		statuses: [301, 302, 303, 307, 308],
		message:
			"The Base URL redirects to another address, and the API key isn't sent there. Enter the service's final address.",
	},
	{
		statuses: [400, 422],
		message:
			'The service did not understand the test request. Check Base URL, and Tenant if you filled it in.',
	},
	{
		statuses: [401],
		message: 'The service does not accept this API Key. Copy it again from your account page.',
	},
	{
		statuses: [402, 403],
		message:
			'The service denies access with this API Key. Check on your account page that it is active and has credits. Check Tenant if you filled it in.',
	},
	{
		statuses: [404, 405],
		message:
			'The service was not found at this Base URL. Enter only its address, such as https://api.example.com, without the path of a page or an endpoint.',
	},
	{
		statuses: [429],
		message:
			'The service is receiving too many requests with this API Key. Wait a minute, then test again.',
	},
	{
		statuses: [408, 500, 502, 503, 504, 520, 521, 522, 523, 524],
		message:
			'The service cannot respond at the moment. Test again later; if it persists, contact its support.',
	},
];

/** For n8n's request helper, and for the legacy one, which the HTTP Request node uses. */
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

	/** Excludes the HTTP Request node, which can send to any address. */
	restrictToSupportedNodes = true as const;

	/** The domain restriction fields apply only to the HTTP Request node, which can't use this credential. */
	hideDomainRestrictionFields = true;

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description: "The service's address, as shown on its account page or in its documentation",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Copy it from the service's account page",
		},
		{
			displayName: 'Tenant',
			name: 'tenant',
			type: 'string',
			default: '',
			description: 'Leave empty unless the service has given you a tenant name',
		},
	];

	/**
	 * Adds the key to requests to the Base URL's own origin and leaves others unchanged: older versions of n8n let other
	 * nodes use this credential. Resolves relative addresses against the Base URL. Turns off redirects, because n8n would
	 * forward the key.
	 *
	 * @throws UserError when a field of the credential is wrong.
	 */
	authenticate: IAuthenticate = async (credentials, request) => {
		const baseUrl = parseBaseUrl(credentials.baseUrl);
		const { baseURL = baseUrl } = request;
		if (!isSentTo(baseUrl, request, baseURL)) return request;
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
			...STATUS_MESSAGES.flatMap(({ statuses, message }) =>
				statuses.map((status) => ({
					type: 'responseCode' as const,
					properties: { value: status, message: `${message} (HTTP ${status})` },
				})),
			),
			{
				// A rule fails the test if the first element of the response has this value. Here it is a web page's text.
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						"A web page responded instead of the service. Enter the address of the service's API, not of its website.",
				},
			},
			{
				// Each suggestion of the service has a `value`.
				type: 'responseSuccessBody',
				properties: {
					key: 'value',
					value: undefined,
					message: 'This address responds, but not like the data API. Check Base URL.',
				},
			},
		]),
	};
}
