// A process that plays lives, as the search and the tests start it.
import { type ChildProcess, fork } from 'node:child_process';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import type { Message, Order } from './messages.js';

/** A life that takes longer than this of real time hangs. */
const HANGS_AFTER_MS = 6 * 60_000;

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
      execArgv: ['--enable-source-maps', '--no-deprecation'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const player = new PlayerProcess(child);
    const first = await player.#next();
    if (first.kind === 'broken') throw new Error(first.text);
    return player;
  }

  /** Plays a life. One that hangs ends the process. */
  async play(order: Order): Promise<Message> {
    const played = this.#next();
    this.#child.send(order);
    return played;
  }

  end(): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  #next(): Promise<Message> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve({ kind: 'broken', text: 'the life hangs: it took six minutes of real time' });
        this.#child.kill('SIGKILL');
      }, HANGS_AFTER_MS);
      this.#heard = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
    });
  }
}
