import { LIMITS, PROSPECT } from '../../catalog/service';
import { isObject } from '../../core/json';
import {
	type ColumnSet,
	idSet,
	layoutCache,
	MATCH_CHECK,
	MATCHED,
	OPEN_SET,
	recordSet,
	RESPONSE_CONTEXT,
} from '../../fields/columns';
import { perLookup } from '../../run/operation';
import { batchSize, dropRowsWithoutData, rowOptions, simplify } from '../../parameters/options';
import { NO_MATCH, personLookup } from '../../identify/matchStep';
import { MATCH_MEMBERS, matchParameters, PERSON_DETAILS } from '../../identify/person';

/** Repeats what was sent, unless the input row has it. */
const DETAILS = {
	...recordSet('person', { fields: MATCH_MEMBERS, members: [] }, false, (name) => `input_${name}`),
	isOfRun: true,
};
/** The service may not echo it. */
const INPUT: ColumnSet = {
	source: 'person',
	shown: ['input'],
	reads: new Map([['input', (person: unknown) => (isObject(person) ? { ...person } : null)]]),
	isOfRun: true,
};
const ROW: ColumnSet = { ...OPEN_SET, source: 'row' };

const layoutFor = layoutCache((isSimple: boolean, hasInput: boolean) => ({
	sets: isSimple
		? [MATCHED, ...(hasInput ? [] : [DETAILS]), idSet(PROSPECT)]
		: [MATCHED, INPUT, ROW, idSet(PROSPECT), RESPONSE_CONTEXT],
	hidden: [MATCH_CHECK],
}));

export const match = perLookup({
	resource: 'prospect',
	value: 'match',
	name: 'Match',
	action: 'Match prospects',
	description:
		'Find the prospect IDs of people by email, phone number, profile URL, or name and company',
	parameters: [...matchParameters, simplify],
	options: rowOptions('e.g. matched, prospect_id', [
		dropRowsWithoutData,
		batchSize(LIMITS.matchBatch),
	]),
	layout: ({ simplify: isSimple }, { includeInputFields = false }) =>
		layoutFor(isSimple, includeInputFields),
	canRemember: true,
	lookup: {
		idField: PROSPECT.idField,
		detailNames: PERSON_DETAILS,
		matchedField: 'matched',
		lookupOf: personLookup,
		records: (_values, resolved = NO_MATCH) => {
			const { id, person, row, responseContext } = resolved;
			return { resolved, person, row, responseContext, [PROSPECT.idField]: id ?? undefined };
		},
	},
	wording: { done: 'matched' },
});
