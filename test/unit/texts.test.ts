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

const NODES = [new BusinessProspectData(), new BusinessProspectDataTrigger()];
const DESCRIPTIONS = [
	...NODES.map(({ description }) => description.description),
	...OPERATIONS.map(({ description }) => description),
	...FIELDS.flatMap(({ description = [], options = [] }) => [
		description,
		...options.flatMap((option) => ('description' in option ? (option.description ?? []) : [])),
	]).flat(),
];

test('a short text has no full stop at its end, a longer one has', () => {
	const wrong = [...new Set(DESCRIPTIONS)].filter(
		(text) => text.endsWith('.') !== /\. ([A-Z]|n8n)/.test(text),
	);

	expect(DESCRIPTIONS.length).toBeGreaterThan(150);
	expect(wrong).toEqual([]);
});

test('every field has a label, and every text says something', () => {
	const unnamed = FIELDS.filter(({ displayName }) => !/^[A-Z]/.test(displayName));

	expect(unnamed.map(({ name }) => name)).toEqual([]);
	expect(DESCRIPTIONS.filter((text) => text.trim() === '')).toEqual([]);
});

test('switches say "Whether to ..."', () => {
	const switches = FIELDS.filter(({ type }) => type === 'boolean');

	expect(switches.length).toBeGreaterThan(20);
	expect(switches.filter(({ description = '' }) => !description.startsWith('Whether to '))).toEqual(
		[],
	);
});

test('placeholders of text fields are examples', () => {
	const filled = FIELDS.filter(({ type, placeholder }) => type === 'string' && placeholder);

	expect(filled.length).toBeGreaterThan(20);
	expect(filled.filter(({ placeholder = '' }) => !placeholder.startsWith('e.g. '))).toEqual([]);
});

test.each(OPERATIONS.map(({ action, resource, description }) => [action, resource, description]))(
	'%s: sentence case, without articles, with its resource',
	(action, resource, description) => {
		const [noun = ''] = resource.split(/(?=[A-Z])/).slice(-1);
		expect(action).toMatch(/^[A-Z]([a-z ]|API)+$/);
		expect(action).not.toMatch(/ (an?|the) /);
		expect(action).toMatch(new RegExp(noun.replace(/s$/, ''), 'i'));
		expect(description).toMatch(/^[A-Z]/);
	},
);
