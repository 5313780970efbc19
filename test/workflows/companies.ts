/** The companies that a search for people finds. */
import type { IDataObject } from 'n8n-workflow';
import type { World } from '../sandbox/world/world';
import type { Service } from './service';

/** Makes the service respond with people of these companies, however they were searched for. */
export const answerWith = (service: Service, companies: readonly IDataObject[], total?: unknown) =>
	service.change(
		(answer) => ({
			...answer,
			total_results: total ?? companies.length,
			data: companies.map((company, at) => ({
				prospect_id: service.world.prospectId(at),
				...company,
			})),
		}),
		{ when: { to: 'search' }, times: 'always' },
	);

/** The companies for which the service knows people, as indexes. */
export const knownCompanies = (world: World): number[] => [
	...new Set(Array.from({ length: world.people }, (_, index) => world.person(index).company)),
];
