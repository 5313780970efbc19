import Ajv from 'ajv';
import type { INodeParameters } from 'n8n-workflow';
import enrich from '../../nodes/BusinessProspectData/__schema__/v1.0.0/prospect/enrich.json';
import getAll from '../../nodes/BusinessProspectData/__schema__/v1.0.0/prospect/getAll.json';
import match from '../../nodes/BusinessProspectData/__schema__/v1.0.0/prospect/match.json';
import { personalEmail } from '../sandbox/world/prospect-data';
import { jsonOf, startService } from './service';

/** Makes every object of a schema closed, so that a field which the schema does not name is found. */
function closed(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(closed);
	if (typeof schema !== 'object' || schema === null) return schema;
	const members = Object.fromEntries(
		Object.entries(schema)
			.filter(([key]) => key !== 'version')
			.map(([key, value]) => [key, closed(value)]),
	);
	return 'properties' in members ? { ...members, additionalProperties: false } : members;
}

const cases: Array<[string, object, INodeParameters]> = [
	['match', match, { email: '={{ $json.email }}' }],
	['getAll', getAll, { limit: 60 }],
	[
		'enrich',
		enrich,
		{ prospectIds: '={{ $json.id }}', dataSets: ['profile', 'contacts', 'networkPosts'] },
	],
];

test.each(cases)('Prospect: %s puts out what its schema says', async (operation, schema, more) => {
	const service = await startService();
	const items = Array.from({ length: 60 }, (_, row) => ({
		row,
		id: row === 59 ? '' : service.world.prospectId(row),
		email: personalEmail(service.world.person(row)) ?? 'nobody@nowhere.example',
	}));

	const run = await service.run(
		{ resource: 'prospect', operation, ...more },
		operation === 'getAll' ? items.slice(0, 1) : items,
	);

	expect(run.main).toHaveLength(60);
	const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
	const validate = ajv.compile(closed(schema) as object);
	for (const row of jsonOf(run.main)) {
		validate(row);
		expect(validate.errors ?? []).toEqual([]);
	}
});
