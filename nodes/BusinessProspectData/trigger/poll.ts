import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { pollEvents } from './events/poll';
import { createParameterReader, NEW_PROSPECT, triggerOn } from './parameters';
import { pollSearch } from './search/poll';

/** Runs one poll of the trigger. Returns what is new, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const valueOf = createParameterReader(context);
	return valueOf(triggerOn) === NEW_PROSPECT.value
		? await pollSearch(context)
		: await pollEvents(context);
}
