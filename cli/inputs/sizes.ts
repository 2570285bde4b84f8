// The largest files that commands read.

/** A rule set as JSON. */
export const MOST_RULES_BYTES = 64 * 1024;
/** A provider's statement: about 150,000 lines. */
export const MOST_STATEMENT_BYTES = 16 * 1024 * 1024;
/** References, one a line: about 200,000. */
export const MOST_REFERENCES_BYTES = 8 * 1024 * 1024;
/** A conformance report. */
export const MOST_REPORT_BYTES = 16 * 1024 * 1024;
/** A certificate or signing request as PEM. */
export const MOST_PEM_BYTES = 16 * 1024;
