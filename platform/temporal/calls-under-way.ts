// The calls of a connection to Temporal that have not ended, their retries and the pauses between them included.
import { setTimeout as sleep } from 'node:timers/promises';
import type { makeGrpcRetryInterceptor } from '@temporalio/client';

type Interceptor = ReturnType<typeof makeGrpcRetryInterceptor>;

export class CallsUnderWay {
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
