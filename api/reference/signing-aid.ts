// `/docs/signing/…`, outside production: what the server reads of a request that is to be signed, line by line, and
// its time.
//
// Whoever is refused with `invalid_signature` sends the same request here and compares. No key is looked up and no
// signature computed: the answer is a function of the request alone, so it tells nothing about keys. An error message
// never holds the canonical request (specification, "Server verification order"); this is no error message.
import { createHash } from 'node:crypto';
import { problem } from '../../contract/http/errors.js';
import { readBody } from '../middleware/body.js';
import { bodyTooLarge } from '../middleware/checks.js';
import { nonceFault, SIGNING_AID, timestampFault } from '../middleware/credential-faults.js';
import { type Exchange, headerOf, type Middleware, targetOf } from '../middleware/exchange.js';
import { replyOfProblem, send } from '../middleware/reply.js';
import { canonicalRequest } from '../middleware/signature.js';

export interface SigningAidOptions {
  readonly environment: 'sandbox' | 'production';
  readonly docsUrl: string;
  readonly nowMs: () => number;
}

/**
 * Answers every method below `/docs/signing/` with the six lines of the path behind it; in production the path does
 * not exist.
 */
export function signingAid({ environment, docsUrl, nowMs }: SigningAidOptions): Middleware {
  return async (exchange, next) => {
    if (environment === 'production' || !targetOf(exchange).startsWith(`${SIGNING_AID}/`)) return next();
    const body = await readBody(exchange.req);
    if (body === 'aborted') {
      exchange.respond = false;
      return;
    }
    if (body === 'too_large') {
      exchange.set('Connection', 'close');
      send(exchange, replyOfProblem(bodyTooLarge(), exchange.state.traceId, docsUrl));
      return;
    }
    if (exchange.method === 'HEAD')
      send(exchange, replyOfProblem(problem('not_found'), exchange.state.traceId, docsUrl));
    else exchange.body = reading(exchange, body, nowMs());
  };
}

function reading(exchange: Exchange, body: Buffer, nowMs: number) {
  const [timestamp, nonce] = [headerOf(exchange, 'svc-timestamp'), headerOf(exchange, 'svc-nonce')];
  const target = targetOf(exchange).slice(SIGNING_AID.length);
  const line = (number: number, name: string, value: string | undefined, fault?: string) => ({
    line: number,
    name,
    value: value ?? null,
    ...(fault === undefined ? {} : { fault }),
  });
  const request = { timestamp: timestamp ?? '', nonce: nonce ?? '', method: exchange.method, target, body };
  return {
    server_time: new Date(nowMs).toISOString(),
    lines: [
      line(1, 'version', 'v1'),
      line(2, 'Svc-Timestamp', timestamp, timestampFault(timestamp, Math.floor(nowMs / 1_000))),
      line(3, 'Svc-Nonce', nonce, nonceFault(nonce)),
      line(4, 'method', exchange.method),
      line(5, 'path and query', target),
      line(6, 'SHA-256 of the body', createHash('sha256').update(body).digest('hex')),
    ],
    body_bytes: body.length,
    canonical_request: canonicalRequest(request).toString('latin1'),
  };
}
