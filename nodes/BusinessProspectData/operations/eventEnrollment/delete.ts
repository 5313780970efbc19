import { isEmpty } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import type { Expectation } from '../../api/httpRequest';
import { reportedStatus } from '../../api/responseBody';
import { PATHS } from '../../catalog/service';
import { openRow } from '../../fields/row';
import { isNothing } from '../../parameters/cells';
import { perItem } from '../../run/operation';
import { includeInputFields, operationOptions } from '../../parameters/options';
import { addressParameter, parameterError } from '../../parameters/parameter';

const enrollmentId = addressParameter({
	displayName: 'Enrollment ID',
	name: 'enrollmentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.enrollment_id }}',
	description: 'Enrollments are created outside n8n. Copy the ID from there.',
});

const EXPECTED: Expectation = {
	// Empty after an HTTP 204, for example. The status is then `success`, the default in the contract.
	isIn: (body) => isEmpty(body) || reportedStatus(body) !== undefined,
	problem:
		"The service's response has no known status, so it is unknown whether the enrollment was deleted",
};

/** See contract: Delete an events enrollment. */
export const deleteEnrollment = perItem({
	resource: 'eventEnrollment',
	value: 'delete',
	name: 'Delete',
	action: 'Delete event enrollment',
	description: 'Remove an event enrollment that was created outside n8n',
	parameters: [enrollmentId],
	options: operationOptions('e.g. deleted, status', [includeInputFields]),
	input: (values) => {
		if (isNothing(values.enrollmentId)) {
			throw parameterError(enrollmentId.property, 'is empty. Enter the ID of an enrollment.');
		}
		return { enrollment_id: values.enrollmentId };
	},
	parameterName: enrollmentId.name,
	inputMember: () => 'enrollment_id',
	send: async (client, body): Promise<Outcome<string>> => {
		const { value, failure } = await client.send({
			method: 'DELETE',
			path: PATHS.enrollments,
			body,
			records: 1,
			safeToRetry: true,
			credits: 0,
			expects: EXPECTED,
		});
		return failure === undefined ? { value: reportedStatus(value) ?? 'success' } : { failure };
	},
	rows: (status, { enrollmentId: id }) => {
		const deleted = status === 'success';
		const message = deleted
			? null
			: 'There is no enrollment with this ID, or an attempt whose response was lost has deleted it.';
		const json = { enrollment_id: id, deleted, status, message };
		return [openRow(json, { state: deleted ? 'found' : 'empty' })];
	},
	wording: {
		verb: 'Requested deletion of',
		one: 'enrollment',
		empty: 'not found',
	},
});
