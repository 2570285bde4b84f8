// GET /docs, unsigned and outside /v1: the documentation site, and the API reference.
import { problem } from '../../contract/http/errors.js';
import { type RequestContext, headerOf, type Middleware } from '../middleware/request.js';
import { replyOfProblem, send } from '../middleware/reply.js';
import type { ReferenceFile, ReferencePage } from './files.js';
import type { Site, SiteFile } from './site.js';

/** Same origin only, no inline code but the styles and the scripts of the build, no framing. */
function securityHeaders(scripts: readonly string[]) {
  const known = scripts.map((digest) => ` '${digest}'`).join('');
  return {
    'Content-Security-Policy':
      `default-src 'none'; script-src 'self'${known}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
      "font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * Answers GET of the files: of the site where it is built, otherwise of the reference. Any other path under /docs is
 * 404.
 */
export function reference(page: ReferencePage | undefined, site: Site | undefined, docsUrl: string): Middleware {
  return async (context, next) => {
    const path = (context.req.url ?? '').split('?', 1)[0] ?? '';
    if (path !== '/docs' && !path.startsWith('/docs/')) return next();
    const isRead = context.method === 'GET';
    const found = isRead ? site?.find(path) : undefined;
    if (found !== undefined && (await sendOfSite(context, found, site?.scripts() ?? []))) return;
    const file = isRead ? page?.get(path) : undefined;
    if (file === undefined) send(context, replyOfProblem(problem('not_found'), context.state.traceId, docsUrl));
    else sendFile(context, file);
  };
}

const isPacked = (context: RequestContext) => /\bgzip\b/.test(headerOf(context, 'accept-encoding') ?? '');

/** False when another build has just replaced the file. */
async function sendOfSite(context: RequestContext, file: SiteFile, scripts: readonly string[]): Promise<boolean> {
  const { contentType, etag, isCompressed, isImmutable, read } = file;
  const caching = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  const isUnchanged = headerOf(context, 'if-none-match') === etag;
  const packed = isCompressed && isPacked(context);
  const body = isUnchanged ? undefined : await read(packed);
  if (!isUnchanged && body === undefined) return false;
  context.set({ ...securityHeaders(scripts), 'Cache-Control': caching, ETag: etag, Vary: 'Accept-Encoding' });
  if (isUnchanged) {
    context.status = 304;
    return true;
  }
  if (packed) context.set('Content-Encoding', 'gzip');
  context.type = contentType;
  context.body = body;
  return true;
}

function sendFile(context: RequestContext, { contentType, body, gzipped, etag }: ReferenceFile): void {
  context.set({ ...securityHeaders([]), 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (headerOf(context, 'if-none-match') === etag) {
    context.status = 304;
    return;
  }
  const packed = isPacked(context);
  if (packed) context.set('Content-Encoding', 'gzip');
  context.type = contentType;
  context.body = packed ? gzipped : body;
}
