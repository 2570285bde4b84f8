// Builds the site: stages its pages, lets VitePress make files of them, and lists the files for the api.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vitepress';
import { referencePage } from '../../../api/reference/files.js';
import { SITE_LIST, type SiteList } from '../../../api/reference/site.js';
import { openApiYaml } from '../../../contract/http/openapi.js';
import { ROUTES } from '../../../contract/http/routes.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { BASE } from './links.js';
import type { Audience } from './pages.js';
import { stage } from './stage.js';

export interface BuildOptions {
  readonly audience: Audience;
  /** A folder for any web server, with the API reference in it; otherwise what the api serves. */
  readonly standalone?: string | undefined;
}

/** Larger files would be held in memory for each reader. */
const LARGEST_FILE_BYTES = 8 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.yaml': 'application/yaml; charset=utf-8',
  '.gz': 'application/gzip',
};
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.svg', '.yaml']);

const inDist = (...path: string[]) => join(projectRoot(), 'dist', ...path);

/** Builds it unless nothing has changed since it was last built. Says whether it did. */
export async function buildSite({ audience, standalone }: BuildOptions): Promise<'built' | 'unchanged'> {
  const staged = inDist('site-pages');
  const target = standalone ?? inDist('site');
  const next = standalone ?? inDist('site-next');
  // Links below the site's base are written without it.
  const contract = standalone === undefined ? '/v1/openapi.yaml' : '/openapi.yaml';
  await stage({ audience, folder: staged, outDir: next, contract });
  const digest = digestOf(staged);
  const stamp = inDist('site', '.made-of');
  if (standalone === undefined && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return 'unchanged';
  await build(staged, { logLevel: 'warn' } as never);
  if (standalone === undefined) {
    writeFileSync(join(next, SITE_LIST), JSON.stringify(listed(next)));
    writeFileSync(join(next, '.made-of'), digest);
    rmSync(target, { recursive: true, force: true });
    renameSync(next, target);
  } else {
    addReference(standalone, `${BASE}openapi.yaml`);
  }
  return 'built';
}

/** Everything that the files depend on: the pages, the configuration, the theme and the generator's version. */
function digestOf(staged: string): string {
  const hash = createHash('sha256').update(
    readFileSync(join(projectRoot(), 'node_modules', 'vitepress', 'package.json')),
  );
  const own = inDist('tools', 'docs', 'site');
  for (const folder of [staged, own])
    for (const file of filesOf(folder)) hash.update(`\0${relative(folder, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${sep}cache${sep}`))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The addresses of a file: a page has none of its ending. */
function addressesOf(path: string): readonly string[] {
  if (!path.endsWith('.html')) return [`${BASE}${path}`];
  const page = path.replace(/\.html$/, '');
  if (page === 'index') return [BASE.slice(0, -1), BASE];
  return page.endsWith('/index')
    ? [`${BASE}${page.replace(/\/index$/, '')}`, `${BASE}${page.replace(/index$/, '')}`]
    : [`${BASE}${page}`];
}

/** What the api may serve, and the digests of the inline scripts that the pages have. */
function listed(folder: string): SiteList {
  const files: Record<string, SiteList['files'][string]> = {};
  const scripts = new Set<string>();
  for (const file of filesOf(folder)) {
    const path = relative(folder, file).split(sep).join('/');
    const type = TYPES[extname(path)];
    if (path === '404.html' || path === SITE_LIST || type === undefined) continue;
    const content = readFileSync(file);
    if (content.length > LARGEST_FILE_BYTES) throw new Error(`${path} has ${content.length} bytes`);
    if (extname(path) === '.html')
      for (const [, script = ''] of content.toString().matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g))
        scripts.add(`sha256-${createHash('sha256').update(script).digest('base64')}`);
    const isCompressed = COMPRESSED.has(extname(path));
    if (isCompressed) writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    const etag = createHash('sha256').update(content).digest('hex').slice(0, 32);
    for (const address of addressesOf(path)) files[address] = { file: path, type, etag, gzip: isCompressed };
  }
  return { files, scripts: [...scripts].sort() };
}

/** The API reference as files, and the contract of a sandbox. */
function addReference(folder: string, contract: string): void {
  const renderer = readFileSync(inDist('api-reference', 'redoc.js'));
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [address, { body }] of referencePage(renderer, contract)) {
    const path = address.slice(BASE.length);
    if (address === `${BASE}reference`) put('reference.html', body);
    else if (path !== '' && !path.startsWith('errors/')) put(path, body);
  }
  put('openapi.yaml', openApiYaml(ROUTES, { environment: 'sandbox' }));
}

/** How much the site takes. */
export function sizeOf(folder: string): { readonly files: number; readonly bytes: number } {
  const files = filesOf(folder);
  return { files: files.length, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) };
}
