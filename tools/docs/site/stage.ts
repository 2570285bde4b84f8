// Lays out what VitePress reads: the pages of docs/ that these readers get, in both languages, and the generated ones.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { writeClientArchives } from './client-archives.js';
import { errorPages } from './error-pages.js';
import { homePage } from './home-page.js';
import { SITE_FILES } from './links.js';
import { type PageTexts, withTabs } from './markdown.js';
import { type Audience, inLanguage, isFor, LANGUAGES, SITE_PAGES } from './pages.js';
import { statesPage } from './states-page.js';
import { translatedPage } from './translations.js';
import { STAGED_TEXTS } from './vitepress.js';

export interface StageOptions {
  readonly audience: Audience;
  /** Where VitePress looks. What was there goes. */
  readonly folder: string;
  /** Where it is to write. */
  readonly outDir: string;
  /** Where the contract is served. */
  readonly contract: string;
}

const read = (file: string) => readFileSync(join(projectRoot(), file), 'utf8');

/** Nothing in the text of a page is code of the site: `{{ … }}` stays as it is. */
function asText(page: string): string {
  return `::::: v-pre\n${withTabs(page).trimEnd()}\n:::::\n`;
}

/** Generated pages may have elements of HTML. */
function asGenerated(page: string): string {
  return `---\ngenerated: true\n---\n::::: v-pre\n${page.trimEnd()}\n:::::\n`;
}

/** Where the menu of languages leads from a page that is not translated. */
const onlyInEnglish = (title: string, path: string) =>
  `# ${title}\n\nEsta página existe só em inglês: [leia em inglês](/${path}).\n`;

/** Every page by its path below the site's base, without ending, and the file of the repository that it comes from. */
export async function stagedPages(
  audience: Audience,
  contract: string,
): Promise<ReadonlyMap<string, { readonly text: string; readonly source?: string }>> {
  const pages = new Map<string, { text: string; source?: string }>();
  for (const { source, path, group, portuguese, title } of SITE_PAGES) {
    if (!isFor(audience, group)) continue;
    const english = read(source);
    pages.set(path, { text: asText(english), source });
    if ('source' in portuguese) {
      const translated = translatedPage(portuguese.source, english, read(portuguese.source), `/${path}`);
      pages.set(inLanguage('pt-BR', path), { text: asText(translated), source: portuguese.source });
    } else {
      pages.set(inLanguage('pt-BR', path), { text: asGenerated(onlyInEnglish(title['pt-BR'], path)) });
    }
  }
  for (const language of LANGUAGES) {
    const put = (path: string, text: string) => pages.set(inLanguage(language, path), { text });
    put('index', homePage(language, audience, contract));
    put('states', asGenerated(await statesPage(language)));
    for (const [path, text] of errorPages(language)) put(path, asGenerated(text));
  }
  return pages;
}

/** Writes the folder that VitePress builds. */
export async function stage({ audience, folder, outDir, contract }: StageOptions): Promise<void> {
  const pages = await stagedPages(audience, contract);
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, content: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const sourceOf: Record<string, string> = {};
  for (const [path, { text, source }] of pages) {
    write(`${path}.md`, text);
    if (source !== undefined) sourceOf[`${path}.md`] = source;
  }
  for (const images of ['images', 'panel'])
    if (existsSync(join(projectRoot(), 'docs', images)))
      cpSync(join(projectRoot(), 'docs', images), join(folder, images), { recursive: true });
  for (const [file, name] of Object.entries(SITE_FILES)) write(`public/${name}`, read(file));
  await writeClientArchives(join(folder, 'public'));
  const texts: PageTexts & { outDir: string } = { audience, sourceOf, outDir };
  write(`.vitepress/${STAGED_TEXTS}`, JSON.stringify(texts));
  const configuration = join(projectRoot(), 'dist', 'tools', 'docs', 'site', 'vitepress.js');
  write(
    '.vitepress/config.mjs',
    `import { siteConfig } from ${JSON.stringify(configuration)};\nexport default siteConfig(${JSON.stringify(folder)});\n`,
  );
  cpSync(join(projectRoot(), 'tools', 'docs', 'site', 'theme'), join(folder, '.vitepress', 'theme'), {
    recursive: true,
  });
}
