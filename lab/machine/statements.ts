// Every statement to PostgreSQL passes here. Its result is handed over only when nothing else happens, one at a time
// and in an order from the seed, so that a run does not depend on how fast PostgreSQL was. Faults of the database
// happen here too: a statement that is never sent, and one whose commit nobody hears of.
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { isDead, type LabProcess, presentProcess, silence } from './processes.js';
import { real } from './real.js';

/** What becomes of a statement. `lost`: it is done, and its answer is lost. */
export type StatementFate = 'done' | 'refused' | 'lost';

interface UnderWay {
  isDone: boolean;
  deliver: () => void;
}

/** A statement that waits longer may wait for the lock of another, whose next step must come first. PostgreSQL says. */
const LOCK_WAIT_MS = 40;

type Query = (config: unknown, values?: unknown) => Promise<unknown>;
type Callback = (error: Error | null, result?: unknown) => void;

export class Statements {
  readonly #underWay: UnderWay[] = [];
  #wake: () => void = () => undefined;
  /** How many were sent. */
  sent = 0;
  /** The statement that tells a session the time. It goes with the session's next statement, in one round trip. */
  timeSql: () => string | null = () => null;
  /** How many statements wait for a lock. */
  waitingForLock: () => Promise<number> = () => Promise.resolve(0);
  /** Resolves when the process goes on; `null`: it is not frozen. */
  thawed: (process: LabProcess | undefined) => Promise<void> | null = () => null;
  fateOf: (text: string) => StatementFate = () => 'done';
  /** Hears of each statement that was done. */
  done: (text: string) => void = () => undefined;
  /** Which of so many results comes next. */
  choose: (results: number) => number = () => 0;

  get isBusy(): boolean {
    return this.#underWay.length > 0;
  }

  /**
   * Hands over one result, once all are there that will come by themselves: a statement that waits for a lock comes
   * after the next step of who holds it. @returns false if there is none: that step is still to come
   */
  async deliverNext(): Promise<boolean> {
    const isOpen = ({ isDone }: UnderWay) => !isDone;
    while (this.#underWay.some(isOpen)) {
      const isWoken = await this.#woken();
      if (isWoken) continue;
      const waiting = await this.waitingForLock();
      if (waiting > 0 && waiting === this.#underWay.filter(isOpen).length) break;
    }
    const done = this.#underWay.filter(({ isDone }) => isDone);
    const next = done[done.length > 1 ? this.choose(done.length) : 0];
    if (next === undefined) return false;
    this.#underWay.splice(this.#underWay.indexOf(next), 1);
    next.deliver();
    return true;
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
    const fate = process === undefined ? 'done' : this.fateOf(text);
    if (fate === 'refused' && !isDead(process)) throw connectionLost();
    // Killed at this statement: it was sent, or not.
    if (isDead(process) && fate !== 'lost') return silence();
    this.sent += 1;
    const result = await this.pass(query);
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
    const answer = statements.ask(ask, text);
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
