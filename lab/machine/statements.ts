// Every statement to PostgreSQL passes here. One is sent at a time, in an order from the seed and only when nothing
// else happens, so that a run depends neither on how fast PostgreSQL is nor on who of two gets a lock first. Faults of
// the database happen here too: a statement that is never sent, and one whose commit nobody hears of.
import { AsyncResource } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isDead, type LabProcess, presentProcess, silence } from './processes.js';
import { real } from './real.js';

/** What becomes of a statement. `lost`: it is done, and its answer is lost. */
export type StatementFate = 'done' | 'refused' | 'lost';

/** What PostgreSQL, or a compiler beside this thread, is asked for. */
interface PendingStatement {
  send: (() => void) | null;
  /** Nobody wants it any more. */
  readonly isGone: () => boolean;
  /** The process of its session at PostgreSQL. */
  readonly pid: () => number | null;
  isDone: boolean;
  deliver: () => void;
}

/** A statement that takes longer may wait for the lock of another, whose next step must come first. PostgreSQL says. */
const LOCK_WAIT_MS = 40;

type Query = (config: unknown, values?: unknown) => Promise<unknown>;
type Callback = (error: Error | null, result?: unknown) => void;

export class Statements {
  #asked: PendingStatement[] = [];
  #wake: () => void = () => undefined;
  /** How many were sent. */
  sent = 0;
  /** The statement that tells a session the time. It goes with the session's next statement, in one round trip. */
  timeSql: () => string | null = () => null;
  /** How many of these sessions wait for a lock. */
  waitingForLock: (pids: readonly number[]) => Promise<number> = () => Promise.resolve(0);
  /** Resolves when the process goes on; `null`: it is not frozen. */
  thawed: (process: LabProcess | undefined) => Promise<void> | null = () => null;
  fateOf: (text: string) => StatementFate = () => 'done';
  /** Hears of each statement that was done. */
  done: (text: string) => void = () => undefined;
  /** Which of so many comes next. */
  choose: (results: number) => number = () => 0;

  get isBusy(): boolean {
    return this.#asked.length > 0;
  }

  /** Sends the next statement, or hands over its result. @returns false if all wait for locks: a step is to come */
  async goOn(): Promise<boolean> {
    while (!(await this.#isQuiet()));
    this.#asked = this.#asked.filter(({ send, isGone }) => send === null || !isGone());
    const done = this.#asked.filter(({ isDone }) => isDone);
    const next = this.#next(done.length > 0 ? done : this.#asked.filter(({ send }) => send !== null));
    if (next === null) return false;
    if (next.isDone) {
      this.#asked.splice(this.#asked.indexOf(next), 1);
      next.deliver();
    } else {
      const { send } = next;
      next.send = null;
      send?.();
    }
    return true;
  }

  #next(asked: readonly PendingStatement[]): PendingStatement | null {
    return asked[asked.length > 1 ? this.choose(asked.length) : 0] ?? null;
  }

  /** Waits a while. @returns whether everything that was sent is done, or waits for a lock */
  async #isQuiet(): Promise<boolean> {
    const open = this.#asked.filter(({ send, isDone }) => send === null && !isDone);
    if (open.length === 0 || (await this.#woken())) return open.length === 0;
    const pids = open.flatMap(({ pid }) => pid() ?? []);
    return pids.length === open.length && (await this.waitingForLock(pids)) === pids.length;
  }

  /** Resolves at the next result, or after a while: with false. */
  #woken(): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = real.later(LOCK_WAIT_MS, () => resolve(false));
      this.#wake = () => {
        stop();
        resolve(true);
      };
    });
  }

  /** Whatever it asks PostgreSQL for, its answer comes in turn. It is asked for at once. */
  pass<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const asked = this.#add(ask, resolve, reject, { isGone: () => false, pid: () => null });
      const { send } = asked;
      asked.send = null;
      send?.();
    });
  }

  #add<T>(
    ask: () => Promise<T>,
    resolve: (value: T) => void,
    reject: (error: Error) => void,
    of: Pick<PendingStatement, 'isGone' | 'pid'>,
  ): PendingStatement {
    const done = (deliver: () => void) => {
      Object.assign(asked, { isDone: true, deliver });
      this.#wake();
    };
    const send = () => {
      ask().then(
        (value) => done(() => resolve(value)),
        (error: unknown) => done(() => reject(error as Error)),
      );
    };
    // It is sent in the name of who asks.
    const asked: PendingStatement = { ...of, send: AsyncResource.bind(send), isDone: false, deliver: () => undefined };
    this.#asked.push(asked);
    return asked;
  }

  /** What a killed run left. */
  forget(): void {
    this.#asked = [];
  }

  /** `pid`: of the session, once it is known. */
  async ask(query: () => Promise<unknown>, text: string, pid: () => number | null): Promise<unknown> {
    const process = presentProcess();
    if (isDead(process)) return silence();
    const frozen = this.thawed(process);
    if (frozen !== null) await frozen;
    const fate = process === undefined ? 'done' : this.fateOf(text);
    if (fate === 'refused' && !isDead(process)) throw connectionLost();
    // Killed at this statement: it was sent, or not.
    if (isDead(process) && fate !== 'lost') return silence();
    this.sent += 1;
    const isGone = () => isDead(process) && fate !== 'lost';
    const result = await new Promise((resolve, reject) => void this.#add(query, resolve, reject, { isGone, pid }));
    this.done(text);
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

/** What each session was told last. */
const told = new WeakMap<object, string>();

/**
 * Tells a session the time if it was told another one. What it is told within a transaction is forgotten when that is
 * rolled back, so after a rollback and after any error it is told again.
 */
export function tellTime(
  session: object,
  timeSql: string | null,
  text: string,
  send: (sql: string, sent: (error: Error | null) => void) => unknown,
): void {
  if (/^ROLLBACK/i.test(text)) return void told.delete(session);
  if (timeSql === null || told.get(session) === timeSql) return;
  told.set(session, timeSql);
  send(timeSql, (error) => {
    if (error !== null) told.delete(session);
  });
}

/** Its last statement failed: so did its transaction. */
export const forgetTime = (session: object): void => void told.delete(session);

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
    const ask = async () => {
      const { stream } = (this as { connection: { stream: Duplex } }).connection;
      stream.cork();
      tellTime(this, statements.timeSql(), text, (...more) => query.apply(this, more));
      const asked = (query as Query).apply(this, given as [unknown]);
      stream.uncork();
      try {
        return await asked;
      } catch (error) {
        forgetTime(this);
        throw error;
      }
    };
    const answer = statements.ask(ask, text, () => (this as { processID?: number }).processID ?? null);
    if (callback === undefined) return answer;
    answer.then(
      (result) => callback(null, result),
      (error: Error) => callback(error),
    );
    return undefined;
  };
  prototype.connect = function connected(callback) {
    if (unwatched.has(this)) return connect.call(this, callback);
    // A session's statements are sent at once, and answered in their order.
    Object.assign(this, { pipeline: true });
    const answer = statements.pass(() => connect.call(this) as Promise<unknown>);
    if (callback === undefined) return answer;
    answer.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    );
    return undefined;
  };
}
