/** The resources of the node, as workflows save them and as they are shown. */
export const RESOURCES = [{ value: 'prospect', name: 'Prospect' }] as const;
