// The page's files, read once at the start: any other path is a 404. Names with a hash never change, so browsers keep
// them; index.html is requested each time.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { PANEL_API } from '../contract/panel/route.js';
import { contentSecurityPolicy, newNonce } from './middleware/headers.js';
import type { Middleware, RequestContext } from './request.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Compressed forms, by the ending that the build gives them, the best first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

const HASHED = /[-.][A-Za-z0-9]{8,}\.[a-z0-9]+$/;
const INDEX = '/index.html';
/** The placeholder in index.html for the nonce of styles that the page's code adds. */
const NONCE_PLACE = '__CSP_NONCE__';

export type PageFiles = ReadonlyMap<string, Buffer>;

/** The files by their path from `/`; empty without a build. */
export function loadPage(folder: string): PageFiles {
  const files = new Map<string, Buffer>();
  for (const entry of entriesOf(folder)) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(folder, file).split(sep).join('/')}`, readFileSync(file));
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Serves the page: its files, and index.html for every path of the page itself. */
export function page(files: PageFiles): Middleware {
  return async (context, next) => {
    if (context.path === PANEL_API || context.path.startsWith(`${PANEL_API}/`)) return next();
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.status = 405;
      return;
    }
    const type = TYPES[extname(context.path)];
    if (type !== undefined && context.path !== INDEX) return serveFile(context, files, type);
    // Paths of the page have no dot.
    if (context.path !== INDEX && context.path.includes('.')) {
      context.status = 404;
      return;
    }
    serveIndex(context, files.get(INDEX));
  };
}

function serveFile(context: RequestContext, files: PageFiles, type: string): void {
  const whole = files.get(context.path);
  if (whole === undefined) {
    context.status = 404;
    return;
  }
  context.set('Cache-Control', HASHED.test(context.path) ? 'public, max-age=31536000, immutable' : 'no-cache');
  context.vary('Accept-Encoding');
  const accepted = ENCODINGS.find(
    ({ name, ending }) => files.has(context.path + ending) && context.acceptsEncodings(name) === name,
  );
  if (accepted !== undefined) context.set('Content-Encoding', accepted.name);
  context.body = accepted === undefined ? whole : files.get(context.path + accepted.ending);
  context.set('Content-Type', type);
}

function serveIndex(context: RequestContext, index: Buffer | undefined): void {
  context.set('Cache-Control', 'no-store');
  if (index === undefined) {
    context.status = 404;
    context.body = 'The page is not built; the interface under /api works.\n';
    return;
  }
  const nonce = newNonce();
  context.set('Content-Security-Policy', contentSecurityPolicy(nonce));
  context.body = index.toString('utf8').replaceAll(NONCE_PLACE, nonce);
  context.set('Content-Type', TYPES['.html'] ?? '');
}
