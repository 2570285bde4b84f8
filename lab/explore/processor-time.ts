// The processor time that a search has used, whatever else the machine does: of its own processes and of PostgreSQL.
// Linux alone tells of other processes.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** The kernel's clock ticks in a second, as it shows them to programs. */
const TICKS_PER_SECOND = 100;

export interface UsedProcessor {
  readonly seconds: number;
  /** Of these, PostgreSQL's. Whoever else uses the same server counts too. */
  readonly postgresSeconds: number;
}

/** Begins to measure. @returns what was used since; seconds are NaN where the system does not tell */
export async function measureProcessor(superuserUrl: string): Promise<() => UsedProcessor> {
  const postmaster = await postmasterOf(superuserUrl);
  const before = now(postmaster);
  return () => {
    const { seconds, postgresSeconds } = now(postmaster);
    return { seconds: seconds - before.seconds, postgresSeconds: postgresSeconds - before.postgresSeconds };
  };
}

function now(postmaster: number): UsedProcessor {
  const all = allProcesses();
  const postgresSeconds = secondsOf(all, postmaster);
  return { seconds: secondsOf(all, process.pid, postmaster) + postgresSeconds, postgresSeconds };
}

/** The server's first process, which every session's process was started by. */
async function postmasterOf(superuserUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return readProcess(rows[0]?.pid ?? 0)?.parent ?? 0;
  } finally {
    await client.end();
  }
}

/** What a process has used, with those that it started; NaN where the system does not tell. */
export const processorSecondsOf = (pid: number): number => readProcess(pid)?.seconds ?? NaN;

interface OneProcess {
  readonly parent: number;
  /** With those that it started, that have ended, and that it waited for. */
  readonly seconds: number;
}

function allProcesses(): ReadonlyMap<number, OneProcess> {
  const found = new Map<number, OneProcess>();
  for (const name of namesIn('/proc')) {
    const one = /^[0-9]+$/.test(name) ? readProcess(Number(name)) : null;
    if (one !== null) found.set(Number(name), one);
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readProcess(pid: number): OneProcess | null {
  try {
    // Behind the name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0);
    return { parent: fields[1] as number, seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}

/** Of a process and of what it has started. */
function secondsOf(all: ReadonlyMap<number, OneProcess>, pid: number, except = 0): number {
  let sum = all.get(pid)?.seconds ?? NaN;
  for (const [child, { parent }] of all) if (parent === pid && child !== except) sum += secondsOf(all, child, except);
  return sum;
}
