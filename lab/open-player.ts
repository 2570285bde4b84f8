// Opens what lives are played with in this process. The machine must be installed before this is loaded.
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { Coverage } from './coverage.js';
import { openLabDatabase } from './database.js';
import { type LifeEnd, type LifeOptions, live } from './life.js';
import { machine } from './machine/machine.js';

const WARM_UP_SCALE = 0.1;

export interface Player {
  play(
    order: Pick<LifeOptions, 'seed'> & {
      readonly scale?: number;
      readonly until?: number | null;
      readonly without?: readonly string[];
      readonly isTold?: boolean;
    },
  ): Promise<{ readonly end: LifeEnd; readonly coverage: readonly (readonly [string, number])[] }>;
  close(): Promise<void>;
}

/** @param superuserUrl of the PostgreSQL server that the lives are played on */
export async function openPlayer(superuserUrl: string): Promise<Player> {
  const database = await settling(openLabDatabase(superuserUrl));
  // What is loaded at its first use is loaded now: a life must not wait for the disk.
  await loadCommands();
  await live({ seed: 0, scale: WARM_UP_SCALE, database, coverage: new Coverage() });
  return {
    async play({ until, ...order }) {
      const coverage = new Coverage();
      const end = await live({ ...order, database, coverage, ...(until == null ? {} : { until }) });
      return { end, coverage: coverage.counts };
    },
    close: () => database.close(),
  };
}

/** The `gateway` command loads what an act needs when it runs. */
async function loadCommands(): Promise<void> {
  const built = new URL('../', import.meta.url);
  for (const folder of ['cli', 'staff', 'store'])
    for (const file of readdirSync(new URL(`${folder}/`, built), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.js') && basename(file) !== 'main.js') await import(new URL(`${folder}/${file}`, built).href);
}

/** Lets statements pass while no life goes on. */
async function settling<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const ends = () => {
    isOver = true;
  };
  work.then(ends, ends);
  while (!isOver) await machine().settle();
  return work;
}
