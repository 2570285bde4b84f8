// The api's connection to Temporal, with short pauses between retries.
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/**
 * Longest pause between retries. The client's own pauses grow to 5 s and ignore the call's deadline, so an api call
 * could end 5 s late. With these, a call ends at most one pause after its deadline.
 */
const LONGEST_PAUSE_MS = { refused: 400, overloaded: 1_000 };
/** Never reached: the deadline ends the retries first. */
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
