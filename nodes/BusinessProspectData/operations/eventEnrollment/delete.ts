import type { IDataObject } from 'n8n-workflow';
import { isObject, textOf } from '../../api/json';
import { requestStatus } from '../../api/verdict';
import { perItem } from '../../runtime/operation';
import { rowsOf } from '../../runtime/output';
import { options } from '../../runtime/options';
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

interface DeleteAsk {
	readonly id: string;
	readonly requestContext?: IDataObject;
}

export const deleteEnrollment = perItem({
	resource: 'eventEnrollment',
	value: 'delete',
	name: 'Delete',
	action: 'Delete event enrollment',
	description: 'Remove an event-monitoring configuration',
	parameters: [enrollmentId],
	options: options(),
	ask: (values, { requestContext }): DeleteAsk => {
		if (values.enrollmentId === '') throw refusal(enrollmentId.property, 'is empty.');
		return { id: values.enrollmentId, requestContext };
	},
	field: enrollmentId.name,
	list: () => 'enrollment_id',
	send: async (client, { id, requestContext }) => {
		const { value, failure } = await client.send({
			method: 'DELETE',
			path: '/v1/businesses/events/enrollments',
			body: { enrollment_id: id, ...(requestContext && { request_context: requestContext }) },
			free: true,
		});
		if (failure !== undefined) return { failure };
		const status = requestStatus(value) ?? textOf(isObject(value) ? value.status : undefined);
		return { value: status ?? 'success' };
	},
	rows: (answered, values) =>
		answered.flatMap(({ outcome }) =>
			rowsOf(outcome, (status) => [
				{
					json: {
						enrollment_id: values.enrollmentId,
						deleted: status !== 'miss',
						status,
						...(status === 'miss' && {
							message: 'There is no enrollment with this ID.',
						}),
					},
					empty: status === 'miss',
				},
			]),
		),
	wording: {
		verb: 'Asked to delete',
		one: 'enrollment',
		many: 'enrollments',
		empty: 'did not exist',
	},
});
