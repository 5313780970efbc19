import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { pollEvents } from './events/poll';
import { createParameterReader, EVENT_ENTRIES, triggerOn } from './parameters';
import { pollSearch } from './search/poll';

/** Runs one poll of the trigger. Returns what is new, or null. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const chosen = createParameterReader(context)(triggerOn);
	const entry = EVENT_ENTRIES.find(({ value }) => value === chosen);
	return entry === undefined ? await pollSearch(context) : await pollEvents(context, entry);
}
