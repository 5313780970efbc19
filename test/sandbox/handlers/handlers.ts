import type { EndpointName } from '../contract/contract';
import { autocompleteHandlers } from './autocomplete';
import { businessHandlers } from './businesses';
import { creditHandlers } from './credits';
import { eventHandlers } from './events';
import type { Handler } from './handler';
import { prospectHandlers } from './prospects';
import { searchHandlers } from './search';

/** One handler for each endpoint. */
export const HANDLERS: Readonly<Record<EndpointName, Handler>> = {
	...autocompleteHandlers,
	...businessHandlers,
	...creditHandlers,
	...eventHandlers,
	...prospectHandlers,
	...searchHandlers,
};
