// The README leads to every place that a newcomer looks for: "where is …" in docs/architecture.md.
// Every link in the docs works.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';
import { FOLDERS } from '../../tools/layout/folders.mjs';
import { pages, withoutCodeBlocks } from './pages.js';

const ROOT = projectRoot();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The places that a newcomer must find within two hops. */
const MUST_BE_FOUND = [
  'the 300 s clock check',
  'the reason `FIRST_WITHDRAWAL`',
  'the retry schedule of webhooks',
  'the ledger movement of a refund',
  "the column of a deposit's end-to-end id",
];
/** How much of the README counts as its first screens. */
const FIRST_SCREENS_LINES = 80;

interface Place {
  readonly question: string;
  readonly file: string;
  readonly symbol: string;
}

function walk(): readonly Place[] {
  const table = /<!-- walk -->\n([\s\S]*?)<!-- \/walk -->/.exec(read('docs/architecture.md'))?.[1] ?? '';
  const rows = table
    .split('\n')
    .slice(2)
    .filter((line) => line !== '');
  return rows.map((row) => {
    const cells = /^\| (.+) \| \[(.+)\]\(\.\.\/(.+)\) \| `(.+)` \|$/.exec(row);
    assert.ok(cells, `not a row of the walk: ${row}`);
    const [, question = '', label, file = '', symbol = ''] = cells;
    assert.equal(label, file, 'the label of a link is its path');
    return { question, file, symbol };
  });
}

/** The anchor that a heading gets: lower case, spaces to hyphens, punctuation dropped. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...withoutCodeBlocks(text).matchAll(/^#+ +(.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function brokenLinks(page: string): readonly string[] {
  const text = withoutCodeBlocks(read(page)).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
    if (!existsSync(file)) return [`${page}: ${target}`];
    const isPage = statSync(file).isFile() && file.endsWith('.md');
    const isBroken = anchor !== undefined && isPage && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
    return isBroken ? [`${page}: ${target}`] : [];
  });
}

describe('where is …', () => {
  it('the README links to docs/architecture.md in its first screens', () => {
    const start = read('README.md').split('\n').slice(0, FIRST_SCREENS_LINES).join('\n');
    assert.match(start, /\]\(docs\/architecture\.md#where-is-\)/);
  });

  it('docs/architecture.md names what a newcomer looks for', () => {
    const questions = walk().map(({ question }) => question);
    assert.deepEqual(
      MUST_BE_FOUND.filter((question) => !questions.includes(question)),
      [],
    );
  });

  it('the tree in docs/architecture.md has every folder', () => {
    const tree = /## The tree\n\n```\n([\s\S]*?)```/.exec(read('docs/architecture.md'))?.[1] ?? '';
    const named = new Set(tree.match(/[\w-]+/g));
    const isLeftOut = (folder: string) => ['prisma/generated', 'panel/web', 'lab/harness'].includes(folder);
    const parts = Object.keys(FOLDERS)
      .filter((folder) => !isLeftOut(folder))
      .flatMap((folder) => folder.split('/'));
    assert.deepEqual(
      parts.filter((part) => !named.has(part)),
      [],
    );
  });

  for (const { question, file, symbol } of walk()) {
    it(`${question}: ${symbol} in ${file}`, () => {
      assert.match(read(file), new RegExp(`(?<![\\w-])${symbol}(?![\\w-])`));
    });
  }
});

/** Paths from the root in backticks; without placeholders and compiled files. */
function missingPaths(page: string): readonly string[] {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const tops = folders
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.') && !['var', 'dist'].includes(name));
  const paths = [...read(page).matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  return paths
    .filter((path) => tops.includes(path.split('/')[0] ?? '') && !path.endsWith('.js'))
    .filter((path) => !existsSync(join(ROOT, path)))
    .map((path) => `${page}: ${path}`);
}

describe('links', () => {
  it('in every page lead to a file, and to a heading that exists', () => {
    assert.deepEqual(
      pages().flatMap((page) => brokenLinks(relative(ROOT, join(ROOT, page)))),
      [],
    );
  });

  it('in backticks, as paths from the root, exist', () => {
    assert.deepEqual(
      pages().flatMap((page) => missingPaths(relative(ROOT, join(ROOT, page)))),
      [],
    );
  });
});
