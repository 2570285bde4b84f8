// The lock between processes: one holder at a time, and a dead holder's lock is taken over.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryLock, withLock } from '../../../tools/bootstrap/lock.mjs';
import { inRoot } from '../../../tools/bootstrap/root.mjs';

describe('lock', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-lock-'));
    file = join(folder, 'x.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is taken once, and free again after its release', () => {
    const first = tryLock(file);
    assert.ok('release' in first);
    assert.deepEqual(tryLock(file), { holder: process.pid });
    first.release();
    assert.ok('release' in tryLock(file));
  });

  it('is taken over when its process id now belongs to another process', () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, startTime: 'another time' }));
    assert.ok('release' in tryLock(file));
  });

  it('is not taken over while its holder may still be writing it, but later it is', () => {
    writeFileSync(file, '');
    assert.deepEqual(tryLock(file), { holder: 0 });
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    assert.ok('release' in tryLock(file));
  });

  it('is released when the task fails', async () => {
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.ok('release' in tryLock(file));
  });

  it('lets one process at a time in, also when all find a dead holder first', async () => {
    writeFileSync(file, JSON.stringify({ pid: 999_999_999, startTime: '1' }));
    const counter = join(folder, 'counter');
    writeFileSync(counter, '0');
    const script = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { withLock } from ${JSON.stringify(inRoot('tools', 'bootstrap', 'lock.mjs'))};
      for (let i = 0; i < 5; i++) await withLock(${JSON.stringify(file)}, async () => {
        const seen = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'));
        await new Promise((resolve) => setTimeout(resolve, 5));
        writeFileSync(${JSON.stringify(counter)}, String(seen + 1));
      });`;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }),
    );
    const codes = await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    assert.deepEqual(codes, [0, 0, 0, 0]);
    assert.equal(readFileSync(counter, 'utf8'), '20');
  });
});
