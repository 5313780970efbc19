/** The person to whom something happens all the time in the demo; docs/demo.md says to watch it. */
export const WATCHED = 55;
