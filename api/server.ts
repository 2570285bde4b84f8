// The api's HTTP server: what never reaches the application is refused in the interface's shape too.
import type Koa from 'koa';
import { invalidField, type Problem, problem } from '../contract/http/errors.js';
import { type HttpFault, type RawAnswer, type RunningServer, startServer as listen } from '../platform/http/server.js';
import { BODY_LIMIT_BYTES } from './middleware/limits.js';
import { COMMON_HEADERS, replyOfProblem } from './middleware/reply.js';
import { newTraceId } from './middleware/trace.js';

export type { RunningServer } from '../platform/http/server.js';

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly docsUrl: string;
}

/** Listens; rejects with the system's error (`EADDRINUSE`) when it cannot. */
export function startServer<State>(app: Koa<State>, { docsUrl, ...place }: ServerOptions): Promise<RunningServer> {
  return listen(app, {
    ...place,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    refusalOf: (fault) => rawAnswer(PROBLEMS[fault](), docsUrl),
  });
}

const PROBLEMS: Readonly<Record<HttpFault, () => Problem>> = {
  too_slow: () => problem('service_unavailable', { retryAfterSeconds: 1 }),
  headers_too_large: () => invalidField('', 'too_large', 'the headers are over 16 KiB'),
  no_http: () => invalidField('', 'syntax', 'the request is not valid HTTP'),
  connect: () => problem('insufficient_scope'),
};

function rawAnswer(refusal: Problem, docsUrl: string): RawAnswer {
  const traceId = newTraceId();
  const { status, contentType, headers, body } = replyOfProblem(refusal, traceId, docsUrl);
  return {
    status,
    headers: { 'Svc-Trace-Id': traceId, ...COMMON_HEADERS, 'Content-Type': contentType, ...headers },
    body,
  };
}
