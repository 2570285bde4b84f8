// The documentation site: every page of docs/ is on it or left out by name, both languages are complete or the lack is
// written down, no translation is silently behind, and every link and anchor leads somewhere.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '../../contract/http/errors.js';
import { DEPOSIT_TRANSITIONS } from '../../domain/payments/deposit.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/payments/withdrawal.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { anchorOf } from '../../tools/docs/site/anchors.js';
import { nameOfError } from '../../tools/docs/site/error-pages.js';
import { addressOf, SITE_DOWNLOADS } from '../../tools/docs/site/links.js';
import { withTabs } from '../../tools/docs/site/markdown.js';
import {
  type Audience,
  GENERATED_PAGES,
  inLanguage,
  LANGUAGES,
  NOT_ON_THE_SITE,
  SITE_PAGES,
} from '../../tools/docs/site/pages.js';
import { digestOfError, PORTUGUESE_ERRORS } from '../../tools/docs/site/portuguese/errors.js';
import { digestOfVerdicts, VERDICTS_OF } from '../../tools/docs/site/portuguese/verdicts.js';
import { stagedPages } from '../../tools/docs/site/stage.js';
import { statesPage } from '../../tools/docs/site/states-page.js';
import {
  BEHIND,
  compareSections,
  nameOfSection,
  translatedPage,
  generatedTablesOf,
} from '../../tools/docs/site/translations.js';
import { untranslatedCells } from '../../tools/docs/site/portuguese/tables.js';
import { withoutCodeBlocks } from './pages.js';

const ROOT = projectRoot();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
const codeBlocks = (page: string) => [...page.matchAll(/^```\w+\n[\s\S]*?^```$/gm)].map(([block]) => block);

describe('the pages of the documentation site', () => {
  const translations = SITE_PAGES.flatMap(({ source, portuguese }) =>
    'source' in portuguese ? [{ source, translated: portuguese.source }] : [],
  );

  it('are all pages of docs/, but for folders that are left out by name', () => {
    const written = pagesIn('docs').filter(
      (page) => !Object.keys(NOT_ON_THE_SITE).some((folder) => page.startsWith(`${folder}/`)),
    );
    const listed = [...SITE_PAGES.map(({ source }) => source), ...translations.map(({ translated }) => translated)];
    assert.deepEqual(written.sort(), listed.filter((page) => page.startsWith('docs/')).sort());
    assert.deepEqual(
      listed.filter((page) => !existsSync(join(ROOT, page))),
      [],
    );
  });

  it('have an address each', () => {
    const paths = [...SITE_PAGES, ...GENERATED_PAGES].map(({ path }) => path);
    assert.equal(new Set(paths).size, paths.length);
  });

  it('exist in Portuguese, or say why not: what an integrator reads does', () => {
    for (const { portuguese } of SITE_PAGES)
      if (!('source' in portuguese)) assert.ok(portuguese.englishOnly.length > 20);
    const needed = ['quickstart', 'concepts', 'integrating', 'webhooks', 'sandbox-recipes'];
    assert.deepEqual(
      needed.filter((name) => !existsSync(join(ROOT, 'docs', 'pt-BR', `${name}.md`))),
      [],
    );
  });

  it('name the English text that each section translates; what is behind is listed', () => {
    const found: string[] = [];
    const said: string[] = [];
    for (const { source, translated } of translations) {
      const sections = compareSections(read(source), read(translated));
      assert.ok(sections, `${translated} has not the sections of ${source}`);
      for (const section of sections)
        if (section.named !== section.digest) {
          found.push(nameOfSection(translated, section));
          said.push(`${nameOfSection(translated, section)}: translate it, and write <!-- of: ${section.digest} -->`);
        }
    }
    for (const code of ERROR_CODES)
      if (PORTUGUESE_ERRORS[code].of !== digestOfError(code)) {
        found.push(nameOfError(code));
        said.push(`${nameOfError(code)}: translate it, and write of: '${digestOfError(code)}'`);
      }
    assert.deepEqual(found.sort(), [...BEHIND].sort(), `${said.join('\n')}\nor list it in BEHIND`);
    assert.equal(VERDICTS_OF, digestOfVerdicts(), 'translate tools/docs/site/portuguese/verdicts.ts again');
  });

  it('translate every cell of the tables that are generated', () => {
    for (const { source } of translations)
      assert.deepEqual(generatedTablesOf(read(source)).flatMap(untranslatedCells), [], source);
    assert.deepEqual(untranslatedCells('| code | nobody translated this |\n| --- | --- |\n| `x` | 409 `y` |'), [
      'nobody translated this',
    ]);
  });

  it('have the same code in both languages', () => {
    for (const { source, translated } of translations) {
      const english = codeBlocks(read(source).replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated:.*/g, ''));
      // A name in an example may be translated.
      assert.deepEqual(
        codeBlocks(read(translated)).map((block) => block.replaceAll('Minha loja', 'My shop')),
        english,
        translated,
      );
    }
  });

  it('show tables that are generated, also in a translation, and a note where it is behind', () => {
    const english = '# A\n\n## B\n\n<!-- generated:t -->\n| withdrawal |\n<!-- /generated:t -->\n\ntext\n';
    const translated = '# A\n\n## B\n\n<!-- of: 00000000 -->\n\n<!-- generated:t -->\n<!-- /generated:t -->\n\ntexto\n';
    const page = translatedPage('docs/pt-BR/a.md', english, translated, '/a');
    assert.match(page, /\| saque \|/);
    assert.doesNotMatch(page, /generated|of:/);
  });
});

for (const audience of ['operators', 'staff'] satisfies Audience[]) {
  describe(`the site for ${audience}`, () => {
    let pages: Awaited<ReturnType<typeof stagedPages>>;
    before(async () => {
      pages = await stagedPages(audience, '/v1/openapi.yaml');
    });

    it('has the catalogue of errors and the states in both languages', () => {
      for (const language of LANGUAGES)
        for (const path of ['index', 'states', 'errors', ...ERROR_CODES.map((code) => `errors/${code}`)])
          assert.ok(pages.has(inLanguage(language, path)), `${language} ${path}`);
    });

    it('has links that lead to its pages, and to headings of theirs', () => {
      const anchors = (text: string) =>
        new Set([...withoutCodeBlocks(text).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));
      const broken: string[] = [];
      for (const [path, { text, source = '' }] of pages) {
        const prose = withoutCodeBlocks(text).replaceAll(/`[^`\n]*`/g, '');
        for (const [, target = ''] of prose.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g)) {
          const address = addressOf(target, source, audience);
          if (address === undefined || /^[a-z]+:|^\/v1\//.test(address)) continue;
          if (SITE_DOWNLOADS.has(address)) continue;
          const [page = '', anchor] = address.split('#');
          const leadsTo = page === '' ? text : pages.get(page.slice(1))?.text;
          if (leadsTo === undefined || (anchor !== undefined && !anchors(leadsTo).has(anchor)))
            broken.push(`${path}: ${target}`);
        }
      }
      assert.deepEqual(broken, []);
    });

    it(`${audience === 'staff' ? 'has' : 'has nothing of'} the handbook`, () => {
      const isThere = audience === 'staff';
      for (const path of ['operating', 'running', 'security']) assert.equal(pages.has(path), isThere, path);
      const whole = [...pages.values()].map(({ text }) => text).join('');
      assert.equal(whole.includes('# Threat model'), isThere);
    });
  });
}

describe('the site’s diagrams of states', () => {
  it('name every trigger of the tables', async () => {
    const page = await statesPage('en');
    const pictures = [...page.matchAll(/<svg[\s\S]*?<\/svg>/g)].map(([picture]) => picture);
    assert.equal(pictures.length, 2);
    for (const [picture = '', transitions] of [
      [pictures[0], DEPOSIT_TRANSITIONS],
      [pictures[1], WITHDRAWAL_TRANSITIONS],
    ] as const)
      for (const [trigger, { from, to }] of Object.entries(transitions))
        for (const name of [trigger, ...from, to]) assert.match(picture, new RegExp(`> ?${name} ?<`), name);
  });
});

describe('samples in several languages', () => {
  it('become tabs when they follow each other', () => {
    const samples = 'Node.js\n\n```js\n1\n```\n\nPython\n\n```python\n2\n```\n\nEnd.\n';
    assert.equal(
      withTabs(samples),
      '::: code-group\n\n```js [Node.js]\n1\n```\n\n```python [Python]\n2\n```\n\n:::\n\nEnd.\n',
    );
    assert.equal(withTabs('Python\n\n```python\n2\n```\n\nEnd.\n'), 'Python\n\n```python\n2\n```\n\nEnd.\n');
  });
});
