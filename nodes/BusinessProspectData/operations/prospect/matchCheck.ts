/** Whether the person found is probably the one who was meant. */
export type MatchCheck = 'agrees' | 'differs' | 'unknown';
