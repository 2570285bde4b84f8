// `npm test` runs a file once more when Node itself crashed under it, and only then.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { readSelection } from '../../../tools/test-run/groups.js';
import { runFiles } from '../../../tools/test-run/run-files.js';

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

  /** Runs one file whose process writes `line` and ends in its first `crashes` runs; how often it ran, and its outcome. */
  async function runCrashing({ line, crashes }: { line: string; crashes: number }) {
    const name = join(folder, String(Math.random()));
    writeFileSync(`${name}.runs`, '');
    writeFileSync(
      `${name}.spec.mjs`,
      `import { appendFileSync, readFileSync } from 'node:fs';
       it('crashes at first', () => {
         appendFileSync('${name}.runs', 'x');
         if (readFileSync('${name}.runs', 'utf8').length > ${crashes}) return;
         process.stderr.write(${JSON.stringify(`${line}\n`)});
         process.exit(1);
       });`,
    );
    const { passed, failures } = await runFiles(
      [{ group: readSelection(['unit']).groups[0]!, path: `${name}.spec.mjs`, source: 'test/unit/crash.spec.ts' }],
      { mochaArguments: [], isVerbose: false, servers: Promise.resolve(process.env) },
      { folder, registry, onClose: () => undefined, close: () => Promise.resolve() },
    );
    const runs = readFileSync(`${name}.runs`, 'utf8').length;
    return { runs, passed, problems: failures.map(({ title }) => title) };
  }

  it('runs a file once more when Node itself crashed under it', async () => {
    assert.deepEqual(await runCrashing({ line: CRASH, crashes: 1 }), { runs: 2, passed: 1, problems: [] });
  });

  it('fails the file when Node crashes again', async () => {
    assert.deepEqual(await runCrashing({ line: CRASH, crashes: 2 }), {
      runs: 2,
      passed: 0,
      problems: ['ended without a result (exit code 1)'],
    });
  });

  it('runs no file again that ended its process by itself', async () => {
    assert.deepEqual(await runCrashing({ line: 'Error: no money', crashes: 1 }), {
      runs: 1,
      passed: 0,
      problems: ['ended without a result (exit code 1)'],
    });
  });
});
