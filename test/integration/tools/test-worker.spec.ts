// The worker processes of `npm test`: what they report of a spec file that passes, fails, crashes or leaves a rejection
// behind.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { WorkerProcess } from '../../../tools/test-run/worker-process.js';

describe('a worker of the test run', () => {
  let folder: string;
  let registry: ProcessRegistry;
  let worker: WorkerProcess;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'test-worker-'));
    registry = new ProcessRegistry(join(folder, 'processes.json'));
  });
  beforeEach(() => {
    worker = new WorkerProcess('unit', process.env, { registry, onClose: () => undefined });
  });
  afterEach(() => worker.end());
  after(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(name: string, source: string) {
    const file = join(folder, `${name}.spec.mjs`);
    writeFileSync(file, source);
    const { report, problem, output } = await worker.run({ file, mochaArguments: [] });
    const tests = report?.tests.map(({ title, error }) => [title, error?.split('\n')[0]]);
    return { tests, problem, output };
  }

  it('reports each test of several files, and what they write', async () => {
    const first = await run(
      'first',
      `describe('a', () => { it('passes', () => console.log('hello')); it('fails', () => { throw new Error('no'); }); });`,
    );
    assert.deepEqual(first.tests, [
      ['a › passes', undefined],
      ['a › fails', 'Error: no'],
    ]);
    assert.equal(first.output, 'hello\n');
    const second = await run('second', `it('passes, too', () => undefined);`);
    assert.deepEqual(second.tests, [['passes, too', undefined]]);
  });

  it('a rejection that nobody handles fails the test that runs', async () => {
    const { tests } = await run(
      'rejection',
      `it('waits', async () => { void Promise.reject(new Error('lost')); await new Promise((go) => setTimeout(go, 50)); });
      after(() => new Promise((go) => setTimeout(go, 200)));`,
    );
    assert.deepEqual(
      tests?.map(([title, error]) => [title, /lost/.test(error ?? '')]),
      [['waits', true]],
    );
  });

  it('a file that cannot be loaded is a failure', async () => {
    const { tests } = await run('broken', `import './nothing.mjs';`);
    assert.match(tests?.[0]?.[1] ?? '', /Cannot find module/);
  });

  it('a process that ends is a problem of its file, and is not used again', async () => {
    const { tests, problem } = await run('exit', `it('ends the process', () => process.exit(7));`);
    assert.deepEqual([tests, problem], [undefined, 'ended without a result (exit code 7)']);
    assert.equal(worker.isUsable, false);
  });
});
