// The service without a network: answers at once, as n8n's request helper gives them.
import { MATCH_MEMBERS } from '../sandbox/contract/contract.ts';
import { made } from '../sandbox/world/hash.ts';
import { idOf, personFor } from './people.mjs';

const context = { correlation_id: 'bench', request_status: 'success' };
const ok = (members) => ({
	statusCode: 200,
	headers: {},
	body: { response_context: context, ...members },
});

const NOBODY = made(MATCH_MEMBERS, () => null);

const ANSWERS = {
	'/v1/prospects/profiles/bulk_enrich': ({ prospect_ids: ids }) =>
		ok({ data: ids.map((id) => ({ prospect_id: id, data: personFor(id).profiles[0] })) }),
	'/v1/prospects/profiles/enrich': ({ prospect_id: id }) => ok({ data: personFor(id).profiles[0] }),
	'/v1/prospects/match': ({ prospects_to_match: people }) =>
		ok({
			matched_prospects: people.map((person) => ({
				input: { ...NOBODY, ...person },
				prospect_id: idOf(Number(/\d+/.exec(person.email))),
			})),
		}),
	'/v1/prospects/events': ({ prospect_ids: ids }) =>
		ok({
			output_events: ids.map((id) => ({
				event_name: 'prospect_changed_role',
				event_time: new Date(Date.now() - 3_600_000).toISOString(),
				event_id: `event-${id}`,
				prospect_id: id,
				data: { job_title: 'Director of Operations' },
			})),
		}),
};

/** n8n's full response to a request. */
export const answer = (path, body) => ANSWERS[path](body);
