import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
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
 * and in the defaults of fields.
 */
export class CredentialsInMemory extends ICredentialsHelper {
	constructor(private readonly options: CredentialOptions) {
		super();
	}

	/** What a node stores about its credential, or nothing when the test gave none. */
	reference(): Record<string, INodeCredentialsDetails> | undefined {
		if (this.options.credentials === undefined) return undefined;
		return { [this.typeName]: { id: 'credential-1', name: 'Account' } };
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const request = requestOptions as IHttpRequestOptions;
		const authenticate = this.options.credentialType?.authenticate;
		if (authenticate === undefined) return request;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		throw new UnexpectedError('The harness has no declarative authentication');
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		_mode: WorkflowExecuteMode,
		_executeData?: IExecuteData,
		raw?: boolean,
	): Promise<ICredentialDataDecryptedObject> {
		const { credentials, credentialType } = this.options;
		if (credentials === undefined || type !== this.typeName) {
			throw new UnexpectedError(`The test has no credential of the type "${type}"`);
		}
		if (raw || credentialType === undefined) return { ...credentials };
		return NodeHelpers.getNodeParameters(
			credentialType.properties,
			credentials as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	getCredentialsProperties(): INodeProperties[] {
		return this.options.credentialType?.properties ?? [];
	}

	async getCredentials(): Promise<ICredentials> {
		throw new UnexpectedError('Stored credentials are not part of the harness');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	private get typeName() {
		return this.options.credentialType?.name ?? CREDENTIAL_NAME;
	}
}
