/** What n8n's UX guidelines ask of the texts in the editor, as far as n8n's lint does not check it. */
import type { INodeProperties } from 'n8n-workflow';
import { BusinessProspectDataApi } from '../../credentials/BusinessProspectDataApi.credentials';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';
import { BusinessProspectDataTrigger } from '../../nodes/BusinessProspectData/BusinessProspectDataTrigger.node';
import { OPERATIONS } from '../../nodes/BusinessProspectData/operations/registry';

/** A field and those inside it. */
const withInner = (field: INodeProperties): INodeProperties[] => [
	field,
	...(field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values.flatMap(withInner);
		return 'type' in option ? withInner(option) : [];
	}),
];

const FIELDS = [
	...new BusinessProspectDataApi().properties,
	...new BusinessProspectData().description.properties,
	...new BusinessProspectDataTrigger().description.properties,
].flatMap(withInner);

test('placeholders of text fields are examples', () => {
	const filled = FIELDS.filter(({ type, placeholder }) => type === 'string' && placeholder);

	expect(filled.length).toBeGreaterThan(20);
	expect(filled.filter(({ placeholder = '' }) => !placeholder.startsWith('e.g. '))).toEqual([]);
});

test('tooltips and notices take a glance', () => {
	const lengthOf = (text: string) => text.replaceAll(/<[^>]+>/g, '').length;
	const descriptions = FIELDS.flatMap((field) => [
		field,
		...(field.options ?? []).filter((option) => 'value' in option),
	]).map(({ description = '' }) => description);
	const notices = FIELDS.filter(({ type }) => type === 'notice');

	expect(descriptions.filter((text) => lengthOf(text) > 140)).toEqual([]);
	expect(notices.filter(({ displayName }) => lengthOf(displayName) > 120)).toEqual([]);
});

test.each(OPERATIONS.map(({ action, resource }) => [action, resource]))(
	'%s: sentence case, without articles, with its resource',
	(action, resource) => {
		const [noun = ''] = resource.split(/(?=[A-Z])/).slice(-1);
		expect(action).toMatch(/^[A-Z]([a-z ]|API)+$/);
		expect(action).not.toMatch(/ (an?|the) /);
		expect(action).toMatch(new RegExp(noun.replace(/s$/, ''), 'i'));
	},
);
