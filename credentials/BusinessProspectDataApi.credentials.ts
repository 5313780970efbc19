import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { authHeaders, isSentTo, parseBaseUrl } from '../nodes/BusinessProspectData/api/credential';

/** `disableFollowRedirect` is for n8n's `httpRequest` helper. The others are for its older `request` helper. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

export class BusinessProspectDataApi implements ICredentialType {
	name = 'businessProspectDataApi';

	displayName = 'Business and Prospect Data API';

	documentationUrl = 'https://docs.n8n.io/integrations/community-nodes/usage/';

	icon: Icon = {
		light: 'file:../nodes/BusinessProspectData/businessProspectData.svg',
		dark: 'file:../nodes/BusinessProspectData/businessProspectData.dark.svg',
	};

	/** Excludes the HTTP Request node, which can send to any address. Older versions of n8n ignore this setting. */
	restrictToSupportedNodes = true as const;

	/** The domain restriction fields are for nodes such as HTTP Request. */
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
			displayName: 'Tenant (Optional)',
			name: 'tenant',
			type: 'string',
			default: '',
			description: 'Leave empty unless the service has given you a tenant name',
		},
		{
			displayName: 'Max Credits per Month (Optional)',
			name: 'maxCreditsPerMonth',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20000',
			description:
				'Once the account has used this many credits in a month, nothing more is requested. Leave empty for no limit.',
		},
	];

	/**
	 * Adds the authentication headers only to requests to the Base URL's own origin: older versions of n8n let other nodes use this
	 * credential. Sets the base URL, so that n8n resolves a relative address as `isSentTo` does. Turns off redirects, because n8n
	 * would send the key to the new address, too.
	 *
	 * @throws UserError from `parseBaseUrl` or `authHeaders`.
	 */
	authenticate: IAuthenticate = async (credentials, request) => {
		const baseUrl = parseBaseUrl(credentials.baseUrl);
		const requestBase = request.baseURL ?? baseUrl;
		if (!isSentTo(baseUrl, request, requestBase)) return request;
		return {
			...request,
			...NO_REDIRECTS,
			baseURL: requestBase,
			headers: { ...request.headers, ...authHeaders(credentials) },
		};
	};
}
