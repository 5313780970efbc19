import type { World } from '../world/world';
import { endpointNamed, type EndpointName } from './contract';

/** Requests to the endpoints whose inputs aren't ids. */
const EXAMPLES: Partial<Record<EndpointName, (world: World) => Record<string, unknown>>> = {
	autocomplete: () => ({ field: 'country', query: 'united' }),
	match: (world) => ({
		prospects_to_match: [{ network: world.person(4).network }, { email: 'x@nobody.example' }],
	}),
	search: () => ({ mode: 'full', page_size: 2, filters: { has_email: { value: true } } }),
	stats: () => ({ filters: { company_size: { type: 'includes', values: ['11-50', '51-200'] } } }),
	prospectEvents: (world) => ({
		event_types: ['prospect_changed_role', 'prospect_changed_company'],
		prospect_ids: world.prospectIds(3),
	}),
	businessEvents: (world) => ({
		event_types: ['new_investment', 'new_product'],
		business_ids: world.businessIds(3),
	}),
	deleteEnrollment: (world) => ({ enrollment_id: world.enrollmentId(0) }),
	credits: () => ({
		from_date: '2025-03-01T00:00:00Z',
		to_date: '2025-03-03T00:00:00Z',
		mode: 'timely',
		resolution: 'day',
	}),
};

/** A small request that the endpoint answers with data: its body, or its query for autocomplete. */
export function exampleRequest(name: EndpointName, world: World): Record<string, unknown> {
	const { inputMember } = endpointNamed(name);
	const byInput: Record<string, unknown> = {
		prospect_id: world.prospectId(1),
		prospect_ids: world.prospectIds(3),
		business_ids: world.businessIds(3),
	};
	return EXAMPLES[name]?.(world) ?? { [inputMember ?? '']: byInput[inputMember ?? ''] };
}
