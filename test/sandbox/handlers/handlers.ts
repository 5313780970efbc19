import type { EndpointName } from '../contract/contract';
import { autocompleteHandlers } from './autocomplete';
import { businessHandlers } from './businesses';
import { creditHandlers } from './credits';
import { eventHandlers } from './events';
import type { Handlers } from './handler';
import { prospectHandlers } from './prospects';
import { searchHandlers } from './search';

/** One handler for each endpoint. */
export const HANDLERS: Handlers<EndpointName> = {
	...autocompleteHandlers,
	...businessHandlers,
	...creditHandlers,
	...eventHandlers,
	...prospectHandlers,
	...searchHandlers,
};
