/** What a program prints as JSON in a process whose machine is in that time zone. */
export declare function runIn(zone: string, program: string): unknown;
