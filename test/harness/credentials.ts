import {
	NodeHelpers,
	UnexpectedError,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
} from 'n8n-workflow';

const CREDENTIAL_NAME = 'businessProspectDataApi';

export interface CredentialOptions {
	/** Its fields. Without them, the node has no credential. */
	credentials?: ICredentialDataDecryptedObject;
	/** Its defaults and its function `authenticate` are applied as n8n does. */
	credentialType?: ICredentialType;
}

/**
 * One credential, held in memory. n8n's own helper is part of its server and not of n8n-core; this one follows it in `authenticate`
 * and in the defaults of fields. `reference` is what a node stores about its credential, or nothing when the test gave none.
 */
export function credentialsOf({ credentials, credentialType }: CredentialOptions) {
	const typeName = credentialType?.name ?? CREDENTIAL_NAME;
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		async authenticate(data, _typeName, requestOptions) {
			const request = requestOptions as IHttpRequestOptions;
			const authenticate = credentialType?.authenticate;
			if (authenticate === undefined) return request;
			if (typeof authenticate === 'function') return await authenticate(data, request);
			throw new UnexpectedError('The harness has no declarative authentication');
		},
		preAuthentication: async () => undefined,
		runPreAuthentication: async () => undefined,
		async getDecrypted(_additionalData, _nodeCredentials, type, _mode, _executeData, raw) {
			if (credentials === undefined || type !== typeName) {
				throw new UnexpectedError(`The test has no credential of the type "${type}"`);
			}
			if (raw || credentialType === undefined) return { ...credentials };
			const given = credentials as INodeParameters;
			const { properties } = credentialType;
			const all = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
			return all as ICredentialDataDecryptedObject;
		},
		getCredentialsProperties: () => credentialType?.properties ?? [],
	};
	return Object.assign(helper as ICredentialsHelper, {
		reference: (): Record<string, INodeCredentialsDetails> | undefined =>
			credentials && { [typeName]: { id: 'credential-1', name: 'Account' } },
	});
}
