import { isBlank } from '../core/text';
import { booleanParameter, integerParameter, type Parameter, parameterError } from './parameter';

/** If items differ, the lowest limits and any `estimateOnly` that is true apply to the whole run. */
export interface Spending {
	/** Undefined for no limit. */
	readonly maxRecordsToPay: number | undefined;
	readonly estimateOnly: boolean;
}

/** A blank cell must neither lift the limit nor turn off the estimate. */
const notBlank = <const Name extends string, Value>(
	{ name, property, read }: Parameter<Name, Value>,
	rule: string,
): Parameter<Name, Value> => ({
	name,
	property,
	read: (raw) => {
		if (raw === undefined || raw === null || (typeof raw === 'string' && isBlank(raw))) {
			throw parameterError(property, `is empty. ${rule}`);
		}
		return read(raw);
	},
});

const UNLIMITED = 'unlimited';

const isUnlimited = (raw: unknown): boolean =>
	typeof raw === 'string' && raw.trim().toLowerCase() === UNLIMITED;

const limitParameter = <const Name extends string>(
	displayName: string,
	name: Name,
	description: string,
): Parameter<Name, number | undefined> => {
	const limit = integerParameter({
		displayName,
		name,
		type: 'string',
		default: UNLIMITED,
		placeholder: 'e.g. 500',
		typeOptions: { minValue: 0 },
		description,
	});
	return notBlank(
		{ ...limit, read: (raw) => (isUnlimited(raw) ? undefined : limit.read(raw)) },
		`Enter a number, or "${UNLIMITED}".`,
	);
};

/**
 * Not in the collection Options, of which n8n drops every member that it doesn't know, and the whole if it is an expression: the run
 * would then pay without a limit.
 */
export const spendingParameters = [
	limitParameter(
		'Max Records to Pay',
		'maxRecordsToPay',
		'Most records that one run requests: people or businesses, once for each data set, plus one for each match. Rows beyond it fail unpaid.',
	),
	notBlank(
		booleanParameter({
			displayName: 'Estimate Only',
			name: 'estimateOnly',
			type: 'boolean',
			default: false,
			description:
				'Whether to send nothing and return one row with the records and requests that a run would take',
		}),
		'Set it to true or false.',
	),
] as const satisfies readonly Parameter[];
