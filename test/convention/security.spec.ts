// docs/security.md: every line of its tables names a test that exists, by its file and a part of its title.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

const read = (path: string) => readFileSync(join(projectRoot(), path), 'utf8');
const rows = read('docs/security.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (attack|---) /.test(line));

describe('docs/security.md', () => {
  it('has lines', () => assert.ok(rows.length > 15));
  for (const row of rows) {
    const [, attack = '', , proof = ''] = row.split(' | ').length === 3 ? ['', ...row.slice(2, -2).split(' | ')] : [];
    it(attack, () => {
      const [, file, title] = /^`(test\/[\w/.-]+\.spec\.ts)` "(.+)"$/.exec(proof.trim()) ?? [];
      assert.ok(file !== undefined && title !== undefined, `names no test: ${row}`);
      assert.ok(existsSync(join(projectRoot(), file)), file);
      assert.ok(read(file).includes(title), `${file} has no test "${title}"`);
    });
  }
});
