/** All that a value holds, as n8n's log shows it: hidden members and the causes of errors too. */
export declare function inspectDeeply(value: unknown): string;
