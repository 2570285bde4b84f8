// Connections to Temporal: plain or TLS, with a client certificate or an API key, and the converter of what crosses
// them. The api's connection has short pauses between retries.
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';

const CONVERTER = `../../contract/temporal/payload-converter${extname(import.meta.url)}`;

/** For every client, every worker and the workflow bundle. Without it amounts would arrive as text. */
export const DATA_CONVERTER = { payloadConverterPath: fileURLToPath(new URL(CONVERTER, import.meta.url)) };

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

/** How long {@link openTemporal}'s connection waits for calls under way when it closes. Longer than any pause. */
const CALLS_END_WITHIN_MS = 3_000;

/**
 * Connects at the first call. `close` repeats no call any more, and waits for those under way: the client repeats a
 * call in a timer, and what it throws there on a closed connection ends the process.
 */
export function openTemporal(server: TemporalServer): Connection {
  const { retryableDecider, delayFunction } = defaultGrpcRetryOptions({ maxAttempts: MOST_TRIES });
  const calls = new CallsUnderWay();
  const retries = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !calls.areEnding && retryableDecider(attempt, status),
    delayFunction: (attempt, status) =>
      Math.min(
        delayFunction(attempt, status),
        status.code === (GRPC_RESOURCE_EXHAUSTED as number) ? LONGEST_PAUSE_MS.overloaded : LONGEST_PAUSE_MS.refused,
      ),
  });
  const connection = Connection.lazy({ ...addressing(server), interceptors: [calls.counted(retries)] });
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await calls.end(CALLS_END_WITHIN_MS);
    await close();
  };
  return connection;
}

type Interceptor = ReturnType<typeof makeGrpcRetryInterceptor>;

/** The calls of a connection that have not ended, their retries and the pauses between them included. */
class CallsUnderWay {
  #count = 0;
  #areEnding = false;
  #noteNone: () => void = () => undefined;

  /** Whether the connection is about to close. */
  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** The interceptor, with every call counted from its start to the status that its caller gets. */
  counted(interceptor: Interceptor): Interceptor {
    return (options, nextCall) => {
      const call = interceptor(options, nextCall);
      const start = call.start.bind(call);
      call.start = (metadata, listener) => {
        this.#count += 1;
        start(metadata, {
          ...listener,
          onReceiveStatus: (status) => {
            this.#ended();
            listener?.onReceiveStatus?.(status);
          },
        });
      };
      return call;
    };
  }

  /** Resolves once no call is under way, or after this time. */
  async end(withinMs: number): Promise<void> {
    this.#areEnding = true;
    if (this.#count === 0) return;
    const timer = new AbortController();
    const none = new Promise<void>((resolve) => (this.#noteNone = resolve));
    await Promise.race([none, sleep(withinMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  #ended(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#noteNone();
  }
}
