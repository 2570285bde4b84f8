// The command as a separate process: clean output, exit codes, and an end as soon as it is done.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { withTemporal } from '../../../cli/connections/temporal.js';
import { testServers } from '../../../lab/harness/stack.js';
import { createTestGateway, type Run, type TestGateway } from './support.js';

/** Compiled or as source, as this test itself runs. */
const PROGRAM = import.meta.url.endsWith('.js')
  ? [join(import.meta.dirname, '..', '..', '..', 'cli', 'main.js')]
  : ['--import', 'tsx', join(import.meta.dirname, '..', '..', '..', 'cli', 'main.ts')];

/** Runs the process; one that does not end within 15 s is killed and has no exit code. */
async function spawnGateway(environment: NodeJS.ProcessEnv, ...argv: string[]): Promise<Run & { durationMs: number }> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [...PROGRAM, ...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    timeout: 15_000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
  const exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  return { exitCode, stdout, stderr, durationMs: Date.now() - startedAt };
}

describe('gateway as a process', function () {
  this.timeout(40_000);
  let gateway: TestGateway;
  before(async () => {
    gateway = await createTestGateway();
  });
  after(() => gateway.close());

  it('prints one JSON line and ends with 0, holding no connection', async () => {
    const { exitCode, stdout, stderr, durationMs } = await spawnGateway(
      gateway.environment,
      'operation',
      'create',
      '--name',
      'Acme',
      '--environment',
      'sandbox',
      '--provider',
      'simulator',
    );
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.match(stdout, /^\{[^\n]*\}\n$/);
    assert.ok(durationMs < 10_000, `took ${durationMs} ms: something keeps the process alive`);
  });

  it('ends with 1 and one line when refused, with 2 when called wrongly', async () => {
    const refused = await spawnGateway(gateway.environment, 'operation', 'suspend', 'op_0');
    assert.deepEqual(
      [refused.exitCode, refused.stdout, refused.stderr],
      [1, '', 'gateway: operation op_0: there is no such operation\n'],
    );
    const wrong = await spawnGateway({}, 'operation', 'list');
    assert.deepEqual([wrong.exitCode, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^gateway: [^\n]*DATABASE_URL[^\n]*\n$/);
  });

  it('minds no reader that has had enough', async () => {
    const child = spawn(process.execPath, [...PROGRAM, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
    const exitCode = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([exitCode, stderr], [0, '']);
  });

  it('an answer that could not be written is one line and exit code 1', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const full = openSync('/dev/full', 'w');
    try {
      for (const argv of [['--help'], ['operation', 'list']]) {
        const child = spawn(process.execPath, [...PROGRAM, ...argv], {
          env: { PATH: process.env['PATH'], ...gateway.environment },
          stdio: ['ignore', full, 'pipe'],
        });
        let stderr = '';
        child.stderr?.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
        const exitCode = await new Promise((resolve) => child.on('close', resolve));
        assert.deepEqual([exitCode, stderr], [1, 'gateway: standard output cannot be written: ENOSPC\n']);
      }
    } finally {
      closeSync(full);
    }
  });

  it('says which address does not answer, without the password', async () => {
    const down = await spawnGateway(
      { ...gateway.environment, DATABASE_URL: 'postgres://gateway:hunter2@127.0.0.1:1/gateway' },
      'alerts',
    );
    assert.deepEqual([down.exitCode, down.stdout], [1, '']);
    assert.match(down.stderr, /^gateway: PostgreSQL at 127\.0\.0\.1:1\/gateway does not answer \([^\n]+\n$/);
    assert.ok(!down.stderr.includes('hunter2'));
  });

  it('says which Temporal did not answer in time', async () => {
    const { temporalAddress } = testServers();
    const asked = withTemporal({ TEMPORAL_ADDRESS: temporalAddress }, (client) =>
      client.withDeadline(Date.now() + 1, () => client.workflowService.listNamespaces({})),
    );
    await assert.rejects(asked, {
      name: 'CommandProblem',
      exitCode: 1,
      message: `Temporal at ${temporalAddress} did not answer in time; look what was done, or try again`,
    });
  });

  it('distinguishes a database that refuses from one that was not migrated', async () => {
    const other = (name: string) => {
      const url = new URL(gateway.environment['DATABASE_URL'] ?? '');
      url.pathname = name;
      return { ...gateway.environment, DATABASE_URL: url.href };
    };
    assert.match((await spawnGateway(other('/no_such_database'), 'alerts')).stderr, /refuses the connection \(3D000\)/);
    assert.match((await spawnGateway(other('/template1'), 'alerts')).stderr, /has no gateway tables/);
  });

  it('gives up on a server that accepts and never answers', async () => {
    const sockets = new Set<Socket>();
    const silent: Server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as { port: number };
    try {
      const { exitCode, stderr } = await spawnGateway(
        { ...gateway.environment, DATABASE_URL: `postgres://gateway@127.0.0.1:${port}/gateway` },
        'alerts',
      );
      assert.equal(exitCode, 1);
      assert.match(stderr, /does not answer/);
    } finally {
      sockets.forEach((socket) => socket.destroy());
      silent.close();
    }
  });
});
