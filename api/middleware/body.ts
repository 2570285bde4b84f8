// Check 1: a body over 64 KiB is refused before anything else, with flat memory.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_LIMIT_BYTES } from './limits.js';
import { bodyTooLarge } from './checks.js';
import type { Exchange, Middleware } from './exchange.js';
import { type Reply, replyOfProblem } from './reply.js';

/** How long the rest of a refused body is read and thrown away, so that the client gets to read the answer. */
const DRAIN_MS = 3_000;

/** Reads the raw body into the state, or answers 413 and ends the connection. */
export function receiveBody(docsUrl: string): Middleware {
  return async (exchange, next) => {
    const body = await readBody(exchange.req);
    if (body === 'aborted') {
      // Nobody is there to be answered; server.ts said what could be said.
      exchange.respond = false;
      return;
    }
    if (body === 'too_large') {
      await refuseAndClose(exchange, replyOfProblem(bodyTooLarge(), exchange.state.traceId, docsUrl));
      return;
    }
    exchange.state.body = body;
    await next();
  };
}

/** The body's bytes; reading stops at the limit, whatever Content-Length said. */
export function readBody(
  request: IncomingMessage,
  limitBytes = BODY_LIMIT_BYTES,
): Promise<Buffer | 'too_large' | 'aborted'> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | 'too_large' | 'aborted') => {
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
      else {
        request.pause();
        settle('too_large');
      }
    };
    const onEnd = () => settle(Buffer.concat(chunks, size));
    const onClose = () => settle('aborted');
    request
      .on('data', onData)
      .on('end', onEnd)
      .on('close', onClose)
      .on('error', () => undefined);
  });
}

/** Sends the answer at once, but ends it only when the client has stopped sending: an early end would reset the connection. */
async function refuseAndClose(exchange: Exchange, reply: Reply): Promise<void> {
  const { req, res } = exchange;
  exchange.respond = false;
  exchange.status = reply.status;
  res.setHeader('Connection', 'close');
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value);
  res.setHeader('Content-Type', reply.contentType);
  res.setHeader('Content-Length', reply.body.length);
  res.write(reply.body);
  await drained(req, res);
  res.end();
}

function drained(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, DRAIN_MS);
    function done(): void {
      clearTimeout(timer);
      resolve();
    }
    request.once('end', done).once('close', done);
    response.once('close', done);
    request.resume();
  });
}
