// Check 1: a body over 64 KiB is refused before anything else, without buffering it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../platform/http/body.js';
import { BODY_LIMIT_BYTES } from './limits.js';
import { bodyTooLarge } from './checks.js';
import type { RequestContext, Middleware } from './request-context.js';
import { type Reply, replyOfProblem } from './reply.js';

/** How long to drain a refused body, so that the client can read the answer. */
const DRAIN_MS = 3_000;

/** Reads the raw body into the state, or answers 413 and closes the connection. */
export function receiveBody(docsUrl: string): Middleware {
  return async (context, next) => {
    const body = await readBody(context.req, BODY_LIMIT_BYTES);
    if (body === 'aborted') {
      // The client has disconnected.
      context.respond = false;
      return;
    }
    if (body === 'too_large') {
      await refuseAndClose(context, replyOfProblem(bodyTooLarge(), context.state.traceId, docsUrl));
      return;
    }
    context.state.body = body;
    await next();
  };
}

/** Sends the answer at once and closes after the client stops sending: closing earlier would reset the connection. */
async function refuseAndClose(context: RequestContext, reply: Reply): Promise<void> {
  const { req, res } = context;
  context.respond = false;
  context.status = reply.status;
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
