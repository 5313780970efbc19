/** Pages of the documentation, and the values that they name. */
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';
import { BusinessProspectData } from '../../nodes/BusinessProspectData/BusinessProspectData.node';

export const pageOf = (path: string) => ts.sys.readFile(path) ?? '';

/** The text below a heading of a page, up to the next one of its level. */
export function sectionOf(page: string, heading: string): string {
	const [marks = ''] = heading.split(' ');
	const [, after = ''] = page.split(`\n${heading}\n`);
	const [section = ''] = after.split(new RegExp(`^#{1,${marks.length}} `, 'm'));
	return section;
}

/** The numbered steps of a section. */
export const stepsOf = (page: string, heading: string): string[] =>
	sectionOf(page, heading)
		.split(/^\d\. /m)
		.slice(1);

export const codeIn = (text = ''): string[] =>
	[...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const boldIn = (text = ''): string[] =>
	[...text.matchAll(/\*\*(?:Options > )?(.+?)\*\*/g)].map(([, name = '']) => name);

const { properties } = new BusinessProspectData().description;
const inside = (name: string) =>
	properties
		.filter((property) => property.name === name)
		.flatMap(({ options = [] }) => options as INodeProperties[]);

/** The values of a parameter's options that a text has in bold. */
export const chosen = (text: string | undefined, parameter: string): string[] =>
	boldIn(text).flatMap((bold) => {
		const option = inside(parameter).find(({ name }) => name === bold);
		return option !== undefined && 'value' in option ? [String(option.value)] : [];
	});

/** The switches that a text has in bold, beside Options and under it. */
export function turnedOn(text: string | undefined) {
	const on = (all: INodeProperties[]) =>
		Object.fromEntries(
			all
				.filter(({ type, displayName }) => type === 'boolean' && boldIn(text).includes(displayName))
				.map(({ name }) => [name, true]),
		);
	return { ...on(properties), options: on(inside('options')) };
}
