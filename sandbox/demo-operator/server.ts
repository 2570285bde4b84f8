// The demo operator over HTTP: the webhook endpoint, and a local control interface for the demo.
import Router from '@koa/router';
import Koa from 'koa';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { verifyWebhook, WEBHOOK_REFUSAL_STATUS } from '../../client/index.js';
import { describe } from './fetch-back.js';
import type { FetchBack } from './fetch-back.js';
import { paymentOfEvent } from './ledger.js';
import type { IntentOutcome, Ledger } from './ledger.js';
import { readBody } from './read-body.js';
import { intentSchema } from './records.js';
import type { PaymentKind } from './records.js';
import type { Connection } from './sandbox-file.js';
import { presentState } from './view.js';

export interface ServerDeps {
  readonly ledger: Ledger;
  readonly fetchBack: FetchBack;
  readonly connection: () => Promise<Connection | null>;
  readonly log: Logger;
  /** When the recovery job last ran to its end; null before. */
  readonly recoveredAt: () => string | null;
  /** Unix seconds; replaceable in tests. */
  readonly nowSeconds?: () => number;
}

// An event holds one object, at most with a QR code picture; the contract's own bodies end at 64 KiB.
const MAX_WEBHOOK_BYTES = 1024 * 1024;
const MAX_INTENT_BYTES = 16 * 1024;

const INTENT_STATUS: Record<IntentOutcome, number> = {
  recorded: 201,
  already_recorded: 200,
  differs: 409,
  insufficient_balance: 409,
};

/** The Koa application; the caller listens. */
export function createServerApp(deps: ServerDeps): Koa {
  const router = new Router({ sensitive: true, strict: true });
  router.get('/healthz', async (ctx) => {
    ctx.body = { ok: true, has_credentials: (await deps.connection()) !== null, recovered_at: deps.recoveredAt() };
  });
  router.get('/state', (ctx) => {
    ctx.body = presentState(deps.ledger.book);
  });
  router.post('/webhooks', (ctx) => receiveWebhook(ctx, deps));
  router.post('/expected-deposits', (ctx) => recordIntent(ctx, deps, 'deposit'));
  router.post('/expected-withdrawals', (ctx) => recordIntent(ctx, deps, 'withdrawal'));
  router.post('/expected-withdrawals/:external_id/release', (ctx) =>
    releaseReserve(ctx, ctx.params['external_id'] ?? '', deps),
  );

  const app = new Koa();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      // Also a journal that cannot be written ends here: a 500 makes the gateway deliver again later.
      deps.log.error({ path: ctx.path, problem: describe(error) }, 'request failed');
      refuse(ctx, 500, 'internal_error');
    }
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

/**
 * Verify, write down, answer; the fetch-back follows on its own. The gateway waits 10 s at most, so nothing slow is
 * here.
 */
async function receiveWebhook(
  ctx: Context,
  { ledger, fetchBack, connection, log, nowSeconds }: ServerDeps,
): Promise<void> {
  const rawBody = await readBody(ctx.req, MAX_WEBHOOK_BYTES);
  if (!rawBody) return refuse(ctx, 413, 'too_large');
  const connected = await connection();
  // Nothing can be verified yet; the gateway delivers again.
  if (!connected) return refuse(ctx, 503, 'no_credentials_yet');

  const result = verifyWebhook(
    { headers: ctx.headers, rawBody },
    { secrets: connected.webhookSecrets, nowSeconds: nowSeconds?.() ?? Math.floor(Date.now() / 1000) },
  );
  if (!result.ok) {
    log.warn({ refusal: result.refusal }, 'webhook refused');
    return refuse(ctx, WEBHOOK_REFUSAL_STATUS[result.refusal], result.refusal);
  }
  const isNew = ledger.receive(result.event, 'webhook');
  log.info(
    { event_id: result.event.id, type: result.event.type, object_id: result.event.object_id, is_new: isNew },
    'webhook received',
  );
  const reference = paymentOfEvent(result.event);
  if (reference && ledger.isBehind(reference.id)) fetchBack.request(reference);
  ctx.body = { received: true, duplicate: !isNew };
}

async function recordIntent(ctx: Context, { ledger }: ServerDeps, kind: PaymentKind): Promise<void> {
  // A web page of another origin can post plain text to localhost, but not JSON.
  if (!ctx.is('application/json')) return refuse(ctx, 415, 'json_only');
  const rawBody = await readBody(ctx.req, MAX_INTENT_BYTES);
  if (!rawBody) return refuse(ctx, 413, 'too_large');
  const parsed = intentSchema.safeParse(parseJson(rawBody));
  if (!parsed.success) return refuse(ctx, 400, `invalid: ${parsed.error.issues[0]?.path.join('.') || 'body'}`);
  const outcome = ledger.intend(kind, parsed.data);
  ctx.status = INTENT_STATUS[outcome];
  ctx.body = { outcome };
}

/** Gives a reserve back after a refusal, but only once the gateway itself lists no withdrawal under the external id. */
async function releaseReserve(ctx: Context, externalId: string, { ledger, connection }: ServerDeps): Promise<void> {
  if (!ctx.is('application/json')) return refuse(ctx, 415, 'json_only');
  const connected = await connection();
  if (!connected) return refuse(ctx, 503, 'no_credentials_yet');
  const { body: page } = await connected.gateway.listWithdrawals({ external_id: externalId, limit: 1 });
  if (page.data.length > 0) return refuse(ctx, 409, 'the_gateway_has_this_withdrawal');
  if (!ledger.release(externalId)) return refuse(ctx, 409, 'no_open_reserve');
  ctx.body = { outcome: 'released' };
}

function refuse(ctx: Context, status: number, error: string): void {
  ctx.status = status;
  ctx.body = { error };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
