// The api's connection to Temporal, whose client repeats calls that are refused.
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/**
 * The client's own pauses grow to 5 s, and it does not look at a call's deadline meanwhile: with Temporal away a POST was answered up to 5 s after
 * its 9 s, when a client with the suggested 10 s has gone. A call ends at most one pause after its deadline.
 */
const LONGEST_PAUSE_MS = { refused: 400, overloaded: 1_000 };
/** More than there is time for: the deadline ends them. */
const MOST_TRIES = 40;
const GRPC_RESOURCE_EXHAUSTED = 8;

/** Connects at the first call. */
export function openTemporal(address: string): Connection {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions({ maxAttempts: MOST_TRIES });
  const retries = makeGrpcRetryInterceptor({
    retryableDecider,
    delayFunction: (attempt, status) =>
      Math.min(
        delayFunction(attempt, status),
        status.code === (GRPC_RESOURCE_EXHAUSTED as number) ? LONGEST_PAUSE_MS.overloaded : LONGEST_PAUSE_MS.refused,
      ),
  });
  return Connection.lazy({ address, interceptors: [retries] });
}
