// Which tests are asked for.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { inRoot } from '../../../tools/bootstrap/root.mjs';
import { readSelection, specFilesOf } from '../../../tools/test-run/groups.js';
import { RARE_FILES, RARITIES } from '../../../tools/test-run/rare-files.js';

describe('the selection of tests', () => {
  it('runs everything, with the checks, when nothing is asked for', () => {
    const selection = readSelection([]);
    assert.equal(selection.isComplete, true);
    const names = selection.groups.map((group) => group.name);
    const folders = readdirSync(inRoot('test'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'support')
      .map(({ name }) => name);
    assert.deepEqual(
      folders.filter((folder) => !names.includes(folder)),
      [],
      'a folder of test/ that no group runs',
    );
    assert.equal(names[0], 'unit', 'the quick ones first');
  });

  it('runs the named groups and the named files; the rest goes to mocha', () => {
    const selection = readSelection(['replay', '--grep', 'late payment', './test/unit/tools/lock.spec.ts']);
    assert.deepEqual(
      selection.groups.map((group) => group.name),
      ['replay'],
    );
    assert.deepEqual(selection.files, ['test/unit/tools/lock.spec.ts']);
    assert.deepEqual(selection.mochaArguments, ['--grep', 'late payment']);
    assert.equal(selection.isComplete, false);
    assert.deepEqual(
      specFilesOf(selection).map(({ source }) => source),
      ['test/replay/replay.spec.ts', 'test/unit/tools/lock.spec.ts'],
    );
  });

  it('leaves the rare files to their own runs', () => {
    const sources = (args: string[]) => specFilesOf(readSelection(args)).map(({ source }) => source);
    const [everything, rare] = [sources([]), sources(['long', 'release'])];
    assert.deepEqual(
      everything.filter((file) => file in RARE_FILES),
      [],
    );
    assert.ok(sources(['proof']).includes('test/proof/matrix.spec.ts'), 'a group has them');
    assert.deepEqual(
      sources(['proof', '--usual']),
      everything.filter((file) => file.startsWith('test/proof/')),
    );
    // Throws for one that does not exist any more.
    assert.deepEqual(rare, Object.keys(RARE_FILES));
    for (const rarity of RARITIES)
      assert.ok(
        sources([rarity]).every((file) => RARE_FILES[file] === rarity),
        rarity,
      );
    assert.equal(readSelection(['long']).isComplete, false);
  });

  it('refuses a word that names no group', () => {
    assert.throws(() => readSelection(['unit/dev/ports']), /no group of tests "unit\/dev\/ports"/);
    assert.throws(() => readSelection(['unit', 'integratoin']), /"integratoin"/);
    assert.throws(() => readSelection(['--bail', 'unit', '--grep', 'a', 'b']), /"b"/);
  });
});
