// One simulated bank of API Pix, under its base path: which call leads where, and how it calls back.
import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { z } from 'zod';
import { accountRoutes } from './account.js';
import { cutConnection, SimulatorError, stayOpenInSilence, writeError } from './answers.js';
import { authenticated, certified, giveToken } from './authentication.js';
import { getCharge, listCharges, patchCharge, putCharge, servePayload } from './charges.js';
import { disputeRoutes } from './disputes.js';
import { jwksOf } from './payload.js';
import { getPayout, getPayoutByEndToEndId, listPayouts, lookUpKey, sendPayout } from './payouts.js';
import { getPix, getReversal, listReceived, putReversal } from './received.js';
import { renderPixCallback } from './render.js';
import type { ServerDialect } from './server-dialect.js';
import type { SimulatedDialect, PixApiPsp as Psp } from './simulated-dialect.js';
import { USUAL_PAUSES_MS } from './callback-format.js';

/** A provider that speaks a dialect of API Pix. */
export function pixApiServer(merchantName: string, dialect: ServerDialect): SimulatedDialect {
  return {
    merchantName,
    ...(dialect.charge.feeMinor === undefined ? {} : { feeMinor: dialect.charge.feeMinor }),
    router: (psp) => pspRouter({ ...psp, dialect }),
    pixCallback: ({ txid }, pix, { pixKey, callbackSecret }) => ({
      target: dialect.callbacks.pixTarget(callbackSecret ?? ''),
      body: renderPixCallback(dialect, txid, pixKey, pix),
    }),
    strayCallback: ({ txid, pix }, { pixKey, callbackSecret }) =>
      dialect.callbacks.reportsStaticCodes === true && txid !== null
        ? {
            target: dialect.callbacks.pixTarget(callbackSecret ?? ''),
            body: renderPixCallback(dialect, txid, pixKey, pix),
          }
        : null,
    mergeCallbacks,
    callbackPausesMs: dialect.callbacks.pausesMs ?? USUAL_PAUSES_MS,
    listsPayouts: dialect.paths.payouts !== undefined,
    payoutCallback: (payout, { pixKey, callbackSecret }) => ({
      target: dialect.callbacks.payoutTarget(callbackSecret ?? ''),
      body:
        dialect.callbacks.payoutBody?.(payout, pixKey) ?? dialect.renderPayout(payout, payout.status, 'lookup', pixKey),
    }),
    callbackHeaders: ({ callbackSecret }, body) => dialect.callbackHeaders(callbackSecret ?? '', body),
  };
}

const batch = z.looseObject({ pix: z.array(z.unknown()) });

/** One list of all their callbacks; payouts with a separate address are no part of a list. */
function mergeCallbacks(bodies: readonly object[]): object | null {
  const read = bodies.map((body) => batch.safeParse(body));
  return read.every(({ success }) => success) ? { pix: read.flatMap(({ data }) => data?.pix ?? []) } : null;
}

function pspRouter(psp: Psp): Router {
  const { dialect } = psp;
  const router = new Router({ prefix: `/${psp.provider}`, sensitive: true, strict: true });
  router.use(inDialect(dialect), duringOutage(psp), unlessToldToWait(psp));
  router.post(dialect.token.path, certified(psp), (ctx) => giveToken(psp, ctx));
  const { paths, payoutSend } = dialect;
  const given = (scope: string) => authenticated(psp, scope);
  // Before the payloads, whose address it looks like.
  if (paths.list !== null) router.get(paths.list, given('cob.read'), (ctx) => listCharges(psp, ctx));
  if (paths.received !== null) router.get(paths.received, given('pix.read'), (ctx) => listReceived(psp, ctx));
  if (paths.pix !== undefined) router.get(paths.pix, given('pix.read'), (ctx) => getPix(psp, ctx));
  // The payload behind a BR Code is public: a payer's bank fetches it.
  router.get('/v2/jwks', (ctx) => {
    ctx.body = jwksOf(psp.account);
  });
  router.get('/v2/:location', (ctx) => servePayload(psp, ctx));
  router.put(paths.charge, given('cob.write'), (ctx) => putCharge(psp, ctx));
  router.get(paths.charge, given('cob.read'), (ctx) => getCharge(psp, ctx));
  router.patch(paths.charge, given('cob.write'), (ctx) => patchCharge(psp, ctx));
  router.put(paths.reversal, given('pix.write'), (ctx) => putReversal(psp, ctx));
  router.get(paths.reversal, given('pix.read'), (ctx) => getReversal(psp, ctx));
  if (payoutSend !== null) router[payoutSend.method](payoutSend.path, given('pix.send'), (ctx) => sendPayout(psp, ctx));
  const sent = given('gn.pix.send.read');
  if (paths.payoutLookup !== null) router.get(paths.payoutLookup, sent, (ctx) => getPayout(psp, ctx));
  if (paths.payouts !== undefined) router.get(paths.payouts, sent, (ctx) => listPayouts(psp, ctx));
  if (paths.payoutByEndToEndId !== undefined)
    router.get(paths.payoutByEndToEndId, sent, (ctx) => getPayoutByEndToEndId(psp, ctx));
  accountRoutes(router, given, psp);
  disputeRoutes(router, given('gn.infractions.read'), psp);
  // Only the sandbox's own dialects have one, and no scopes.
  if (paths.key !== null) router.post(paths.key, given('dict.read'), (ctx) => lookUpKey(psp, ctx));
  return router;
}

/** Words every refusal as this provider would. */
function inDialect(dialect: ServerDialect): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof SimulatorError)) throw error;
      writeError(ctx, dialect, error.kind, error.detail, error.code);
    }
  };
}

function unlessToldToWait({ books, dialect }: Psp): Middleware {
  return async (ctx, next) => {
    const { retryAfterSeconds } = books.quirks;
    if (retryAfterSeconds === null) return next();
    writeError(ctx, dialect, 'rate_limited', 'a simulated wish for fewer calls');
    ctx.set('retry-after', String(retryAfterSeconds));
  };
}

function duringOutage({ books, dialect, delays }: Psp): Middleware {
  return async (ctx, next) => {
    switch (books.outage) {
      case 'none':
        return next();
      case 'refuse':
        return cutConnection(ctx);
      case 'hang':
        return stayOpenInSilence(ctx, delays);
      case 'error':
        return writeError(ctx, dialect, 'internal', 'a simulated outage');
    }
  };
}
