import { onlyNew } from '../onlyNew';

export const { option: onlyNewProspects, select: removeKnownProspects } = onlyNew({
	name: 'onlyNewProspects',
	displayName: 'Only New Prospects',
	records: 'people',
	advice:
		'Narrow the filters, or use the Business and Prospect Data Trigger, which remembers larger searches.',
});
