import { isObject, textOf } from '../../api/json';
import { requestStatus } from '../../api/responseContext';
import { PATHS } from '../../catalog/paths';
import { perItem } from '../../runtime/operation';
import { options, requestContext } from '../../runtime/options';
import { refusal, text } from '../../runtime/parameters';

const enrollmentId = text({
	displayName: 'Enrollment ID',
	name: 'enrollmentId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.enrollment_id }}',
	description:
		'ID of the event-monitoring configuration to delete. Enrollments are made outside n8n; take the ID from there.',
});

/** One row that says what became of the enrollment (contract: Delete an events enrollment). */
export const deleteEnrollment = perItem({
	resource: 'eventEnrollment',
	value: 'delete',
	name: 'Delete',
	action: 'Delete event enrollment',
	description: 'Remove an event-monitoring configuration',
	parameters: [enrollmentId],
	options: options(requestContext),
	identifiers: ['enrollment_id'],
	ask: (values, { requestContext: context }) => {
		if (values.enrollmentId === '') throw refusal(enrollmentId.property, 'is empty.');
		return { enrollment_id: values.enrollmentId, request_context: context };
	},
	field: enrollmentId.name,
	list: () => 'enrollment_id',
	send: async (client, body) => {
		const path = PATHS.enrollments;
		const { value, failure } = await client.send({ method: 'DELETE', path, body, free: true });
		if (failure !== undefined) return { failure };
		const status = requestStatus(value) ?? textOf(isObject(value) ? value.status : undefined);
		return { value: status ?? 'success' };
	},
	rows: (status, values) => {
		const missed = status === 'miss';
		const row = { enrollment_id: values.enrollmentId, deleted: !missed, status };
		const message = 'There is no enrollment with this ID.';
		return [{ json: missed ? { ...row, message } : row, empty: missed }];
	},
	wording: {
		verb: 'Asked to delete',
		one: 'enrollment',
		empty: 'did not exist',
	},
});
