// GET /docs, unsigned and outside /v1: the API reference for people. In production it does not exist.
import { problem } from '../../contract/http/errors.js';
import { type Exchange, headerOf, type Middleware } from '../middleware/exchange.js';
import { replyOfProblem, send } from '../middleware/reply.js';
import type { ReferenceFile, ReferencePage } from './files.js';

/** Nothing from elsewhere, nothing inline but the styles that the renderer makes, nobody's frame. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** Answers GET of the files; everything else under /docs, and all of it without a page, is 404. */
export function reference(page: ReferencePage | undefined, docsUrl: string): Middleware {
  return async (exchange, next) => {
    const path = (exchange.req.url ?? '').split('?', 1)[0] ?? '';
    if (path !== '/docs' && !path.startsWith('/docs/')) return next();
    const file = exchange.method === 'GET' ? page?.get(path) : undefined;
    if (file === undefined) send(exchange, replyOfProblem(problem('not_found'), exchange.state.traceId, docsUrl));
    else sendFile(exchange, file);
  };
}

function sendFile(exchange: Exchange, { contentType, body, gzipped, etag }: ReferenceFile): void {
  exchange.set({ ...SECURITY_HEADERS, 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (headerOf(exchange, 'if-none-match') === etag) {
    exchange.status = 304;
    return;
  }
  const packed = /\bgzip\b/.test(headerOf(exchange, 'accept-encoding') ?? '');
  if (packed) exchange.set('Content-Encoding', 'gzip');
  exchange.type = contentType;
  exchange.body = packed ? gzipped : body;
}
