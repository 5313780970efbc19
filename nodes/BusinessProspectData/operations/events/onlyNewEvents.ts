import { onlyNew } from '../onlyNew';

export const { option: onlyNewEvents, select: removeKnownEvents } = onlyNew({
	name: 'onlyNewEvents',
	displayName: 'Only New Events',
	records: 'events',
	advice: 'Choose a later From, or split the IDs over several nodes.',
});
