// A benchmark that is interrupted or killed leaves nothing running.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../platform/config/project-root.js';
import { identifyProcess, isStillRunning } from '../../../tools/bootstrap/process-identity.mjs';
import { eventually } from '../../../lab/harness/eventually.js';

/** A stack of its own is started, and then there is much to do. */
const SIGN_OF_WORK = 'making operations';
const TIMEOUT_MS = 180_000;

function startBench(): { child: ChildProcess; output: () => string } {
  const main = pathToFileURL(join(projectRoot(), 'dist', 'lab', 'bench', 'main.js')).href;
  const program = `const { main } = await import(${JSON.stringify(main)}); process.exit(await main(['life-cycles', '--quick']));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: projectRoot(),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return { child, output: () => text };
}

/** Everything that the process has started, and what that has. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const found = [pid];
  for (const one of found) found.push(...rows.filter(([, parent]) => parent === one).map(([child]) => child));
  return found.slice(1);
}

describe('an interrupted benchmark', () => {
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const) {
    it(`${signal}: servers and the gateway's processes end with it`, async () => {
      const { child, output } = startBench();
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      await eventually(() => output().includes(SIGN_OF_WORK), 'the stack is up', TIMEOUT_MS).catch((error: unknown) =>
        assert.fail(`${String(error)}\n${output()}`),
      );
      const started = descendantsOf(child.pid as number)
        .map(identifyProcess)
        .filter((one) => one !== undefined);
      assert.ok(
        started.length >= 8,
        `api, worker, simulator, Temporal, PostgreSQL with its parts, watchdogs: ${started.length}`,
      );
      child.kill(signal);
      assert.equal(await exited, exitCode, output());
      await eventually(() => !started.some(isStillRunning), 'they have ended', 60_000).catch(() =>
        assert.fail(
          `still there: ${started
            .filter(isStillRunning)
            .map(({ pid }) => commandOf(pid))
            .join('\n')}`,
        ),
      );
    }).timeout(TIMEOUT_MS * 2);
  }
});

function commandOf(pid: number): string {
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}
