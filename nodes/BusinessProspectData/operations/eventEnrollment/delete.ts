import { asText, isEmpty, isObject } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import { reportedStatus, unrecognizedFailure } from '../../api/responseBody';
import { PATHS } from '../../catalog/service';
import { openRow } from '../../fields/row';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions, requestContext } from '../../parameters/options';
import { addressParameter, parameterError } from '../../parameters/parameter';

const enrollmentId = addressParameter({
	displayName: 'Enrollment ID',
	name: 'enrollmentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.enrollment_id }}',
	description:
		'ID of the event enrollment to delete. Enrollments are created outside n8n; copy the ID from there.',
});

interface Deletion {
	/** The status that the service reports; `success` if it reports none. */
	readonly status: string;
	/** True if an earlier attempt, whose response was lost, may have deleted the enrollment. */
	readonly mayHaveSucceeded: boolean;
}

const EXPECTED = {
	members: ['status'],
	problem: 'no status, so it is unknown whether the enrollment was deleted',
};
const NOT_FOUND = 'There is no enrollment with this ID.';
const MAYBE_DELETED =
	'The response to an earlier attempt was lost, so the enrollment may have been deleted.';
const UNDOCUMENTED =
	'It is unknown whether the enrollment was deleted: this status is not documented. Run the row again: if it says that there is no such enrollment, it was.';
const PROBABLY_DELETED =
	'The enrollment was probably deleted: the response to an earlier attempt was lost, and the retry found no enrollment with this ID.';

/** See contract: Delete an events enrollment. */
export const deleteEnrollment = perItem({
	resource: 'eventEnrollment',
	value: 'delete',
	name: 'Delete',
	action: 'Delete event enrollment',
	description: 'Remove an event enrollment that was created outside n8n',
	parameters: [enrollmentId],
	options: operationOptions('e.g. deleted, status', [includeInputFields], [requestContext]),
	input: (values, itemOptions) => {
		if (values.enrollmentId === '') {
			throw parameterError(enrollmentId.property, 'is empty. Enter the ID of an enrollment.');
		}
		return { enrollment_id: values.enrollmentId, request_context: itemOptions.requestContext };
	},
	parameterName: enrollmentId.name,
	inputMember: () => 'enrollment_id',
	send: async (client, body): Promise<Outcome<Deletion>> => {
		const {
			value,
			failure,
			mayHaveSucceeded = false,
		} = await client.send({
			method: 'DELETE',
			path: PATHS.enrollments,
			body,
			recordLabels: [body.enrollment_id],
			safeToRetry: true,
		});
		if (failure !== undefined) {
			// The service may respond to the retry with an error instead of a miss.
			const mayBeDeleted = mayHaveSucceeded && failure.kind === 'notFound';
			return {
				failure: mayBeDeleted
					? { ...failure, message: `${failure.message} ${MAYBE_DELETED}` }
					: failure,
			};
		}
		// Empty after an HTTP 204, for example. The status is then `success`, the default in the contract.
		const unrecognized = isEmpty(value)
			? undefined
			: unrecognizedFailure(value, EXPECTED, client.redact);
		if (unrecognized !== undefined) return { failure: unrecognized };
		// `reportedStatus` knows only the states of the contract, but the service may report another status.
		const ownStatus = isObject(value) ? asText(value.status) : undefined;
		return { value: { status: reportedStatus(value) ?? ownStatus ?? 'success', mayHaveSucceeded } };
	},
	rows: ({ status, mayHaveSucceeded }, { enrollmentId: id }) => {
		if (status === 'success') {
			return [openRow({ enrollment_id: id, deleted: true, status, message: null })];
		}
		const missed = status === 'miss';
		const deleted = missed ? mayHaveSucceeded : null;
		const message = !missed ? UNDOCUMENTED : mayHaveSucceeded ? PROBABLY_DELETED : NOT_FOUND;
		const json = { enrollment_id: id, deleted, status, message };
		return [openRow(json, { state: deleted === false ? 'empty' : 'found' })];
	},
	wording: {
		verb: 'Requested deletion of',
		one: 'enrollment',
		empty: 'not found',
	},
});
