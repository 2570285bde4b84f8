// A problem that the person at the keyboard can act on: printed as one clear line, never as a stack trace.

export class Failure extends Error {
  /**
   * @param {string} message what is wrong and what to do about it
   * @param {string} [logFile] where the whole output of the failed step is
   */
  constructor(message, logFile) {
    super(message);
    this.name = 'Failure';
    this.logFile = logFile;
  }
}

/**
 * Prints an error the way it deserves: a {@link Failure} as its line (and its log), anything else, a bug, with its
 * stack.
 * @param {unknown} error
 */
export function printError(error) {
  if (error instanceof Failure) {
    process.stderr.write(`\n✗ ${error.message}\n`);
    if (error.logFile) process.stderr.write(`  log: ${error.logFile}\n`);
  } else {
    process.stderr.write(`\n✗ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
}
