// `/docs/signing/…`, outside production: the six signed lines of a request as the server reads them, and its time.
//
// After an `invalid_signature`, send the same request here and compare. No key is looked up and no signature computed:
// the answer depends on the request alone and reveals nothing about keys. Error messages must not contain the canonical
// request (specification, "Server verification order"); this is a diagnostic, not an error message.
import { createHash } from 'node:crypto';
import { problem } from '../../contract/http/errors.js';
import { readBody } from '../../platform/http/request.js';
import { BODY_LIMIT_BYTES } from '../middleware/limits.js';
import { bodyTooLarge } from '../middleware/checks.js';
import { nonceFault, SIGNING_AID, timestampFault } from '../middleware/credentials.js';
import { canonicalRequest } from '../middleware/signature.js';
import { type RequestContext, headerOf, type Middleware, targetOf } from '../middleware/request.js';
import { replyOfProblem, send } from '../middleware/reply.js';

export interface SigningAidOptions {
  readonly environment: 'sandbox' | 'production';
  readonly docsUrl: string;
  readonly nowMs: () => number;
}

/**
 * Answers every method below `/docs/signing/` with the six lines of the rest of the path. In production the path does
 * not exist.
 */
export function signingAid({ environment, docsUrl, nowMs }: SigningAidOptions): Middleware {
  return async (context, next) => {
    if (environment === 'production' || !targetOf(context).startsWith(`${SIGNING_AID}/`)) return next();
    const body = await readBody(context.req, BODY_LIMIT_BYTES);
    if (body === 'aborted') {
      context.respond = false;
      return;
    }
    if (body === 'too_large') {
      context.set('Connection', 'close');
      send(context, replyOfProblem(bodyTooLarge(), context.state.traceId, docsUrl));
      return;
    }
    if (context.method === 'HEAD') send(context, replyOfProblem(problem('not_found'), context.state.traceId, docsUrl));
    else context.body = reading(context, body, nowMs());
  };
}

function reading(context: RequestContext, body: Buffer, nowMs: number) {
  const [timestamp, nonce] = [headerOf(context, 'svc-timestamp'), headerOf(context, 'svc-nonce')];
  const target = targetOf(context).slice(SIGNING_AID.length);
  const line = (number: number, name: string, value: string | undefined, fault?: string) => ({
    line: number,
    name,
    value: value ?? null,
    ...(fault === undefined ? {} : { fault }),
  });
  const request = { timestamp: timestamp ?? '', nonce: nonce ?? '', method: context.method, target, body };
  return {
    server_time: new Date(nowMs).toISOString(),
    lines: [
      line(1, 'version', 'v1'),
      line(2, 'Svc-Timestamp', timestamp, timestampFault(timestamp, Math.floor(nowMs / 1_000))),
      line(3, 'Svc-Nonce', nonce, nonceFault(nonce)),
      line(4, 'method', context.method),
      line(5, 'path and query', target),
      line(6, 'SHA-256 of the body', createHash('sha256').update(body).digest('hex')),
    ],
    body_bytes: body.length,
    canonical_request: canonicalRequest(request).toString('latin1'),
  };
}
