// The mutation tester's tables name what is there: an area whose files have moved would be tested by nobody.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { AREAS, LEFT_OUT } from '../../../lab/mutants/areas.mjs';
import { EQUIVALENT } from '../../../lab/mutants/equivalent.mjs';
import { readMutantOptions } from '../../../lab/mutants/options.mjs';

const FOLDERS = ['activities', 'api', 'client', 'contract', 'domain', 'store', 'test'];

describe('the mutation tester', () => {
  const root = projectRoot();
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );

  for (const { name, sources, tests, withoutTests = [] } of AREAS) {
    it(`${name} has sources and tests`, () => {
      assert.notDeepEqual(
        files.filter((file) => sources.test(file)),
        [],
      );
      const specs = files.filter((file) => tests.test(file));
      assert.notDeepEqual(specs, []);
      const texts = specs.map((file) => readFileSync(join(root, file), 'utf8'));
      for (const title of withoutTests)
        assert.ok(
          texts.some((text) => text.includes(title)),
          title,
        );
    });
  }

  it('no file is in two areas', () => {
    const shared = files.filter((file) => AREAS.filter(({ sources }) => sources.test(file)).length > 1);
    assert.deepEqual(shared, []);
  });

  it('every file of domain/ is in an area', () => {
    const missing = files.filter(
      (file) => file.startsWith('domain/') && !AREAS.some(({ sources }) => sources.test(file)),
    );
    assert.deepEqual(missing, []);
  });

  it('what is left out is there', () => {
    for (const { file } of LEFT_OUT)
      assert.ok(
        files.some((path) => file.test(path)),
        file.source,
      );
  });

  it('every equivalent mutant is of text that is there', () => {
    const oneLine = (text: string) => text.replace(/\s+/g, ' ');
    const stray = EQUIVALENT.filter(({ file, from }) => {
      const path = files.find((known) => known.endsWith(file));
      return path === undefined || !oneLine(readFileSync(join(root, path), 'utf8')).includes(from);
    });
    assert.deepEqual(
      stray.map(({ file, from }) => `${file}: ${from}`),
      [],
    );
  });

  it('reads what it is asked for, and names the option that it does not know', () => {
    assert.deepEqual(readMutantOptions([]), { help: false, report: false, withStatic: false, minutes: 60, wanted: [] });
    assert.deepEqual(readMutantOptions(['domain', '--minutes', '5', '--static', '--report']), {
      help: false,
      report: true,
      withStatic: true,
      minutes: 5,
      wanted: ['domain'],
    });
    for (const minutes of ['0', '-1', '1.5', 'x'])
      assert.throws(() => readMutantOptions([`--minutes=${minutes}`]), /--minutes/);
    assert.throws(() => readMutantOptions(['--minute', '5']), /--minute/);
  });
});
