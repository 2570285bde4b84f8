// Step 7: the panel's page for browsers: one script, one style sheet and the script of the shared connection, named by
// their hashes and compressed ahead. Types are checked elsewhere (`npm run typecheck`, `npm test`).
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { hashFiles, isStamped, listFiles, writeStamp } from './stamp.mjs';
import { inRoot, root } from './root.mjs';
import { step } from './progress.mjs';

const SOURCES = inRoot('panel', 'web');
const TARGET = inRoot('dist', 'panel', 'web');
const STAMP = inRoot('dist', '.page-by-bootstrap');
/** What the page takes from other folders: types, and tables of the domain. */
const SHARED = [inRoot('package-lock.json'), inRoot('tools/bootstrap/page.mjs')];
const COMPRESSED = /\.(js|css|svg)$/;

/** Builds the page unless it is as its sources are. */
export async function ensurePage() {
  const sources = [SOURCES, inRoot('domain')].flatMap((folder) => listFiles(folder, () => true));
  const hash = hashFiles([...sources, ...SHARED], root);
  if (isStamped(STAMP, hash) && existsSync(join(TARGET, 'index.html'))) return;
  await step('building the panel’s page', buildPage);
  writeStamp(STAMP, hash);
}

/** Builds next to the page in use, then replaces it. */
async function buildPage() {
  const folder = `${TARGET}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const live = await bundle(folder, 'live', join(SOURCES, 'api', 'live-worker.ts'), {});
  const app = await bundle(folder, 'app', join(SOURCES, 'main.tsx'), {
    __LIVE_WORKER__: JSON.stringify(`/${live.script}`),
  });
  const icon = named('icon', '.svg', readFileSync(join(SOURCES, 'icon.svg')));
  writeFileSync(join(folder, icon.name), icon.content);
  const index = readFileSync(join(SOURCES, 'index.html'), 'utf8')
    .replace('%SCRIPT%', `/${app.script}`)
    .replace('%STYLE%', `/${app.style}`)
    .replace('%ICON%', `/${icon.name}`);
  writeFileSync(join(folder, 'index.html'), index);
  for (const file of listFiles(folder, (name) => COMPRESSED.test(name))) compress(file);
  rmSync(TARGET, { recursive: true, force: true });
  renameSync(folder, TARGET);
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} entry
 * @param {Record<string, string>} define
 * @returns {Promise<{ script: string, style: string }>} the names of what was written
 */
async function bundle(folder, name, entry, define) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    entryPoints: { [name]: entry },
    outdir: folder,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"', ...define },
  });
  const written = Object.keys(metafile.outputs).map((file) => basename(file));
  return {
    script: written.find((file) => file.endsWith('.js')) ?? '',
    style: written.find((file) => file.endsWith('.css')) ?? '',
  };
}

/**
 * @param {string} name
 * @param {string} ending
 * @param {Buffer} content
 */
function named(name, ending, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12).toUpperCase();
  return { name: `${name}-${hash}${ending}`, content };
}

/** @param {string} file */
function compress(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  // The best quality takes three seconds and saves two per cent.
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
}
