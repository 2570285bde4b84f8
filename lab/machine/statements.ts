// Every statement to PostgreSQL passes here. Its result is handed over only when nothing else happens, one at a time
// and in an order from the seed, so that a run does not depend on how fast PostgreSQL was. Faults of the database
// happen here too: a statement that is never sent, and one whose commit nobody hears of.
import pg from 'pg';
import { isDead, type LabProcess, presentProcess, silence } from './processes.js';
import { real } from './real.js';

/** What becomes of a statement. `lost`: it is done, and its answer is lost. */
export type StatementFate = 'done' | 'refused' | 'lost';

interface UnderWay {
  isDone: boolean;
  deliver: () => void;
}

/** A statement that waits longer waits for the lock of another, whose next step must come first. */
const LOCK_WAIT_MS = 40;

type Query = (config: unknown, values?: unknown) => Promise<unknown>;
type Callback = (error: Error | null, result?: unknown) => void;

export class Statements {
  readonly #underWay: UnderWay[] = [];
  #wake: () => void = () => undefined;
  /** How many were sent. */
  sent = 0;
  /** Before each statement. */
  beforeEach: () => Promise<void> | null = () => null;
  /** Resolves when the process goes on; `null`: it is not frozen. */
  thawed: (process: LabProcess | undefined) => Promise<void> | null = () => null;
  fateOf: (text: string) => StatementFate = () => 'done';
  /** Which of so many results comes next. */
  choose: (results: number) => number = () => 0;

  get isBusy(): boolean {
    return this.#underWay.length > 0;
  }

  /** Hands over one result, once all are there; or, where one waits for another, one of those that are there. */
  async deliverNext(): Promise<void> {
    const isReady = () => this.#underWay.every(({ isDone }) => isDone);
    const deadline = real.nowMs() + LOCK_WAIT_MS;
    while (!isReady()) {
      const isLate = real.nowMs() > deadline;
      if (isLate && this.#underWay.some(({ isDone }) => isDone)) break;
      await new Promise<void>((resolve) => {
        const stop = real.later(LOCK_WAIT_MS, resolve);
        this.#wake = () => {
          stop();
          resolve();
        };
      });
    }
    const done = this.#underWay.filter(({ isDone }) => isDone);
    const next = done[this.choose(done.length)] ?? done[0];
    if (next === undefined) return;
    this.#underWay.splice(this.#underWay.indexOf(next), 1);
    next.deliver();
  }

  /** Whatever it asks PostgreSQL for, its answer comes in turn. */
  pass<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const entry: UnderWay = { isDone: false, deliver: () => undefined };
      this.#underWay.push(entry);
      const done = (deliver: () => void) => {
        entry.isDone = true;
        entry.deliver = deliver;
        this.#wake();
      };
      ask().then(
        (value) => done(() => resolve(value)),
        (error: unknown) => done(() => reject(error as Error)),
      );
    });
  }

  /** What a killed run left. */
  forget(): void {
    this.#underWay.length = 0;
  }

  async ask(query: () => Promise<unknown>, text: string): Promise<unknown> {
    const process = presentProcess();
    if (isDead(process)) return silence();
    const frozen = this.thawed(process);
    if (frozen !== null) await frozen;
    const before = this.beforeEach();
    if (before !== null) await before;
    const fate = process === undefined ? 'done' : this.fateOf(text);
    if (fate === 'refused' && !isDead(process)) throw connectionLost();
    // Killed at this statement: it was sent, or not.
    if (isDead(process) && fate !== 'lost') return silence();
    this.sent += 1;
    const result = await this.pass(query);
    await this.thawed(process);
    if (isDead(process)) return silence();
    if (fate === 'lost') throw connectionLost();
    return result;
  }
}

/** As node-postgres reports a connection that ended. */
function connectionLost(): Error {
  return Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
}

/** Statements and connections that are not of the run: the lab's own. */
export const unwatched = new WeakSet<object>();

/** Lets the statements of every client of this process pass through `statements`. */
export function watchStatements(statements: Statements): void {
  const prototype = pg.Client.prototype as unknown as {
    query: (this: object, ...args: unknown[]) => unknown;
    connect: (this: object, callback?: Callback) => unknown;
  };
  const { query, connect } = prototype;
  prototype.query = function watched(...args) {
    const [config] = args;
    const callback = args.find((argument): argument is Callback => typeof argument === 'function');
    if (unwatched.has(this) || typeof (config as { submit?: unknown }).submit === 'function')
      return query.apply(this, args);
    const given = args.filter((argument) => typeof argument !== 'function');
    const text = typeof config === 'string' ? config : ((config as { text?: string }).text ?? '');
    const answer = statements.ask(() => (query as Query).apply(this, given as [unknown]), text);
    if (callback === undefined) return answer;
    answer.then(
      (result) => callback(null, result),
      (error: Error) => callback(error),
    );
    return undefined;
  };
  prototype.connect = function connected(callback) {
    if (unwatched.has(this)) return connect.call(this, callback);
    const answer = statements.pass(() => connect.call(this) as Promise<unknown>);
    if (callback === undefined) return answer;
    answer.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    );
    return undefined;
  };
}
