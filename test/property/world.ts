// The whole pipeline over the real table of routes, with handlers that only note what they were given; many keys and
// addresses, so that no rate is met by chance.
import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type ErrorCode, REASONS } from '../../contract/http/errors.js';
import type { RouteHandler, RouteRequest } from '../../contract/http/route.js';
import { ROUTES } from '../../contract/http/routes.js';
import {
  type Answer,
  DOCS_URL,
  type Key,
  type Pipeline,
  type Signed,
  startPipeline,
} from '../integration/api-pipeline/harness.js';

/** Where the test says which address a request comes from. */
export const ADDRESS_HEADER = 'x-client-address';
const KEYS = 100;
const MOST_TRIES = 4;

export interface HandlerRun {
  readonly route: string;
  readonly request: RouteRequest;
}

export interface World {
  readonly pipeline: Pipeline;
  /** Signs and sends with the address and key of its turn. @returns the answer, and the handlers that ran */
  ask(signed: Signed): Promise<{ readonly answer: Answer; readonly ran: readonly HandlerRun[] }>;
  /** A key and an address, each time others. */
  turn(): { readonly key: Key; readonly address: string };
  /** What the handlers have been given since the last question. */
  taken(): readonly HandlerRun[];
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const taken: HandlerRun[] = [];
  const handlers = Object.fromEntries(
    ROUTES.map(({ name, success }) => [name, note(taken, name, Number(Object.keys(success)[0]))]),
  );
  const proxies = new BlockList();
  proxies.addAddress('127.0.0.1');
  const pipeline = await startPipeline({
    routes: ROUTES,
    handlers,
    playerLimits: {},
    edge: { proxies, header: ADDRESS_HEADER },
  });
  const keys = [pipeline.key, ...(await Promise.all(Array.from({ length: KEYS - 1 }, () => pipeline.createKey())))];
  let turns = 0;
  const turn = () => {
    turns += 1;
    return { key: keys[turns % KEYS]!, address: `10.${(turns >> 16) & 255}.${(turns >> 8) & 255}.${turns & 255}` };
  };
  const take = () => taken.splice(0);
  return {
    pipeline,
    turn,
    taken: take,
    ask: (signed) =>
      persistently(async () => {
        const { key, address } = turn();
        const answer = await pipeline.request({
          key,
          ...signed,
          headers: { ...signed.headers, [ADDRESS_HEADER]: address },
        });
        return { answer, ran: take() };
      }),
    close: () => pipeline.close(),
  };
}

/**
 * Asks again after a 503, with which a busy machine may keep Postgres from answering in time (the one 5xx that may be),
 * and after a 429, which a fast one may meet. One that comes from the request comes again.
 */
export async function persistently<Asked extends { readonly answer: Answer | undefined }>(
  ask: () => Promise<Asked>,
): Promise<Asked> {
  for (let tries = 1; ; tries += 1) {
    const asked = await ask();
    const status = asked.answer?.status;
    if ((status !== 503 && status !== 429) || tries >= MOST_TRIES) return asked;
    if (status === 429) await sleep(1_000);
  }
}

function note(taken: HandlerRun[], route: string, status: number): RouteHandler<never, never> {
  return async (request) => {
    taken.push({ route, request });
    return { status, body: {} };
  };
}

/** Never a 5xx; a refusal is problem+json of the catalogue, with the trace id of the header. Gives its code. */
export function refusalIn({ status, headers, json, text }: Answer): string | undefined {
  assert.ok(status >= 200 && status < 500, `${status} ${text}`);
  assert.match(String(headers['svc-trace-id']), /^[0-9a-f]{32}$/);
  if (status < 300) return undefined;
  const code = json?.['code'] as ErrorCode;
  assert.ok(Object.hasOwn(ERRORS, code), text);
  const { retryable } = ERRORS[code];
  const detail = json?.['detail'];
  assert.ok(typeof detail === 'string' && detail.length > 10, text);
  const expected = {
    type: `${DOCS_URL}/errors/${code}`,
    title: code,
    status,
    code,
    detail,
    trace_id: headers['svc-trace-id'],
    retryable,
  };
  const { errors, ...rest } = json as Record<string, unknown>;
  assert.deepEqual(rest, expected);
  assert.equal(headers['content-type'], 'application/problem+json');
  assert.ok(status === ERRORS[code].status || status === 413, text);
  assert.equal(code === 'validation_failed', Array.isArray(errors) && errors.length > 0 && errors.length <= 20, text);
  for (const { reason } of (errors ?? []) as { reason: string }[])
    assert.ok((REASONS as readonly string[]).includes(reason), text);
  return code;
}
