// `--reset`: removes everything that earlier starts have kept. What belongs to running tests and builds stays.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removePlace } from '../servers/postgres-place.js';
import { PATHS } from './paths.js';

/** Call it with the stack's lock held and nothing of it running. */
export function removeKeptData(): void {
  if (!existsSync(PATHS.folder)) return;
  removePlace(PATHS.postgres);
  const kept = new Set(['test', 'cluster', 'logs', basename(PATHS.lock)]);
  for (const name of readdirSync(PATHS.folder).filter((entry) => !kept.has(entry))) {
    rmSync(join(PATHS.folder, name), { recursive: true, force: true });
  }
  for (const name of existsSync(PATHS.logs) ? readdirSync(PATHS.logs) : []) {
    if (!name.startsWith('build-')) rmSync(join(PATHS.logs, name), { force: true });
  }
}
