// GET /docs, unsigned and outside /v1: the API reference. In production it does not exist.
import { problem } from '../../contract/http/errors.js';
import { type RequestContext, headerOf, type Middleware } from '../middleware/request-context.js';
import { replyOfProblem, send } from '../middleware/reply.js';
import type { ReferenceFile, ReferencePage } from './files.js';

/** Same origin only, no inline code but the renderer's styles, no framing. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** Answers GET of the files. Any other path under /docs is 404. So is every path when the page was not built. */
export function reference(page: ReferencePage | undefined, docsUrl: string): Middleware {
  return async (context, next) => {
    const path = (context.req.url ?? '').split('?', 1)[0] ?? '';
    if (path !== '/docs' && !path.startsWith('/docs/')) return next();
    const file = context.method === 'GET' ? page?.get(path) : undefined;
    if (file === undefined) send(context, replyOfProblem(problem('not_found'), context.state.traceId, docsUrl));
    else sendFile(context, file);
  };
}

function sendFile(context: RequestContext, { contentType, body, gzipped, etag }: ReferenceFile): void {
  context.set({ ...SECURITY_HEADERS, 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (headerOf(context, 'if-none-match') === etag) {
    context.status = 304;
    return;
  }
  const packed = /\bgzip\b/.test(headerOf(context, 'accept-encoding') ?? '');
  if (packed) context.set('Content-Encoding', 'gzip');
  context.type = contentType;
  context.body = packed ? gzipped : body;
}
