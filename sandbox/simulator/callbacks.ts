// Sends callbacks as providers do: at least once, again and again until it is answered 2xx, and not for ever.
import { Pool } from 'undici';
import type { Logger } from 'pino';
import type { SimulatedAccount } from '../../platform/config/simulator.js';
import type { DialectName } from '../../providers/settings.js';
import type { AccountName } from '../../providers/port.js';
import { parseTraceparent } from '../../domain/trace-context.js';
import { count } from '../../platform/telemetry/instruments.js';
import { inSpan, traceHeaders } from '../../platform/telemetry/spans.js';
import type { Delays } from './delays.js';
import type { QueuedCallback, SimulatorState } from './state.js';
import type { ClientCertificate } from './trial.js';
import type { CallbackMessage, CallbackFormat } from './callback-format.js';

const ATTEMPT_TIMEOUT_MS = 5_000;

/** A callback to send. Every copy and attempt continues the trace. */
export interface CallbackOrder extends CallbackMessage {
  readonly traceparent: string | undefined;
}

/** Where callbacks go, and how. */
export interface CallbackReceiver {
  readonly url: string;
  /** Below 1 it repeats sooner than the dialect says. */
  readonly repeatPace: number;
  /** What it shows there. */
  readonly certificate: ClientCertificate | null;
}

export class CallbackSender {
  readonly #pool: Pool;
  readonly #basePath: string;

  constructor(
    private readonly state: SimulatorState,
    private readonly accounts: Readonly<Partial<Record<AccountName, SimulatedAccount>>>,
    private readonly delays: Delays,
    private readonly formatOf: (dialect: DialectName) => CallbackFormat,
    private readonly log: Logger,
    private readonly receiver: CallbackReceiver,
  ) {
    const address = new URL(receiver.url);
    this.#basePath = address.pathname.replace(/\/+$/, '');
    this.#pool = new Pool(address.origin, {
      connections: 32,
      maxResponseSize: 64 * 1024,
      ...(receiver.certificate === null ? {} : { connect: receiver.certificate }),
    });
  }

  /** Queues a callback `copies` times. Resolves when the first copy has been tried once, with any outcome. */
  async send(provider: AccountName, { target, body, traceparent }: CallbackOrder, copies: number): Promise<void> {
    const trace = traceparent === undefined ? {} : { traceparent };
    const callbacks = Array.from({ length: copies }, (): QueuedCallback => ({
      id: crypto.randomUUID(),
      provider,
      target,
      body: JSON.stringify(body),
      ...trace,
    }));
    for (const callback of callbacks) this.state.change({ type: 'callback_queued', callback });
    const firstAttempts = callbacks.map((callback) => this.#attempt(callback, 0));
    await firstAttempts[0];
  }

  /** Takes up what an earlier process left undelivered. */
  resume(): void {
    for (const callback of this.state.waitingCallbacks.values()) this.#later(callback, 0);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #later(callback: QueuedCallback, attempt: number): void {
    const pauseMs = (this.#pausesOf(callback)[attempt] ?? 0) * this.receiver.repeatPace;
    this.delays.after(pauseMs, () => void this.#attempt(callback, attempt));
  }

  async #attempt(callback: QueuedCallback, attempt: number): Promise<void> {
    const delivered = await this.#traced(callback);
    count('gateway_simulator_callbacks_total', {
      provider: callback.provider,
      outcome: delivered ? 'delivered' : 'failed',
    });
    // A closed sender leaves the callback waiting: the next process takes it up.
    if (this.#pool.closed || this.#pool.destroyed) return;
    const isLast = attempt + 1 >= this.#pausesOf(callback).length;
    if (!delivered && !isLast) return this.#later(callback, attempt + 1);
    if (!delivered)
      this.log.warn(
        { callbackId: callback.id, provider: callback.provider, target: callback.target },
        'callback given up',
      );
    this.state.change({ type: 'callback_ended', id: callback.id });
  }

  #pausesOf({ provider }: QueuedCallback): readonly number[] {
    const account = this.accounts[provider];
    return account === undefined ? [] : this.formatOf(account.dialect).callbackPausesMs;
  }

  #traced(callback: QueuedCallback): Promise<boolean> {
    const parent = parseTraceparent(callback.traceparent);
    if (parent === null) return this.#post(callback);
    return inSpan(
      { name: 'call back', kind: 'client', parent, attributes: { 'gateway.provider': callback.provider } },
      async (span) => {
        const delivered = await this.#post(callback);
        if (!delivered) span.fail('not_delivered');
        return delivered;
      },
    );
  }

  async #post(callback: QueuedCallback): Promise<boolean> {
    const account = this.accounts[callback.provider];
    if (!account) return false;
    try {
      const response = await this.#pool.request({
        method: 'POST',
        path: `${this.#basePath}/callbacks/${callback.provider}${callback.target}`,
        headers: {
          ...traceHeaders(),
          'content-type': 'application/json',
          ...this.formatOf(account.dialect).callbackHeaders(account, callback.body),
        },
        body: callback.body,
        signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
      });
      await response.body.dump();
      this.log.debug(
        { callbackId: callback.id, provider: callback.provider, target: callback.target, status: response.statusCode },
        'callback answered',
      );
      return response.statusCode >= 200 && response.statusCode < 300;
    } catch {
      return false;
    }
  }
}
