// A spec file whose process ends under it has failed: it runs once, whatever ended it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { readSelection } from '../../../tools/test-run/groups.js';
import { runFiles } from '../../../tools/test-run/run-files.js';

/** Node's own last words, when it crashes. */
const CRASH = 'Error: async hook stack has become corrupted (actual: 9, expected: 4)';

describe('a run of spec files', () => {
  let folder: string;
  let registry: ProcessRegistry;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'run-files-'));
    registry = new ProcessRegistry(join(folder, 'processes.json'));
  });
  after(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is a failure of the file that its process ended, and it runs no second time', async () => {
    const name = join(folder, 'ends');
    writeFileSync(`${name}.runs`, '');
    writeFileSync(
      `${name}.spec.mjs`,
      `import { appendFileSync } from 'node:fs';
       it('ends', () => {
         appendFileSync('${name}.runs', 'x');
         process.stderr.write(${JSON.stringify(`${CRASH}\n`)});
         process.exit(1);
       });`,
    );
    const { passed, failures } = await runFiles(
      [{ group: readSelection(['unit']).groups[0]!, path: `${name}.spec.mjs`, source: 'test/unit/ends.spec.ts' }],
      { mochaArguments: [], isVerbose: false, servers: Promise.resolve(process.env) },
      { folder, registry, onClose: () => undefined, close: () => Promise.resolve() },
    );
    assert.equal(readFileSync(`${name}.runs`, 'utf8'), 'x');
    assert.deepEqual([passed, failures.map(({ title }) => title)], [0, ['ended without a result (exit code 1)']]);
  });
});
