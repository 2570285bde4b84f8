// The time of a run: it stands still while anything happens, and jumps to the next moment at which something is due.
import { AsyncResource } from 'node:async_hooks';

interface Due {
  atMs: number;
  order: number;
  action: (() => void) | null;
  /** Whose timer it is. */
  scope: AsyncResource;
  /** Where it was set, if that is noted. */
  origin: string | null;
}

/** Nobody waits for the end of a timer's scope. */
const UNTRACKED = { requireManualDestroy: true } as const;

/** Timers in the order of their moments; those of one moment in the order in which they were set. */
export class VirtualClock {
  readonly #heap: Due[] = [];
  #set = 0;
  /** Notes where timers are set: costly, for when time does not go on. */
  notesOrigins = false;

  constructor(public nowMs: number) {}

  /** @returns how to take it back */
  after(milliseconds: number, action: () => void): () => void {
    const delay = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
    const due: Due = {
      atMs: this.nowMs + delay,
      order: (this.#set += 1),
      action,
      scope: new AsyncResource('LabTimer', UNTRACKED),
      origin: this.notesOrigins ? (new Error('a timer').stack ?? null) : null,
    };
    this.#push(due);
    return () => {
      due.action = null;
    };
  }

  /** Resolves when the process goes on; `null`: it is not frozen. */
  thawed(process: { readonly frozenUntilMs: number } | undefined): Promise<void> | null {
    const frozenMs = (process?.frozenUntilMs ?? 0) - this.nowMs;
    return frozenMs > 0 ? new Promise((resolve) => void this.after(frozenMs, resolve)) : null;
  }

  /** When the next thing is due; infinite: nothing is. */
  get nextAtMs(): number {
    while (this.#heap[0]?.action === null) this.#pop();
    return this.#heap[0]?.atMs ?? Infinity;
  }

  /** Moves to the next moment and does the one thing that is due. @returns where that was set, if it is noted */
  step(): string | null {
    if (this.nextAtMs === Infinity) return null;
    const due = this.#pop() as Due;
    this.nowMs = Math.max(this.nowMs, due.atMs);
    if (due.action !== null) due.scope.runInAsyncScope(due.action);
    return due.origin;
  }

  /** Forgets everything: what was set for an earlier run. */
  clear(nowMs: number): void {
    this.#heap.length = 0;
    this.nowMs = nowMs;
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as Due, due)) break;
      heap[at] = heap[parent] as Due;
      at = parent;
    }
    heap[at] = due;
  }

  #pop(): Due | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Due, heap[child] as Due)) child += 1;
      if (isBefore(last, heap[child] as Due)) break;
      heap[at] = heap[child] as Due;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
