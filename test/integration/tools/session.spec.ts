// One start at a time in a folder, ended in good order however it ends: what npm start and npm run cluster share, in
// processes of their own.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { eventually } from '../../../lab/harness/eventually.js';

// Compiled or not, as this test is.
const moduleOf = (name: string) =>
  JSON.stringify(
    join(import.meta.dirname, '..', '..', '..', 'tools', 'stack', `${name}${extname(import.meta.filename)}`),
  );

interface Started {
  readonly child: ChildProcess;
  said(): string;
  ended(): Promise<number | null>;
}

describe('a session', function () {
  this.timeout(60_000);
  let folder: string;
  let count = 0;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gateway-session-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A process whose session does `work`; what it owns says when it is stopped or killed. */
  function start(work: string, { settings = '7', stop = '' } = {}): Started {
    const program = `
      const { inSession, stayWith } = await import(${moduleOf('session')});
      const { pathsBelow } = await import(${moduleOf('paths')});
      const whole = { hasStarted: true, stop: async () => { console.log('stopping'); ${stop}; console.log('stopped') },
      kill: () => console.log('killed') };
      process.exit(await inSession({ settings: () => ${settings}, paths: pathsBelow(${JSON.stringify(folder)}),
      stopRunning: process.argv.includes('--reset'), work: async (settings, own) => { ${work} } }));`;
    const file = join(folder, `${(count += 1)}.mjs`);
    writeFileSync(file, program);
    const child = spawn(process.execPath, [...process.execArgv, file], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    const end = once(child, 'close') as Promise<[number | null]>;
    return { child, said: () => text, ended: async () => (await end)[0] };
  }
  const UNTIL_INTERRUPTED = `own(whole); return stayWith([['API', 'here']]);`;
  const staying = (session: Started) => eventually(() => session.said().includes('Running until Ctrl-C.'), 'it stays');

  it('answers the exit code of its work, stops what it owns, and gives the lock back', async () => {
    for (const code of [0, 1]) {
      const session = start(`own(whole); console.log('settings', settings); return ${code};`);
      assert.equal(await session.ended(), code);
      assert.match(session.said(), /^settings 7\nstopping\nstopped\nEverything is stopped \(/);
    }
  });

  it('a failure is said and ends it in good order, with 1', async () => {
    const session = start(`own(whole); throw new Error('no such thing');`);
    assert.equal(await session.ended(), 1);
    assert.match(session.said(), /no such thing[^]*stopped/);
  });

  it('SIGTERM: stopped in good order, with 130; a second one in the meantime: at once', async () => {
    const orderly = start(UNTIL_INTERRUPTED);
    await staying(orderly);
    orderly.child.kill('SIGTERM');
    assert.equal(await orderly.ended(), 130);
    assert.match(orderly.said(), /API +here[^]*SIGTERM: stopping[^]*stopped/);

    const hasty = start(UNTIL_INTERRUPTED, { stop: 'await new Promise((resolve) => setTimeout(resolve, 30_000))' });
    await staying(hasty);
    hasty.child.kill('SIGTERM');
    await eventually(() => hasty.said().includes('stopping\n'), 'it stops');
    hasty.child.kill('SIGTERM');
    assert.equal(await hasty.ended(), 130);
    assert.match(hasty.said(), /stopping\nkilled\n$/);
  });

  it('a second session in the folder is refused while the first one runs', async () => {
    const first = start(UNTIL_INTERRUPTED);
    await staying(first);
    const second = start(UNTIL_INTERRUPTED);
    assert.equal(await second.ended(), 1);
    assert.match(second.said(), new RegExp(`A stack already runs from this folder \\(process ${first.child.pid}`));
    first.child.kill('SIGTERM');
    assert.equal(await first.ended(), 130);
  });
});
