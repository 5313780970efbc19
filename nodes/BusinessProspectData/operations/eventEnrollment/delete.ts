import { isObject, asText } from '../../core/json';
import type { Outcome } from '../../core/outcome';
import { requestStatus } from '../../api/responseBody';
import { PATHS } from '../../catalog/paths';
import { perItem } from '../../runtime/operation';
import { options, requestContext } from '../../runtime/options';
import { parameterError, text } from '../../runtime/parameters';

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

interface Deletion {
	/** As the service names it. */
	readonly status: string;
	/** Whether an earlier try, whose answer was lost, may have deleted it. */
	readonly mayBeDone: boolean;
}

const GONE =
	'It is gone. The answer to the first try was lost, and the next one found nothing: the first try deleted it, unless it did not exist before.';

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
	input: (values, { requestContext: context }) => {
		if (values.enrollmentId === '') throw parameterError(enrollmentId.property, 'is empty.');
		return { enrollment_id: values.enrollmentId, request_context: context };
	},
	field: enrollmentId.name,
	listMember: () => 'enrollment_id',
	send: async (client, body): Promise<Outcome<Deletion>> => {
		const path = PATHS.enrollments;
		const records = [body.enrollment_id];
		const {
			value,
			failure,
			mayHaveSucceeded: mayBeDone = false,
		} = await client.send({
			method: 'DELETE',
			path,
			body,
			recordIds: records,
			idempotent: true,
		});
		if (failure !== undefined) return { failure };
		const told = requestStatus(value) ?? asText(isObject(value) ? value.status : undefined);
		const status = told ?? 'success';
		return { value: { status, mayBeDone } };
	},
	rows: ({ status, mayBeDone }, values) => {
		const missed = status === 'miss';
		const row = { enrollment_id: values.enrollmentId, deleted: !missed || mayBeDone, status };
		const message = mayBeDone ? GONE : 'There is no enrollment with this ID.';
		return [{ json: missed ? { ...row, message } : row, empty: !row.deleted }];
	},
	wording: {
		verb: 'Asked to delete',
		one: 'enrollment',
		empty: 'did not exist',
	},
});
