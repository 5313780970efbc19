/** What an output item and an error item hold. */
import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../../../nodes/BusinessProspectData/core/outcome';
import { OPEN_LAYOUT } from '../../../nodes/BusinessProspectData/fields/columns';
import { openRow } from '../../../nodes/BusinessProspectData/fields/row';
import { errorItem, outputItems } from '../../../nodes/BusinessProspectData/run/output';

/** The output items of rows of one input row, whose columns the contract doesn't list. */
const itemsOf = (rows: IDataObject[], input: IDataObject, fields: string[] = []) =>
	outputItems(
		rows.map((json) => ({
			row: openRow(json),
			layout: OPEN_LAYOUT,
			itemIndex: 0,
			options: { fields, includeInputFields: true },
		})),
		[{ json: input }],
		false,
	);

test('an error item has what is known of the failure, the message first', () => {
	const received = { prospect_id: 'p1', profile: { age: 5 } };
	const failure: Failure = {
		kind: 'forbidden',
		message: 'No.',
		status: 402,
		correlationId: 'c-1',
		issues: [{ member: 'ids', message: 'internal' }],
		details: { missing_pages: [3] },
	};

	const { json, ...item } = errorItem(failure, 4, received);

	expect(item).toEqual({ pairedItem: { item: 4 } });
	expect(Object.entries(json.error as IDataObject)).toEqual([
		['message', 'No.'],
		['status', 402],
		['correlation_id', 'c-1'],
		['missing_pages', [3]],
		['received', received],
	]);
});

test('the error of an earlier run does not stay beside a result; a column of that name does', async () => {
	const outputOf = async (error: IDataObject[string]) =>
		(await itemsOf([{ a: 1 }], { error, b: 2 }))[0]?.json;

	expect(await outputOf({ message: 'No.' })).toEqual({ a: 1, b: 2 });
	expect(await outputOf('Timeout')).toEqual({ a: 1, error: 'Timeout', b: 2 });
	expect(await outputOf({ message: 500 })).toEqual({ a: 1, error: { message: 500 }, b: 2 });
});
