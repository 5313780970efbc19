/** Lets everything run that waits for this turn of the event loop to end. */
export declare function turn(): Promise<void>;
/** How many listeners wait for the signal's abort. */
export declare function abortListeners(signal: AbortSignal): number;
/** Bytes on the heap that something still refers to. */
export declare function heapInUse(): number;
/** The processor's time that this process has used, in microseconds, since `start` or its own start. */
export declare function cpuUsage(start?: { user: number; system: number }): {
	user: number;
	system: number;
};
/**
 * Watches the timers of some lengths, in milliseconds, until `stop`, which ends those that are left and says how many
 * those were.
 */
export declare function watchTimers(isWatched: (ms: number | undefined) => boolean): {
	begun: () => number;
	stop: () => number;
};
/** Makes timers of half a second or longer a hundredth of that; returns what ends it. */
export declare function shortenTimers(): () => void;
/** All that a value holds, as n8n's log shows it: hidden members and the causes of errors too. */
export declare function inspectDeeply(value: unknown): string;
