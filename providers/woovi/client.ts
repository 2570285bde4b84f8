// Woovi's API: the AppID in every request, answers read by schema, and drift reported.
import type { z } from 'zod';
import { BackPressure, type HttpAnswer, HttpConnections, type MayLeave } from '../common/http.js';
import { type NoteDrift, hasUnknownField, type KnownShape } from '../common/answers.js';
import type { WooviConfig } from './config.js';
import { isKnownError, refusalOf } from './errors.js';

export interface WooviCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs: number;
  /** See `HttpRequest`. */
  readonly atMostOnce?: MayLeave;
  /** `true` for a look-up in the key directory, whose budget is its own: its `Retry-After` holds no other call. */
  readonly isOfDirectory?: boolean;
}

export class WooviClient {
  readonly #connections: HttpConnections;
  readonly backPressure: BackPressure;

  constructor(
    private readonly config: WooviConfig,
    readonly noteDrift: NoteDrift,
    private readonly traceHeaders: () => Readonly<Record<string, string>>,
    now: () => number = Date.now,
  ) {
    this.backPressure = new BackPressure(now);
    this.#connections = new HttpConnections(config.url);
  }

  /** Makes one call. Never throws for errors of the network or of Woovi. */
  async call({ method, path, body, timeoutMs, atMostOnce, isOfDirectory }: WooviCall): Promise<HttpAnswer> {
    const held = this.backPressure.hold();
    if (held !== null) return held;
    const answer = await this.#connections.send(
      {
        method,
        path: `/api/v1${path}`,
        headers: {
          ...this.traceHeaders(),
          authorization: this.config.appId,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(atMostOnce ? { atMostOnce } : {}),
      },
      AbortSignal.timeout(timeoutMs),
    );
    if (isOfDirectory !== true) this.backPressure.note(answer);
    this.#noteUnknownError(answer);
    return answer;
  }

  /** Reads the body of a 200 or 201; null for any other, or for one that cannot be read: both decide nothing. */
  read<Output>(schema: z.ZodType<Output>, known: KnownShape, answer: HttpAnswer): Output | null {
    if (answer.kind !== 'answered' || (answer.status !== 200 && answer.status !== 201)) return null;
    const parsed = schema.safeParse(answer.body);
    if (hasUnknownField(known, answer.body)) this.noteDrift('unknown_field');
    if (parsed.success) return parsed.data;
    this.noteDrift('unreadable_answer');
    return null;
  }

  close(): Promise<void> {
    return this.#connections.close();
  }

  #noteUnknownError(answer: HttpAnswer): void {
    const refusal = refusalOf(answer);
    if (refusal !== null && !isKnownError(refusal)) this.noteDrift('unknown_error');
  }
}
