// Turns a missing row into a final failure, because a retry cannot help.
import { ApplicationFailure } from '@temporalio/activity';
import { MissingRowError } from '../store/missing-row.js';

/** Runs `call`; a MissingRowError becomes a non-retryable failure of type `<row>Missing`. */
export async function missingRowsAreFinal<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof MissingRowError) throw ApplicationFailure.nonRetryable(error.message, `${error.row}Missing`);
    throw error;
  }
}
