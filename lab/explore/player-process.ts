// A process that plays lives, as the search and the tests start it.
import { type ChildProcess, fork } from 'node:child_process';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import type { LifeEnd } from '../life.js';
import type { Message, Order } from './messages.js';
import { processorSecondsOf } from './processor-time.js';

/** Most of what a life makes is short-lived: with little room for it the collector takes a fifth of the time. */
const PLAYER_FLAGS = ['--enable-source-maps', '--no-deprecation', '--max-semi-space-size=64'];

/** A life that takes longer than this of a processor hangs: a busy machine makes no life hang. */
const HANGS_AFTER_PROCESSOR_MS = 5 * 60_000;
/** One that waits for PostgreSQL takes nothing of a processor. */
const HANGS_AFTER_MS = 60 * 60_000;
/**
 * Code that does not yield for so long never does. The player says that it is alive every few seconds. One that gets no
 * processor says nothing either: it is looked at again.
 */
const SILENT_AFTER_MS = 60_000;
const LEAST_PROCESSOR_SECONDS = 20;

export class PlayerProcess {
  readonly #child: ChildProcess;
  #heard: (message: Message) => void = () => undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: Message) => this.#heard(message));
    child.on('exit', (code, signal) => this.#heard({ kind: 'broken', text: `the player ended: ${code ?? signal}` }));
    child.on('error', (error) => this.#heard({ kind: 'broken', text: error.message }));
  }

  /** Starts one on that PostgreSQL server. Rejects if it cannot play. */
  static async start(superuserUrl: string): Promise<PlayerProcess> {
    const child = fork(inRoot('dist', 'lab', 'explore', 'player.js'), [], {
      env: { ...process.env, LAB_POSTGRES_URL: superuserUrl },
      execArgv: PLAYER_FLAGS,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const player = new PlayerProcess(child);
    const first = await player.#next();
    if (first.kind === 'broken') throw new Error(first.text);
    return player;
  }

  /** Plays a life. One that hangs ends the process. `found`: told that it failed, before it is made smaller. */
  async play(order: Order, found: (end: LifeEnd) => void = () => undefined): Promise<Message> {
    const first = this.#next();
    this.#child.send(order);
    const message = await first;
    if (message.kind !== 'found') return message;
    found(message.end);
    const last = await this.#next();
    // It is known how it failed, whatever happens to a smaller one.
    return last.kind === 'broken' ? { kind: 'failed', end: message.end, shrunk: null } : last;
  }

  end(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  /** The next message that says more than that the player is alive. */
  #next(): Promise<Message> {
    return new Promise((resolve) => {
      const hang = (text: string) => () => {
        this.#heard({ kind: 'broken', text });
        this.#child.kill('SIGKILL');
      };
      let beganMs: number | null = null;
      const whole = setTimeout(hang(`the life hangs: it took ${HANGS_AFTER_MS / 60_000} minutes`), HANGS_AFTER_MS);
      const used = () => processorSecondsOf(this.#child.pid ?? 0);
      let usedBefore = used();
      const silent = setTimeout(() => {
        if (used() - usedBefore < LEAST_PROCESSOR_SECONDS) silent.refresh();
        else hang(`code does not yield: silent for ${SILENT_AFTER_MS / 1_000} s`)();
      }, SILENT_AFTER_MS);
      this.#heard = (message) => {
        silent.refresh();
        usedBefore = used();
        if (message.kind === 'alive') {
          beganMs ??= message.processorMs;
          const tookMs = message.processorMs - beganMs;
          if (tookMs > HANGS_AFTER_PROCESSOR_MS)
            hang(`the life hangs: it took ${Math.round(tookMs / 60_000)} minutes of a processor`)();
          return;
        }
        clearTimeout(whole);
        clearTimeout(silent);
        this.#heard = () => undefined;
        resolve(message);
      };
    });
  }
}
