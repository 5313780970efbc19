/** The resources of the node, as workflows save them and as they are shown. */
export const RESOURCES = [
	{ value: 'business', name: 'Business' },
	{ value: 'creditUsage', name: 'Credit Usage' },
	{ value: 'eventEnrollment', name: 'Event Enrollment' },
	{ value: 'filterValue', name: 'Filter Value' },
	{ value: 'prospect', name: 'Prospect' },
] as const;
