// A pool of connections that no operation can use up: an operation holds or waits for at most half of it, and what it
// asks beyond that waits in a queue of its own. Calls without an operation, such as a sweep, go straight to the pool.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

const served = new AsyncLocalStorage<string>();

/** Runs `work` for an operation: the connections that it takes are of the operation's share. */
export function onBehalfOf<T>(operationId: string, work: () => T): T {
  return served.run(operationId, work);
}

type Callback = Parameters<typeof pg.Pool.prototype.connect>[0];
/** Hands a turn back. */
type End = () => void;

export interface SharedPoolConfig extends pg.PoolConfig {
  readonly max: number;
  readonly connectionTimeoutMillis: number;
}

export class SharedPool extends pg.Pool {
  /** Called when a call has waited for its operation's share as long as the pool lets a call wait, and fails. */
  whenShareTimesOut: () => void = () => undefined;
  readonly #shares: Shares;
  readonly #ends = new WeakMap<pg.PoolClient, End>();

  constructor(config: SharedPoolConfig) {
    super(config);
    const half = Math.max(1, Math.floor(config.max / 2));
    this.#shares = new Shares(half, config.connectionTimeoutMillis, () => this.whenShareTimesOut());
    // The connection is idle after this event, and free for whoever is next.
    this.on('release', (_error, client) => process.nextTick(() => this.#end(client)));
  }

  /** Calls of an operation that wait for its share. */
  waitingFor(operationId: string): number {
    return this.#shares.waitingFor(operationId);
  }

  /** Calls of all operations that wait for their own shares. */
  get heldBack(): number {
    return this.#shares.waiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    const operationId = served.getStore();
    if (operationId === undefined) return callback === undefined ? super.connect() : super.connect(callback);
    const connected = this.#connectFor(operationId);
    if (callback === undefined) return connected;
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  async #connectFor(operationId: string): Promise<pg.PoolClient> {
    const end = await this.#shares.turnOf(operationId);
    try {
      const client = await super.connect();
      this.#ends.set(client, end);
      return client;
    } catch (error) {
      end();
      throw error;
    }
  }

  #end(client: pg.PoolClient): void {
    const end = this.#ends.get(client);
    this.#ends.delete(client);
    end?.();
  }
}

interface Share {
  taken: number;
  readonly waiting: Set<() => void>;
}

/** Turns of operations: each has so many at once, and its further calls wait in their order. */
export class Shares {
  readonly #shares = new Map<string, Share>();

  constructor(
    private readonly atOnce: number,
    private readonly waitMs: number,
    /** Called when a call has waited too long. */
    private readonly timedOut: () => void,
  ) {}

  get waiting(): number {
    return [...this.#shares.values()].reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  waitingFor(operationId: string): number {
    return this.#shares.get(operationId)?.waiting.size ?? 0;
  }

  /** A turn, or the pool's own error after the time that it lets a call wait. */
  async turnOf(operationId: string): Promise<End> {
    const share = this.#shares.get(operationId) ?? { taken: 0, waiting: new Set() };
    this.#shares.set(operationId, share);
    if (share.taken < this.atOnce) share.taken += 1;
    else await this.#turnAfterWaiting(share);
    return () => this.#end(operationId, share);
  }

  #turnAfterWaiting({ waiting }: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(take);
        this.timedOut();
        reject(new Error('timeout exceeded when trying to connect'));
      }, this.waitMs);
      waiting.add(take);
    });
  }

  /** The turn goes to whoever waits longest, or back. */
  #end(operationId: string, share: Share): void {
    const [next] = share.waiting;
    if (next !== undefined) {
      share.waiting.delete(next);
      next();
      return;
    }
    share.taken -= 1;
    if (share.taken === 0) this.#shares.delete(operationId);
  }
}
