// `npm run dev` in its own small project: a saved file is compiled, and exactly the processes that use it are
// restarted.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileFile } from '../../../tools/dev/compile.js';
import { type Program, reloadOnSave } from '../../../tools/dev/reload.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { findFreePort } from '../../../tools/processes/ports.js';
import { ProcessRegistry } from '../../../tools/processes/registry.js';
import { answersOk, Service } from '../../../tools/processes/service.js';

const SERVER = (text: string) => `
  import { createServer } from 'node:http';
  ${text}
  createServer((_, response: import('node:http').ServerResponse) => void response.end(String(WORD)))
    .listen(Number(process.env['PORT']), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
`;

describe('npm run dev', () => {
  let root: string;
  let registry: ProcessRegistry;
  let services: Record<'api' | 'worker', Service>;
  let ports: Record<'api' | 'worker', number>;
  let stopWatching: () => void;
  let printed: string[];

  const save = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const wordOf = async (name: 'api' | 'worker') => (await fetch(`http://127.0.0.1:${ports[name]}`)).text();

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'gateway-dev-'));
    save('package.json', '{"type":"module"}');
    save('domain/word.ts', "export const WORD: string = 'before';");
    save('api/main.ts', SERVER("import { WORD } from '../domain/word.js';"));
    save('worker/main.ts', SERVER("const WORD: string = 'worker';"));
    for (const file of ['domain/word.ts', 'api/main.ts', 'worker/main.ts']) compileFile(root, join(root, file));
    registry = new ProcessRegistry(join(root, 'processes.json'));
    ports = { api: await findFreePort(), worker: await findFreePort() };
    const service = (name: 'api' | 'worker') =>
      new Service(
        {
          process: {
            name,
            command: process.execPath,
            args: [join(root, 'dist', name, 'main.js')],
            env: { ...process.env, NODE_OPTIONS: '', PORT: String(ports[name]) },
            cwd: root,
            logFile: join(root, `${name}.log`),
            stopSignal: 'SIGTERM',
            stopTimeoutMs: 5_000,
          },
          isReady: () => answersOk(`http://127.0.0.1:${ports[name]}`),
          readyTimeoutMs: 15_000,
        },
        registry,
      );
    services = { api: service('api'), worker: service('worker') };
    await Promise.all([services.api.start(), services.worker.start()]);
    printed = [];
    const programs: Program[] = Object.values(services).map((one) => ({
      name: one.name,
      entries: [join(root, 'dist', one.name, 'main.js')],
      restart: async () => {
        await one.stop();
        await one.start();
      },
    }));
    const folders = ['api', 'domain', 'worker'];
    stopWatching = reloadOnSave({ root, folders, programs, print: (line) => printed.push(line) });
  });

  afterEach(async () => {
    stopWatching();
    await Promise.all([services.api.kill(), services.worker.kill()]);
    registry.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('restarts the process that imports the saved file, and no other', async () => {
    const { api, worker } = { api: services.api.pid, worker: services.worker.pid };
    save('domain/word.ts', "export const WORD: string = 'after';");
    await eventually(async () => printed.length > 0, 'a line is printed');
    assert.match(printed.join('\n'), /^ {2}↻ api restarted in .+ \(domain\/word\.ts\)$/);
    assert.equal(await wordOf('api'), 'after');
    assert.notEqual(services.api.pid, api);
    assert.equal(services.worker.pid, worker);
  });

  it('leaves everything running when the saved file has a syntax error, and restarts when that is mended', async () => {
    const before = services.api.pid;
    save('domain/word.ts', 'export const WORD = ;');
    await eventually(async () => printed.length > 0, 'the error is printed');
    assert.deepEqual(printed, ['  ✗ domain/word.ts:1:21 Expression expected.; nothing is restarted']);
    assert.equal(services.api.pid, before);
    assert.equal(await wordOf('api'), 'before');
    save('domain/word.ts', "export const WORD: string = 'mended';");
    await eventually(async () => printed.length > 1, 'the restart is printed');
    assert.equal(await wordOf('api'), 'mended');
  });
});
