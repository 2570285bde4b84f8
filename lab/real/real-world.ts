// The world of a life that is played against real processes: its time is everybody's, and its database is read as it
// is at that moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { readTemporalConfig } from '../../platform/config/cli.js';
import { DATA_CONVERTER, openTemporal } from '../../platform/temporal/connection.js';
import { createDatabase, type Database } from '../../store/database.js';
import type { Environment } from '../faults/environment/environment.js';
import type { Coverage } from '../coverage.js';
import type { Evidence, StaffDecision } from '../judge/evidence.js';
import { ToldFacts } from '../judge/told.js';
import type { Chance } from '../machine/chance.js';
import type { Mix } from '../world/mix.js';
import { provider } from '../world/provider.js';
import { Scene } from '../world/scene.js';
import { Story } from '../world/story.js';

/** What lives share: the processes, a client of their Temporal, and the database with the rights of the command. */
export interface RealStage {
  readonly environment: Environment;
  readonly database: Database;
  readonly client: Client;
  /** Of the lives before: their payments are judged again. */
  readonly earlierDecisions: StaffDecision[];
  close(): Promise<void>;
}

export function openStage(environment: Environment): RealStage {
  const { commonVariables: variables, servers } = environment;
  // Past the links: people's own tools are not what is broken.
  const reached = { ...variables, TEMPORAL_ADDRESS: servers.temporal.address };
  const connection = openTemporal(readTemporalConfig(reached));
  const client = new Client({
    dataConverter: DATA_CONVERTER,
    connection,
    namespace: variables['TEMPORAL_NAMESPACE'] ?? 'default',
  });
  const url = environment.urlOfRole('gateway_command');
  const database = createDatabase({ url, poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 20_000 });
  return {
    environment,
    database,
    client,
    earlierDecisions: [],
    close: async () => {
      await database.$disconnect();
      await connection.close();
    },
  };
}

export class RealWorld extends Scene {
  readonly story = new Story(Date.now);
  readonly told = new ToldFacts();
  readonly machine = {
    clock: {
      get nowMs() {
        return Date.now();
      },
    },
  };
  readonly database: Scene['database'];
  readonly temporal: Scene['temporal'];
  readonly gateway: Scene['gateway'];
  readonly #ends = new AbortController();
  #underWay = 0;

  constructor(
    chance: Chance,
    mix: Mix,
    coverage: Coverage,
    readonly stage: RealStage,
  ) {
    super(chance, mix, coverage);
    const { environment, database, client } = stage;
    const ask = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await environment.database.query(text, [...values])).rows as Row[];
    this.database = { ask, query: ask };
    this.temporal = { client: () => client };
    this.gateway = { database, home: environment.folder, command: (...args) => environment.gateway(...args) };
  }

  async evidence(): Promise<Evidence> {
    const { database, operators, cash, healedMs, decisions } = this;
    const books = await provider.books();
    const { earlierDecisions } = this.stage;
    const all = [...earlierDecisions, ...decisions];
    return {
      database,
      operators,
      books,
      decisions: all,
      cash,
      illSlot: null,
      clocksOffMs: 0,
      nameless: ['b'],
      listsDisputes: [],
      nowMs: Date.now(),
      healedMs,
      calmSinceMs: null,
      ownTroublesMs: null,
      moved: this.moved,
      lists: this.lists,
      stops: this.stops,
      rules: this.rules,
      answers: [],
      payers: this.payers,
      calls: null,
      asks: [],
      tasks: new Map(),
      sweptMs: Infinity,
      cameSweptMs: Infinity,
      isMute: false,
    };
  }

  later(milliseconds: number, work: () => Promise<unknown> | void): void {
    const { signal } = this.#ends;
    sleep(milliseconds, undefined, { signal })
      .then(() => this.#do(work), ignore)
      .catch(ignore);
  }

  async #do(work: () => Promise<unknown> | void): Promise<void> {
    this.#underWay += 1;
    try {
      await work();
    } catch (error) {
      // What somebody was doing while PostgreSQL, Temporal or the provider was away is done again, or left.
      this.story.tell(`somebody did not get through: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Nobody begins anything any more; resolves when what was begun is done. */
  async end(): Promise<void> {
    this.#ends.abort();
    while (this.#underWay > 0) await sleep(100);
    this.stage.earlierDecisions.push(...this.decisions);
  }
}

const ignore = () => undefined;
