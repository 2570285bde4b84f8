// The recorded histories of every release.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

export interface RecordedHistory {
  /** `release/life-cycle`. */
  readonly name: string;
  readonly json: string;
}

/** Reads them all, from the sources (compiled tests lie elsewhere). */
export function readHistories(): RecordedHistory[] {
  const folder = join(projectRoot(), 'test', 'replay', 'histories');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort();
  return files.map((file) => ({ name: file.replace(/\.json$/, ''), json: readFileSync(join(folder, file), 'utf8') }));
}
