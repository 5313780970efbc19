import type { World } from '../world/world';
import { type Endpoint, endpointNamed, type EndpointName } from './contract';

/** A small request that the endpoint answers with data: its body, or its query for autocomplete. */
export function exampleRequest(name: EndpointName, world: World): Record<string, unknown> {
	switch (name) {
		case 'autocomplete':
			return { field: 'country', query: 'united' };
		case 'match':
			return {
				prospects_to_match: [{ network: world.person(4).network }, { email: 'x@nobody.example' }],
			};
		case 'search':
			return { mode: 'full', page_size: 2, filters: { has_email: { value: true } } };
		case 'stats':
			return { filters: { company_size: { type: 'includes', values: ['11-50', '51-200'] } } };
		case 'prospectEvents':
			return {
				event_types: ['prospect_changed_role', 'prospect_changed_company'],
				prospect_ids: world.prospectIds(3),
			};
		case 'businessEvents':
			return { event_types: ['new_investment', 'new_product'], business_ids: world.businessIds(3) };
		case 'deleteEnrollment':
			return { enrollment_id: world.enrollmentId(0) };
		case 'credits':
			return {
				from_date: '2025-03-01T00:00:00Z',
				to_date: '2025-03-03T00:00:00Z',
				mode: 'timely',
				resolution: 'day',
			};
		default:
			return idsFor(endpointNamed(name), world);
	}
}

function idsFor({ name, inputMember }: Endpoint, world: World): Record<string, unknown> {
	switch (inputMember) {
		case 'prospect_id':
			return { prospect_id: world.prospectId(1) };
		case 'prospect_ids':
			return { prospect_ids: world.prospectIds(3) };
		case 'business_ids':
			return { business_ids: world.businessIds(3) };
		default:
			throw new Error(`There is no example of a request to ${name}.`);
	}
}
