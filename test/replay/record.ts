// Records the histories that later releases must be able to replay: `npm run record-histories [-- --release 1.1.0]`.
// A life cycle that a release has recorded is never recorded again: only those are that its folder lacks. Before the
// first release, `-- --anew` records all of them again.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { resolveTestServer } from '../../tools/servers/temporal-test-server.js';
import { Gateway } from '../workflow/harness/gateway.js';
import { LIFE_CYCLES, SHORT_RUN_EVENTS } from './life-cycles.js';

const { release, anew } = parseArgs({
  options: { release: { type: 'string', default: '1.0.0' }, anew: { type: 'boolean', default: false } },
}).values;
const folder = join(projectRoot(), 'test', 'replay', 'histories', release);
if (anew) rmSync(folder, { recursive: true, force: true });
const missing = Object.entries(LIFE_CYCLES).filter(([name]) => !existsSync(join(folder, `${name}.json`)));

process.env['TEST_TEMPORAL_TEST_SERVER'] ??= (await resolveTestServer(process.env)).path;
const gateway = new Gateway('time-skipping server');
const shortRuns = new Gateway('time-skipping server', { longHistoryEvents: SHORT_RUN_EVENTS });
await gateway.open();
await shortRuns.open();
try {
  mkdirSync(folder, { recursive: true });
  for (const [name, live] of missing) {
    const handle = await live(gateway, shortRuns);
    const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(withoutMachine(history), null, 1)}\n`);
    console.log(`${release}/${name}.json`);
  }
} finally {
  for (const one of [gateway, shortRuns]) {
    one.world.heal();
    await one.close();
  }
}

/** Without traces of the recording machine: replay reads neither stack traces nor the workers' names. */
function withoutMachine(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMachine);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (key === 'stackTrace') return [key, ''];
    return [key, key === 'identity' || key === 'lastWorkerIdentity' ? 'recorder' : withoutMachine(inner)];
  });
  return Object.fromEntries(entries);
}
