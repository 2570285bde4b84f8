// The generated parts of docs/ say what the code's tables say.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { GENERATED_SECTIONS, withSection } from '../../tools/docs/generated-sections.js';
import { pages, withoutCodeBlocks } from './pages.js';

describe('docs', () => {
  for (const { file, name, content } of GENERATED_SECTIONS) {
    it(`${file}: section "${name}" is up to date (otherwise run npm run docs)`, () => {
      const text = readFileSync(join(projectRoot(), file), 'utf8');
      assert.equal(text, withSection(text, name, content()));
    });
  }

  it('have prose of at most 120 columns, outside tables, code and what programs write', () => {
    const written = pages();
    const long = written.flatMap((page) =>
      proseOf(readFileSync(join(projectRoot(), page), 'utf8'))
        .filter((line) => line.length > 120 && canBeBroken(line))
        .map((line) => `${page}: ${line}`),
    );
    assert.ok(written.length > 40);
    assert.deepEqual(long, []);
  });

  it('docs/decisions/README.md lists every decision, in order', () => {
    const folder = join(projectRoot(), 'docs', 'decisions');
    const listed = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \[(\d{4})\]\((\1-[^)]+\.md)\) \|/gm);
    const records = readdirSync(folder).filter((name) => name !== 'README.md');
    assert.deepEqual(
      [...listed].map(([, , file]) => file),
      records.sort(),
    );
  });
});

function proseOf(page: string): string[] {
  return withoutCodeBlocks(page)
    .replace(/<!-- generated:(\S+) -->[^]*?<!-- \/generated:\1 -->/g, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('|'));
}

/** One long piece of code, such as the shape of an answer, is never broken. */
function canBeBroken(line: string): boolean {
  return /\S\s+\S/.test(line.replace(/`[^`]*`/g, '`').replace(/^\s*[*-] /, ''));
}
