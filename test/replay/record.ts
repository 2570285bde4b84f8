// Records the histories that later releases must be able to replay: `node --import tsx test/replay/record.ts [release]`.
// A life cycle that a release has recorded is never recorded again: only those are that its folder lacks.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { Gateway } from '../workflow/harness/gateway.js';
import { LIFE_CYCLES } from './life-cycles.js';

const release = process.argv[2] ?? '1.0.0';
const folder = join(projectRoot(), 'test', 'replay', 'histories', release);
const missing = Object.entries(LIFE_CYCLES).filter(([name]) => !existsSync(join(folder, `${name}.json`)));

const gateway = new Gateway([]);
await gateway.open();
try {
  mkdirSync(folder, { recursive: true });
  for (const [name, live] of missing) {
    const handle = await live(gateway);
    const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(withoutMachine(history), null, 1)}\n`);
    console.log(`${release}/${name}.json`);
  }
} finally {
  gateway.world.heal();
  await gateway.close();
}

/** Without what tells of the recording machine: replay reads neither stack traces nor the workers' names. */
function withoutMachine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === 'stackTrace') return [key, ''];
    return [key, key === 'identity' || key === 'lastWorkerIdentity' ? 'recorder' : withoutMachine(inner)];
  });
  return Object.fromEntries(entries);
}
