// The mutation tester's tables name what is there: an area whose files have moved would be tested by nobody.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { AREAS } from '../../../lab/mutants/areas.mjs';
import { EQUIVALENT } from '../../../lab/mutants/equivalent.mjs';

const FOLDERS = ['activities', 'api', 'client', 'contract', 'domain', 'store', 'test'];

describe('the mutation tester', () => {
  const root = projectRoot();
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );

  it('every area has sources and tests', () => {
    for (const { name, sources, tests, withoutTests = [] } of AREAS) {
      assert.ok(
        files.some((file) => sources.test(file)),
        name,
      );
      const specs = files.filter((file) => tests.test(file));
      const texts = specs.map((file) => readFileSync(join(root, file), 'utf8'));
      assert.ok(texts.length > 0, name);
      for (const title of withoutTests)
        assert.ok(
          texts.some((text) => text.includes(title)),
          title,
        );
    }
  });

  it('no file is in two areas, and every file of domain/ is in one', () => {
    const areasOf = (file: string) => AREAS.filter(({ sources }) => sources.test(file)).length;
    const stray = files.filter((file) => areasOf(file) > 1 || (file.startsWith('domain/') && areasOf(file) === 0));
    assert.deepEqual(stray, []);
  });

  it('every equivalent mutant is of text that is there', () => {
    const oneLine = (text: string) => text.replace(/\s+/g, ' ');
    const stray = Object.entries(EQUIVALENT).flatMap(([file, reasons]) => {
      const path = files.find((known) => known.endsWith(file));
      const text = path === undefined ? '' : oneLine(readFileSync(join(root, path), 'utf8'));
      const changed = Object.values(reasons).flatMap((changes) => changes.map(([from]) => from));
      return changed.filter((from) => !text.includes(from)).map((from) => `${file}: ${from}`);
    });
    assert.deepEqual(stray, []);
  });
});
