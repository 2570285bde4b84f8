// Tools that are built once: kept, made again when damaged, never made twice at the same time, and chosen in the
// documented order.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cachedTool } from '../../../tools/bootstrap/tool-cache.mjs';
import type { CachedToolSpec } from '../../../tools/bootstrap/tool-cache.mjs';
import { resolveTemporalCli } from '../../../tools/servers/temporal-cli.js';
import { findOnPath, isExecutable, outputOf } from '../../../tools/bootstrap/programs.mjs';

function writeScript(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

describe('tools', () => {
  let folder: string;
  let environment: Record<string, string>;
  let made: number;
  let spec: CachedToolSpec;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-tools-'));
    environment = { XDG_CACHE_HOME: folder, PATH: '/usr/bin:/bin' };
    made = 0;
    spec = {
      name: 'tool',
      version: '1',
      executable: 'tool',
      runs: (path) => outputOf(path, []) !== undefined,
      make: async (into) => {
        made += 1;
        await sleep(50);
        writeScript(join(into, 'tool'), 'exit 0');
        return 'made here';
      },
    };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are made once, also when wanted twice at the same time', async () => {
    const [one, two] = await Promise.all([cachedTool(spec, environment), cachedTool(spec, environment)]);
    assert.equal(made, 1);
    assert.equal(one.path, two.path);
    assert.ok(isExecutable(one.path));
    assert.match((await cachedTool(spec, environment)).origin, /^made here, cached in /);
    assert.equal(made, 1);
  });

  it('are kept when only their time changed, made again when their content did', async () => {
    const { path } = await cachedTool(spec, environment);
    utimesSync(path, new Date(0), new Date(0));
    await cachedTool(spec, environment);
    assert.equal(made, 1);
    writeScript(path, 'exit 0 # damaged');
    await cachedTool(spec, environment);
    assert.equal(made, 2);
  });

  it('that do not run are refused, and tried again the next time', async () => {
    const broken = { ...spec, runs: () => false };
    await assert.rejects(cachedTool(broken, environment), { name: 'Failure', message: /does not run/ });
    await cachedTool(spec, environment);
    assert.equal(made, 2);
  });

  it('on PATH must be executable files in absolute folders', () => {
    writeFileSync(join(folder, 'plain'), '');
    writeScript(join(folder, 'script'), 'exit 0');
    assert.equal(findOnPath('plain', { PATH: folder }), undefined);
    assert.equal(findOnPath('script', { PATH: `.:${folder}` }), join(folder, 'script'));
    assert.equal(findOnPath('script', {}), undefined);
  });

  it('named in the environment come first, then those on PATH', async () => {
    writeScript(join(folder, 'temporal'), 'exit 0');
    assert.deepEqual(await resolveTemporalCli({ PATH: folder }), { path: join(folder, 'temporal'), origin: 'PATH' });
    writeScript(join(folder, 'mine'), 'exit 0');
    assert.deepEqual(await resolveTemporalCli({ PATH: folder, TEMPORAL_CLI_PATH: join(folder, 'mine') }), {
      path: join(folder, 'mine'),
      origin: 'TEMPORAL_CLI_PATH',
    });
  });
});
