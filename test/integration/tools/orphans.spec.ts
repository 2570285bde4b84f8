// A command that is killed leaves no process behind: its watchdog ends what it had started.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isStillRunning } from '../../../tools/bootstrap/process-identity.mjs';
import type { ProcessIdentity } from '../../../tools/bootstrap/process-identity.mjs';
import { inRoot } from '../../../tools/bootstrap/root.mjs';
import { stopLeftovers, trySignal } from '../../../tools/processes/registry.js';
import { eventually } from '../../../lab/harness/eventually.js';

// Compiled or not, as this test is.
const registryModule = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'tools',
  'processes',
  `registry${extname(import.meta.filename)}`,
);
const processModule = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'tools',
  'processes',
  `managed-process${extname(import.meta.filename)}`,
);

const PARENT = `
  import { writeFileSync } from 'node:fs';
  import { ProcessRegistry } from ${JSON.stringify(registryModule)};
  import { startProcess } from ${JSON.stringify(processModule)};
  const registry = new ProcessRegistry('processes.json');
  const idle = 'setInterval(() => {}, 1000);';
  const start = (name, code) => startProcess({ name, command: process.execPath, args: ['-e', code], env: process.env,
  cwd: process.cwd(), logFile: 'log', stopSignal: 'SIGTERM', stopTimeoutMs: 1000 }, registry);
  const polite = await start('polite', idle);
  const stubborn = await start('stubborn', "process.on('SIGTERM', () => {}); console.log('ready');" + idle);
  const ended = await start('ended', idle);
  await ended.stop();
  writeFileSync('all-started', '');
  setInterval(() => {}, 1000);
`;

/** Seconds by themselves; a busy machine takes longer. */
const ENDING_MS = 20_000;

describe('a killed command', () => {
  let folder: string;
  let parent: ProcessIdentity;
  let children: ProcessIdentity[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-orphans-'));
    writeFileSync(join(folder, 'parent.mjs'), PARENT);
    const { pid } = spawn(process.execPath, [...process.execArgv, join(folder, 'parent.mjs')], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    assert.ok(pid !== undefined);
    await eventually(
      () => existsSync(join(folder, 'all-started')) && readFileSync(join(folder, 'log'), 'utf8').includes('ready'),
      'all have started',
    );
    parent = identifyProcess(pid) as ProcessIdentity;
    // The one that was stopped in good order is not on the list any more.
    children = JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as ProcessIdentity[];
    assert.equal(children.length, 2);
  });
  afterEach(() => {
    for (const one of [parent, ...children]) if (isStillRunning(one)) trySignal(one.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('leaves nothing behind, not even a process that ignores SIGTERM', async () => {
    assert.equal(children.every(isStillRunning), true);
    trySignal(parent.pid, 'SIGKILL');
    await eventually(() => !children.some(isStillRunning), 'the children have ended', ENDING_MS);
  });

  it('is cleaned up after by the next command when its watchdog was killed too', async () => {
    killWatchdogsOf(parent.pid);
    trySignal(parent.pid, 'SIGKILL');
    await eventually(() => !isStillRunning(parent), 'the parent has ended', ENDING_MS);
    await sleep(500);
    assert.equal(children.every(isStillRunning), true);
    const stopped = await stopLeftovers(join(folder, 'processes.json'));
    assert.deepEqual(stopped.sort(), ['polite', 'stubborn']);
    await eventually(() => !children.some(isStillRunning), 'the children have ended', ENDING_MS);
    assert.equal(existsSync(join(folder, 'processes.json')), false);
  });
});

/** The watchdog is the child of ours that is not registered. Linux only, as the process list is read from /proc. */
function killWatchdogsOf(pid: number): void {
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const watchdogs = ids.filter((id) =>
    readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(inRoot('tools', 'bootstrap', 'watchdog.mjs')),
  );
  assert.equal(watchdogs.length, 1);
  for (const id of watchdogs) trySignal(id, 'SIGKILL');
}
