// What a reading of counters looks like.

/** Values by name; the names end with their units. */
export type Counters = Readonly<Record<string, number>>;
