// The processor time of one stack's own parts, exactly: its processes and its database's backends, not what it shares
// with another stack on the same servers.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Stack } from '../../harness/stack.js';

/** Milliseconds since their start. A backend that has ended is not counted any more. */
export async function stackProcessorMs({ api, worker, simulator }: Stack, database: pg.ClientBase): Promise<number> {
  const { rows } = await database.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const pids = [api.pid, worker.pid, simulator.pid, ...rows.map(({ pid }) => pid)];
  return pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : spentMs(pid)), 0);
}

/** The processes that it has started and that are still there. */
export function workersOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  } catch {
    return [];
  }
}

/**
 * Processor time of all of a process's threads in milliseconds, as the kernel counts it (nanoseconds); 0 when unknown.
 */
export function spentMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce(
      (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      0,
    );
  } catch {
    return 0;
  }
}
