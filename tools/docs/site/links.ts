// Where a link of a page leads on the site: pages link to each other as files of the repository.
import { posix } from 'node:path';
import { FOLDER_ARCHIVES, PACKAGE_ARCHIVE } from './client-archives.js';
import { type Audience, inLanguage, isFor, type Language, type SitePage, SITE_PAGES } from './pages.js';

export const BASE = '/docs/';

/** The page that is written in this file of the repository. */
function pageOfFile(file: string): { readonly page: SitePage; readonly language: Language } | undefined {
  for (const page of SITE_PAGES) {
    if (page.source === file) return { page, language: 'en' };
    if ('source' in page.portuguese && page.portuguese.source === file) return { page, language: 'pt-BR' };
  }
  return undefined;
}

/** Files of the repository that the site has beside its pages as they are, by their names there. */
export const SITE_FILES: Readonly<Record<string, string>> = { 'client/test-vectors.json': 'test-vectors.json' };

/** What the site has beside its pages, by what it is made of in the repository. */
const BESIDE_PAGES: Readonly<Record<string, string>> = {
  ...SITE_FILES,
  ...FOLDER_ARCHIVES,
  [PACKAGE_ARCHIVE.source]: PACKAGE_ARCHIVE.name,
};
/** Their addresses below the site's base. */
export const SITE_DOWNLOADS: ReadonlySet<string> = new Set(Object.values(BESIDE_PAGES).map((name) => `/${name}`));

/** Addresses that another program answers, or that a server has beside the pages. */
const OTHER_PLACES = [/^[a-z]+:/, /^#/, /^\/v1\//];

/**
 * The address below the site's base of a link in `source`, a file of the repository. Undefined where the site has no
 * such page: then the link's text remains.
 */
export function addressOf(target: string, source: string, audience: Audience): string | undefined {
  if (OTHER_PLACES.some((place) => place.test(target))) return target;
  // Links between generated pages are addresses already.
  if (target.startsWith('/')) return target;
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  if (Object.hasOwn(BESIDE_PAGES, file)) return `/${BESIDE_PAGES[file]}`;
  const found = pageOfFile(file);
  if (found === undefined || !isFor(audience, found.page.group)) return undefined;
  return `/${inLanguage(found.language, found.page.path)}${anchor === undefined ? '' : `#${anchor}`}`;
}
