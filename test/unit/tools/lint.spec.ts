// Lint in a test run: it runs again after any change that could change its result, and only a pass is remembered.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputsHash, LINTERS, onceFor } from '../../../tools/test-run/lint.js';

describe('lint of a test run', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-lint-'));
    for (const name of ['src', 'dist', 'node_modules']) mkdirSync(join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Which linters have another hash once this file has this content. */
  function touchedBy(file: string, content: string): string[] {
    const before = LINTERS.map((linter) => inputsHash(linter, folder));
    writeFileSync(join(folder, file), content);
    return LINTERS.filter((linter, index) => inputsHash(linter, folder) !== before[index]).map(({ name }) => name);
  }

  const PAGE = 'types of the panel’s page';
  const KNIP = 'knip (code that nothing uses)';
  for (const [file, names] of [
    ['src/a.ts', [PAGE, 'oxlint', 'oxfmt', KNIP]],
    ['.oxlintrc.json', [PAGE, 'oxlint', 'oxfmt', KNIP]],
    ['src/page.css', ['oxfmt']],
    ['docker-compose.yml', []],
    ['dist/a.ts', []],
  ] as const) {
    it(`a change of ${file}: ${names.join(' and ') || 'no linter'} again`, () => {
      assert.deepEqual(touchedBy(file, '1'), names);
      assert.deepEqual(touchedBy(file, '2'), names);
    });
  }

  it('runs once for a hash, again for another, and again after a failure', async () => {
    const ran: string[] = [];
    const cache = join(folder, 'cache', 'lint');
    const check = (hash: string, problem?: string) =>
      onceFor(hash, cache, async () => {
        ran.push(hash);
        if (problem !== undefined) throw new Error(problem);
      });
    await assert.rejects(check('first', 'a floating promise'), /a floating promise/);
    assert.equal(await check('first'), true);
    assert.equal(await check('first'), false);
    assert.equal(await check('second'), true);
    assert.equal(await check('first'), false);
    assert.deepEqual(ran, ['first', 'first', 'second']);
  });
});
