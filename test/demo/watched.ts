/** The person to whom something happens all the time in the demo; the README says to watch it. */
export const WATCHED = 55;
