// Commands that a program runs end with it: whole, and when it says so.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../../tools/bootstrap/run-command.mjs';

const LONG = 'console.log("begun"); setTimeout(() => undefined, 60_000)';

describe('a command that is run', () => {
  let folder: string;
  const run = (program: string, signal?: AbortSignal) =>
    runCommand(process.execPath, ['-e', program], {
      logFile: join(folder, 'log'),
      timeoutMs: 30_000,
      ...(signal && { signal }),
    });

  before(() => (folder = mkdtempSync(join(tmpdir(), 'gateway-command-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('answers its exit code and its output', async () => {
    assert.deepEqual(await run('console.log("done"); process.exitCode = 3'), { code: 3, output: 'done\n' });
  });

  it('is ended early when its signal says so', async () => {
    const ending = new AbortController();
    const ended = run(LONG, ending.signal);
    while (!readFileSync(join(folder, 'log'), 'utf8').includes('begun'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    ending.abort();
    assert.deepEqual(await ended, { code: 1, output: 'begun\n' });
  });
});
