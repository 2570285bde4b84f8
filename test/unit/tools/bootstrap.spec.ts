// Small parts of the bootstrap: the Node version, durations, and which tests are asked for.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { isSupportedNode } from '../../../tools/bootstrap/node-version.mjs';
import { formatDuration } from '../../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../../tools/bootstrap/root.mjs';
import { readSelection, specFilesOf } from '../../../tools/test-run/groups.js';
import { RARE_FILES, RARITIES } from '../../../tools/test-run/rare-files.js';

describe('bootstrap', () => {
  it('takes Node 20.19 and later', () => {
    const taken = ['20.19.0', '20.20.2', '22.0.0', '24.1.0'].filter(isSupportedNode);
    assert.deepEqual(taken, ['20.19.0', '20.20.2', '22.0.0', '24.1.0']);
    assert.deepEqual(['18.20.0', '20.18.9', '0.12.0'].filter(isSupportedNode), []);
  });

  it('writes durations as people read them', () => {
    assert.deepEqual([0.4, 340, 3_210, 99_900, 125_000].map(formatDuration), [
      '0 ms',
      '340 ms',
      '3.2 s',
      '99.9 s',
      '2 min 05 s',
    ]);
  });

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

  it('runs everything of a change and the long files at once', () => {
    const files = (args: string[]) => specFilesOf(readSelection(args)).map(({ source }) => source);
    assert.deepEqual(files(['--with-long']), [...files([]), ...files(['long'])]);
    assert.equal(readSelection(['--with-long']).isComplete, true);
  });

  it('runs a file once, also when its group is named, and by its absolute path', () => {
    const selection = readSelection(['replay', inRoot('test', 'replay', 'replay.spec.ts')]);
    assert.deepEqual(
      specFilesOf(selection).map(({ source }) => source),
      ['test/replay/replay.spec.ts'],
    );
  });

  it('refuses a file that does not exist', () => {
    assert.throws(
      () => specFilesOf(readSelection(['test/unit/nothing.spec.ts'])),
      /no spec file test\/unit\/nothing\.spec\.ts/,
    );
  });

  it('refuses a word that names no group', () => {
    assert.throws(() => readSelection(['unit/dev/ports']), /no group of tests "unit\/dev\/ports"/);
    assert.throws(() => readSelection(['unit', 'integratoin']), /"integratoin"/);
    assert.throws(() => readSelection(['--bail', 'unit', '--grep', 'a', 'b']), /"b"/);
  });
});
