// Content stamps: anything that changes an input makes the step run again, nothing else does.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashFiles, isStamped, listFiles, writeStamp } from '../../../tools/bootstrap/stamp.mjs';

describe('stamp', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-stamp-'));
    mkdirSync(join(folder, 'a', 'skipped'), { recursive: true });
    writeFileSync(join(folder, 'a', 'one.ts'), '1');
    writeFileSync(join(folder, 'two.ts'), '2');
    writeFileSync(join(folder, 'two.md'), '');
    writeFileSync(join(folder, 'a', 'skipped', 'three.ts'), '3');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const files = (base = folder) => listFiles(base, (name) => name.endsWith('.ts'), new Set(['skipped']));

  it('is valid only for the hash it was written with', () => {
    const stamp = join(folder, 'new', 'stamp');
    const hash = hashFiles(files(), folder);
    assert.equal(isStamped(stamp, hash), false);
    writeStamp(stamp, hash);
    assert.equal(isStamped(stamp, hash), true);
    assert.equal(isStamped(stamp, `${hash}0`), false);
  });

  it('changes with a content, a name, a missing file and the extra', () => {
    const before = hashFiles(files(), folder);
    const seen = new Set([
      before,
      hashFiles(files(), folder, 'extra'),
      hashFiles([...files(), join(folder, 'gone.ts')], folder),
    ]);
    writeFileSync(join(folder, 'two.ts'), '22');
    seen.add(hashFiles(files(), folder));
    writeFileSync(join(folder, 'two.ts'), '2');
    writeFileSync(join(folder, 'also.ts'), '');
    seen.add(hashFiles(files(), folder));
    assert.equal(seen.size, 5);
    rmSync(join(folder, 'also.ts'));
    assert.equal(hashFiles(files(), folder), before);
  });

  it('is the same for a copy of the folder elsewhere', () => {
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    try {
      assert.equal(hashFiles(files(copy), copy), hashFiles(files(), folder));
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
