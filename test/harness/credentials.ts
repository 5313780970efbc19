import {
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** The type that is assumed when a test gives credential data without a credential type. */
export const CREDENTIAL_NAME = 'businessProspectDataApi';

/** What a test says about the credential of its node. */
export interface CredentialOptions {
	/** The fields of the credential. Left out, the node has no credential. */
	credentials?: ICredentialDataDecryptedObject;
	/** Its defaults and its `authenticate` (function or declarative) are applied as n8n does. */
	credentialType?: ICredentialType;
}

/**
 * One credential, held in memory. n8n's own helper is part of its server and not of n8n-core; this
 * one follows it in `authenticate`, in the defaults of fields and in `restrictToSupportedNodes`.
 */
export class CredentialsInMemory extends ICredentialsHelper {
	/** @param supportedNodes full names of the node types that list this credential */
	constructor(
		private readonly options: CredentialOptions,
		private readonly supportedNodes: string[],
	) {
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

	isCredentialUsableByNode(typeName: string, nodeType: string): boolean {
		if (typeName !== this.typeName || !this.options.credentialType?.restrictToSupportedNodes) {
			return true;
		}
		return this.supportedNodes.includes(nodeType);
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const request = requestOptions as IHttpRequestOptions;
		const authenticate = this.options.credentialType?.authenticate;
		if (authenticate === undefined) return request;
		if (typeof authenticate === 'function') return await authenticate(credentials, request);
		if (!workflow || !node) throw new UnexpectedError('A workflow and a node are needed');

		const resolve = (value: string) => {
			if (!value.startsWith('=')) return value;
			const keys = { $credentials: credentials };
			const resolved = workflow.expression.getSimpleParameterValue(
				node,
				value,
				'internal',
				keys,
				undefined,
				'',
			);
			return resolved ? resolved.toString() : '';
		};
		request.headers ??= {};
		const target = request as unknown as Record<string, Record<string, string>>;
		for (const [part, values] of Object.entries(authenticate.properties)) {
			for (const [key, value] of Object.entries(values ?? {})) {
				(target[part] ??= {})[resolve(key)] = resolve(String(value));
			}
		}
		return request;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const { credentials, credentialType } = this.options;
		if (credentials === undefined || type !== this.typeName) {
			throw new UnexpectedError(`The test has no credential of the type "${type}"`);
		}
		if (raw || credentialType === undefined) return { ...credentials };
		const withDefaults = NodeHelpers.getNodeParameters(
			credentialType.properties,
			credentials as INodeParameters,
			true,
			false,
			null,
			null,
		) as INodeParameters;
		if (values === undefined) return withDefaults as ICredentialDataDecryptedObject;
		return values.workflow.expression.getParameterValue(
			withDefaults,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			{ $vars: additionalData.variables },
			executeData,
			false,
			withDefaults,
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
