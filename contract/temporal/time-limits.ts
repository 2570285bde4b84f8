// How long steps may take (milliseconds) and how many: what slots, pools and time limits elsewhere must fit.

/** One try of a step that runs as a local activity. */
export const LOCAL_STEP_MS = 5_000;
/** One try of a question to the rules. */
export const RULES_STEP_MS = 3_000;

/**
 * PostgreSQL ends a step's statement after this time: before the step's own limit, so that no statement of an abandoned
 * try is stored while the next one runs.
 */
export const STEP_STATEMENT_MS = 2_500;
/** How long a step waits for a free connection. With its statement it stays within `LOCAL_STEP_MS`. */
export const STEP_CONNECTION_MS = 2_000;

/** The same for daily work, whose steps have `BATCH_STEP_MS`. */
export const BATCH_STEP_MS = 30_000;
export const BATCH_STATEMENT_MS = 20_000;
export const BATCH_CONNECTION_MS = 5_000;

/** Brief calls of one provider at once, while callers wait; the next ones are left to the provider's queue. */
export const BRIEF_CALLS_AT_ONCE = 8;

/**
 * After this time another worker takes the task of a workflow whose own worker is gone: early enough to answer the
 * caller of an update.
 */
export const STICKY_TASK_MS = 3_000;
