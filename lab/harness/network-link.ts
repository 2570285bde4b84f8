// A network link: a TCP proxy that a test cuts, makes dead in one or both directions, slows down, or whose connections
// it holds.
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** From the client's side: `up` is what the client sends, `down` what it is answered. */
export type Direction = 'up' | 'down';
const DIRECTIONS: readonly Direction[] = ['up', 'down'];

/** Bytes to buffer for a held direction before it stops reading. */
const MOST_HELD_BYTES = 1024 * 1024;

export interface NetworkLink {
  readonly name: string;
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Accepts connections and passes nothing on in these directions (both by default): the other side never answers. */
  hold(...directions: Direction[]): void;
  /** Delays every chunk. */
  slowDown(delayMs: number): void;
  /** The connections with held data, oldest first. */
  held(): readonly HeldConnection[];
  /** Passes everything again, including what was held. */
  heal(): void;
  /** Ends the open connections and accepts new ones. */
  reset(): void;
  close(): Promise<void>;
}

export interface HeldConnection {
  /** Passes this connection's data while the link still holds the others. */
  release(): void;
}

interface Condition {
  isCut: boolean;
  held: ReadonlySet<Direction>;
  delayMs: number;
}

/**
 * @param targets ports on 127.0.0.1; each connection starts with the next one in turn and takes the first that accepts
 * @param observe called for each connection; what it returns receives every chunk that the client sends
 */
export async function startNetworkLink(
  name: string,
  targets: readonly number[],
  observe?: () => (chunk: Buffer) => void,
): Promise<NetworkLink> {
  const condition: Condition = { isCut: false, held: new Set(), delayMs: 0 };
  const connections = new Set<Connection>();
  let turn = 0;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (condition.isCut) return void near.destroy();
    if (observe !== undefined) near.on('data', observe());
    const connection: Connection = new Connection(near, condition, () => connections.delete(connection));
    connections.add(connection);
    turn += 1;
    void connection.open([...targets.keys()].map((index) => targets[(turn + index) % targets.length] as number));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`the link ${name} has no port`);
  const reset = () => connections.forEach((connection) => connection.destroy());
  return {
    name,
    port: address.port,
    cut: () => {
      condition.isCut = true;
      reset();
    },
    hold: (...directions) => {
      condition.held = new Set(directions.length === 0 ? DIRECTIONS : directions);
    },
    slowDown: (delayMs) => {
      condition.delayMs = delayMs;
    },
    held: () => [...connections].filter((connection) => connection.isHeld),
    heal: () => {
      Object.assign(condition, { isCut: false, held: new Set(), delayMs: 0 });
      connections.forEach((connection) => connection.flow());
    },
    reset,
    close: () => {
      reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

class Connection implements HeldConnection {
  #far: Socket | null = null;
  #isReleased = false;
  readonly #queues: Record<Direction, Queue> = { up: newQueue(), down: newQueue() };

  constructor(
    private readonly near: Socket,
    private readonly condition: Condition,
    private readonly forget: () => void,
  ) {
    near.pause();
    near.once('close', () => this.#forgetWhenOver());
  }

  get isHeld(): boolean {
    return DIRECTIONS.some((direction) => this.#holds(direction) && this.#queues[direction].bytes > 0);
  }

  async open(targets: readonly number[]): Promise<void> {
    const far = await firstThatTakesIt(targets);
    if (far === null || this.near.destroyed) {
      far?.destroy();
      this.near.destroy();
      return;
    }
    this.#far = far;
    far.on('error', () => far.destroy());
    // Held data is delivered even when its sender is gone: a request may arrive after its client gave up.
    far.once('close', () => this.#endAfter('down', this.near));
    far.once('close', () => this.#forgetWhenOver());
    this.near.once('close', () => this.#endAfter('up', far));
    this.#carry('up', this.near, far);
    this.#carry('down', far, this.near);
    this.near.resume();
  }

  release(): void {
    this.#isReleased = true;
    this.flow();
  }

  /** Passes on what is no longer held. */
  flow(): void {
    if (this.#far === null) return;
    this.#flow('up', this.near, this.#far);
    this.#flow('down', this.#far, this.near);
  }

  destroy(): void {
    this.near.destroy();
    this.#far?.destroy();
  }

  #carry(direction: Direction, from: Socket, to: Socket): void {
    const queue = this.#queues[direction];
    from.on('data', (chunk: Buffer) => {
      queue.chunks.push({ chunk, dueMs: performance.now() + this.condition.delayMs });
      queue.bytes += chunk.length;
      if (queue.bytes > MOST_HELD_BYTES) from.pause();
      this.#flow(direction, from, to);
    });
    from.on('end', () => {
      queue.isEnded = true;
      this.#flow(direction, from, to);
    });
  }

  #flow(direction: Direction, from: Socket, to: Socket): void {
    const queue = this.#queues[direction];
    if (queue.isFlowing) return;
    queue.isFlowing = true;
    void this.#passOn(direction, queue, to).finally(() => {
      queue.isFlowing = false;
      if (queue.bytes <= MOST_HELD_BYTES) from.resume();
    });
  }

  /** One side may close long before its data has arrived. */
  #forgetWhenOver(): void {
    if (this.near.destroyed && (this.#far === null || this.#far.destroyed)) this.forget();
  }

  #endAfter(direction: Direction, to: Socket): void {
    const queue = this.#queues[direction];
    queue.isEnded = true;
    if (queue.chunks.length === 0) to.destroy();
  }

  async #passOn(direction: Direction, queue: Queue, to: Socket): Promise<void> {
    while (queue.chunks.length > 0 && !this.#holds(direction)) {
      const [next] = queue.chunks;
      if (next === undefined) return;
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0 && this.condition.delayMs > 0) await sleep(waitMs);
      if (this.#holds(direction)) return;
      queue.chunks.shift();
      queue.bytes -= next.chunk.length;
      to.write(next.chunk);
    }
    if (queue.isEnded && queue.chunks.length === 0) to.end();
  }

  #holds(direction: Direction): boolean {
    return !this.#isReleased && this.condition.held.has(direction);
  }
}

interface Queue {
  readonly chunks: { readonly chunk: Buffer; readonly dueMs: number }[];
  bytes: number;
  isEnded: boolean;
  isFlowing: boolean;
}

const newQueue = (): Queue => ({ chunks: [], bytes: 0, isEnded: false, isFlowing: false });

async function firstThatTakesIt(targets: readonly number[]): Promise<Socket | null> {
  for (const port of targets) {
    const socket = connect({ port, host: '127.0.0.1' });
    const taken = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (taken) return socket;
  }
  return null;
}
