// Connections to Temporal: plain or TLS, with a client certificate or an API key. The api's has short pauses between
// retries.
import {
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';

/**
 * Longest pause between retries. The client's own pauses grow to 5 s and ignore the call's deadline, so an api call
 * could end 5 s late. With these, a call ends at most one pause after its deadline.
 */
const LONGEST_PAUSE_MS = { refused: 400, overloaded: 1_000 };
/** Never reached: the deadline ends the retries first. */
const MOST_TRIES = 40;
const GRPC_RESOURCE_EXHAUSTED = 8;

/** Where a Temporal server is, and how it is reached (platform/config/temporal.ts). */
export interface TemporalServer {
  readonly address: string;
  readonly apiKey?: string | undefined;
  /** `undefined` for a plain connection. */
  readonly tls?: Exclude<ConnectionOptions['tls'], boolean | null> | undefined;
}

/** The options that the client's connection and the worker's native one have in common. */
export function addressing({ address, apiKey, tls }: TemporalServer) {
  return { address, ...(apiKey === undefined ? {} : { apiKey }), tls: tls ?? false };
}

/** Connects at once, and waits up to `connectTimeout`. Throws the client's error if there is no answer. */
export function connectTemporal(server: TemporalServer, connectTimeout: number): Promise<Connection> {
  return Connection.connect({ ...addressing(server), connectTimeout });
}

/** Connects at the first call. */
export function openTemporal(server: TemporalServer): Connection {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions({ maxAttempts: MOST_TRIES });
  const retries = makeGrpcRetryInterceptor({
    retryableDecider,
    delayFunction: (attempt, status) =>
      Math.min(
        delayFunction(attempt, status),
        status.code === (GRPC_RESOURCE_EXHAUSTED as number) ? LONGEST_PAUSE_MS.overloaded : LONGEST_PAUSE_MS.refused,
      ),
  });
  return Connection.lazy({ ...addressing(server), interceptors: [retries] });
}
