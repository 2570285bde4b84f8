// The routes of one simulated provider, under its base path: tokens, charges, returns, payouts, key look-ups.
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import {
  answer,
  cutConnection,
  readJson,
  readText,
  SimulatorError,
  stayOpenInSilence,
  validate,
  writeError,
} from './answers.js';
import { depositBehaviourOf, keyBehaviourOf, payoutBehaviourOf } from './behaviours.js';
import { personOf, reversalRequest, revisionRequest } from './dialects.js';
import type { PayoutOrder, ServerDialect } from './server-dialect.js';
import { isSpelledAsRegistered } from './key-directory.js';
import { isWithin, listQuery, pageOf } from './list-pages.js';
import { type ChargePlace, renderCharge, renderPix, renderPixCallback, renderReversal, statusOf } from './render.js';
import type { SimulatedDialect, SpeakingPsp as Psp } from './simulated-dialect.js';
import type { Person, SimulatedCharge } from './state.js';
import { accountRoutes } from './account.js';
import { disputeRoutes } from './disputes.js';
import { basicCredentials, isClient, isTokenOf, issueToken, TOKEN_LIFETIME_SECONDS } from './tokens.js';

const NORMAL = { kind: 'normal' } as const;
const reference = z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits');
const tokenForm = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  scope: z.string().optional(),
});

/** A provider that speaks a dialect of API Pix. */
export function pixApiServer(merchantName: string, dialect: ServerDialect): SimulatedDialect {
  return {
    merchantName,
    router: (psp) => pspRouter({ ...psp, dialect }),
    pixCallback: ({ txid }, pix, { pixKey, callbackSecret }) => ({
      target: dialect.callbacks.pixTarget(callbackSecret ?? ''),
      body: renderPixCallback(dialect, txid, pixKey, pix),
    }),
    payoutCallback: (payout, { pixKey, callbackSecret }) => ({
      target: dialect.callbacks.payoutTarget(callbackSecret ?? ''),
      body:
        dialect.callbacks.payoutBody?.(payout, pixKey) ?? dialect.renderPayout(payout, payout.status, 'lookup', pixKey),
    }),
    callbackHeaders: ({ callbackSecret }, body) => dialect.callbackHeaders(callbackSecret ?? '', body),
  };
}

function pspRouter(psp: Psp): Router {
  const { dialect } = psp;
  const router = new Router({ prefix: `/${psp.provider}`, sensitive: true, strict: true });
  router.use(inDialect(dialect), duringOutage(psp));
  router.post(dialect.token.path, (ctx) => giveToken(psp, ctx));
  const withToken = authenticated(psp);
  // Before the payloads, whose address it looks like.
  if (dialect.paths.list !== null) router.get(dialect.paths.list, withToken, (ctx) => listCharges(psp, ctx));
  if (dialect.paths.received !== null) router.get(dialect.paths.received, withToken, (ctx) => listReceived(psp, ctx));
  if (dialect.paths.pix !== undefined) router.get(dialect.paths.pix, withToken, (ctx) => getPix(psp, ctx));
  // The payload behind a BR Code is public: a payer's bank fetches it.
  router.get('/v2/:location', (ctx) => servePayload(psp, ctx));
  router.put(dialect.paths.charge, withToken, (ctx) => putCharge(psp, ctx));
  router.get(dialect.paths.charge, withToken, (ctx) => getCharge(psp, ctx));
  router.patch(dialect.paths.charge, withToken, (ctx) => patchCharge(psp, ctx));
  router.put(dialect.paths.reversal, withToken, (ctx) => putReversal(psp, ctx));
  router.get(dialect.paths.reversal, withToken, (ctx) => getReversal(psp, ctx));
  if (dialect.payoutSend !== null)
    router[dialect.payoutSend.method](dialect.payoutSend.path, withToken, (ctx) => sendPayout(psp, ctx));
  if (dialect.paths.payoutLookup !== null)
    router.get(dialect.paths.payoutLookup, withToken, (ctx) => getPayout(psp, ctx));
  if (dialect.paths.payouts !== undefined) router.get(dialect.paths.payouts, withToken, (ctx) => listPayouts(psp, ctx));
  if (dialect.paths.payoutByEndToEndId !== undefined)
    router.get(dialect.paths.payoutByEndToEndId, withToken, (ctx) => getPayoutByEndToEndId(psp, ctx));
  accountRoutes(router, withToken, psp);
  disputeRoutes(router, withToken, psp);
  if (dialect.paths.key !== null) router.post(dialect.paths.key, withToken, (ctx) => lookUpKey(psp, ctx));
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

function authenticated({ account, dialect: { everyCall } }: Psp): Middleware {
  return (ctx, next) => {
    if (everyCall?.header !== undefined && ctx.get(everyCall.header) !== account.clientId)
      throw new SimulatorError('unauthorized', `${everyCall.header}: must be the client's id`);
    if (everyCall?.parameter !== undefined && !ctx.query[everyCall.parameter])
      throw new SimulatorError('unauthorized', `${everyCall.parameter}: must name the application`);
    if (!isTokenOf(account, ctx.get('authorization'), Date.now()))
      throw new SimulatorError('unauthorized', 'authorization: must be a live bearer token of this provider');
    return next();
  };
}

async function giveToken({ account, dialect }: Psp, ctx: Context): Promise<void> {
  const text = await readText(ctx, 'invalid');
  const fields = validate(
    tokenForm,
    ctx.is('json') ? safeJson(text) : Object.fromEntries(new URLSearchParams(text)),
    'invalid',
  );
  const inBody =
    fields.client_id !== undefined && fields.client_secret !== undefined
      ? { clientId: fields.client_id, clientSecret: fields.client_secret }
      : null;
  const given = {
    basic: () => basicCredentials(ctx.get('authorization')),
    body: () => inBody,
    certificate: () => ({ clientId: fields.client_id ?? '', clientSecret: account.clientSecret }),
  }[dialect.token.credentials]();
  if (given === null || !isClient(account, given))
    throw new SimulatorError('unauthorized', 'client credentials: not those of a client');
  ctx.set('cache-control', 'no-store');
  ctx.body = {
    access_token: issueToken(account, Date.now()),
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope: fields.scope ?? dialect.token.scopes ?? 'cob.write cob.read pix.write pix.read',
  };
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function servePayload({ books }: Psp, ctx: Context): void {
  const charge = books.charges.get(books.txidOfLocation.get(String(ctx['params'].location)) ?? '');
  if (!charge) throw new SimulatorError('not_found', 'location: no such charge');
  // A real one is signed (JWS). Nobody's name is in it here.
  ctx.body = {
    txid: charge.txid,
    status: statusOf(charge),
    revisao: charge.revision,
    calendario: { criacao: charge.createdAt, expiracao: charge.expiresInSeconds },
  };
}

function pathReference(ctx: Context, name: string): string {
  return validate(z.object({ [name]: reference }), ctx['params'], 'invalid')[name]!;
}

function render(psp: Psp, charge: SimulatedCharge, place: ChargePlace) {
  return renderCharge(psp.dialect, charge, psp.account.pixKey, `${psp.locationBase}/${charge.locationId}`, place);
}

async function putCharge(psp: Psp, ctx: Context): Promise<void> {
  const { provider, dialect, books, delays } = psp;
  const txid = pathReference(ctx, 'txid');
  const order = await readJson(ctx, dialect.chargeRequest, 'invalid');
  if (order.chave !== psp.account.pixKey) throw new SimulatorError('invalid', 'chave: is not a key of this client');
  if (books.charges.has(txid)) throw new SimulatorError('duplicate_charge', 'txid: is used already');
  const { answer: mode } = depositBehaviourOf(order.valor.original);
  if (mode.kind === 'refused') throw new SimulatorError('charge_refused', 'a simulated refusal');
  const { cpf, cnpj, nome } = order.devedor ?? {};
  const charge = await psp.bank.createCharge(provider, {
    txid,
    amountMinor: order.valor.original,
    debtor: debtorOf(cpf, cnpj, nome),
    description: order.solicitacaoPagador ?? null,
    expiresInSeconds: order.calendario.expiracao,
  });
  // The creation's answer never tells of payments, not even of one that came first.
  await answer(ctx, dialect, delays, mode, 201, await render(psp, { ...charge, pix: [] }, 'created'));
}

async function patchCharge(psp: Psp, ctx: Context): Promise<void> {
  const order = await readJson(ctx, revisionRequest, 'invalid');
  const result = psp.bank.reviseCharge(psp.provider, pathReference(ctx, 'txid'), {
    ...(order.status === undefined ? {} : { isRemoved: true }),
    ...(order.valor === undefined ? {} : { amountMinor: order.valor.original.toString() }),
    ...(order.calendario === undefined ? {} : { expiresInSeconds: order.calendario.expiracao }),
    ...(order.solicitacaoPagador === undefined ? {} : { description: order.solicitacaoPagador }),
  });
  if (result.kind === 'not_found') throw new SimulatorError('charge_unknown', 'txid: no such charge');
  if (result.kind === 'refused') throw new SimulatorError('charge_refused', 'status: only an active charge is revised');
  ctx.body = await render(psp, result.value, 'get');
}

function debtorOf(cpf: string | undefined, cnpj: string | undefined, nome: string | undefined): Person | null {
  if (cpf !== undefined) return { type: 'CPF', number: cpf, name: nome ?? null };
  return cnpj === undefined ? null : { type: 'CNPJ', number: cnpj, name: nome ?? null };
}

async function getCharge(psp: Psp, ctx: Context): Promise<void> {
  const charge = psp.books.charges.get(pathReference(ctx, 'txid'));
  if (!charge) throw new SimulatorError('charge_unknown', 'txid: no such charge');
  ctx.body = await render(psp, charge, 'get');
}

/** Charges by the time of their creation, in pages. */
async function listCharges(psp: Psp, ctx: Context): Promise<void> {
  const query = validate(listQuery, { ...ctx.query }, 'invalid');
  const found = [...psp.books.charges.values()].filter(({ createdAt }) => isWithin(query, createdAt));
  const { parametros, shown } = pageOf(query, found);
  ctx.body = { parametros, cobs: await Promise.all(shown.map((charge) => render(psp, charge, 'list'))) };
}

const receivedQuery = listQuery.extend({
  txid: z.string().optional(),
  cpf: z.string().optional(),
  cnpj: z.string().optional(),
  devolucaoPresente: z.enum(['true', 'false']).optional(),
});

/** Received PIX by the time of their payment, in pages. It names no payer, and can be asked about one. */
function listReceived({ books, account, dialect }: Psp, ctx: Context): void {
  const query = validate(receivedQuery, { ...ctx.query }, 'invalid');
  const { txid, cpf, cnpj, devolucaoPresente } = query;
  const payer = cpf ?? cnpj;
  const found = books
    .received()
    .filter((one) => txid === undefined || one.txid === txid)
    .filter(({ pix }) => isWithin(query, pix.paidAt))
    .filter(({ pix }) => payer === undefined || pix.payer?.number === payer)
    .filter(({ pix }) => devolucaoPresente === undefined || String(pix.reversals.length > 0) === devolucaoPresente);
  const { parametros, shown } = pageOf(query, found);
  ctx.body = {
    parametros,
    pix: shown.map((one) => renderPix(dialect, one.txid, account.pixKey, { ...one.pix, payer: null })),
  };
}

const pixPath = z.object({
  endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits'),
});
const reversalPath = pixPath.extend({
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'must be up to 35 letters and digits'),
});

function getPix({ books, dialect, account }: Psp, ctx: Context): void {
  const { endToEndId } = validate(pixPath, ctx['params'], 'invalid');
  const found = books.pixOf(endToEndId);
  if (!found) throw new SimulatorError('pix_unknown', 'e2eid: no such PIX');
  ctx.body = renderPix(dialect, found.charge.txid, account.pixKey, { ...found.pix, payer: null });
}

async function putReversal({ provider, bank }: Psp, ctx: Context): Promise<void> {
  const { endToEndId, id } = validate(reversalPath, ctx['params'], 'invalid');
  const { valor } = await readJson(ctx, reversalRequest, 'invalid');
  const result = await bank.reverse(provider, endToEndId, { id, amountMinor: valor, nature: 'ORIGINAL' });
  if (result.kind === 'not_found') throw new SimulatorError('pix_unknown', 'e2eid: no such PIX');
  if (result.kind === 'refused')
    throw new SimulatorError(result.reason === 'duplicate' ? 'duplicate_reversal' : 'reversal_refused', result.reason);
  ctx.status = 201;
  ctx.body = renderReversal(result.value);
}

function getReversal({ books }: Psp, ctx: Context): void {
  const { endToEndId, id } = validate(reversalPath, ctx['params'], 'invalid');
  const reversal = books.pixOf(endToEndId)?.pix.reversals.find((candidate) => candidate.id === id);
  if (!reversal) throw new SimulatorError('return_unknown', 'id: no such return');
  ctx.body = renderReversal(reversal);
}

async function sendPayout(psp: Psp, ctx: Context): Promise<void> {
  const { provider, dialect, bank, books, delays } = psp;
  const order = await readJson(ctx, dialect.readPayout, 'invalid_payout');
  const id = order.reference ?? pathReference(ctx, 'reference');
  bank.countSend(provider, id);
  if (books.payouts.has(id)) throw new SimulatorError('duplicate_payout', 'the reference is used already');
  if (!isSpelledAsRegistered(order)) throw new SimulatorError('payout_key_unknown', 'the key: belongs to nobody');
  if (dialect.paths.key === null) compareHolder(psp, order);
  if (!books.covers(order.amountMinor))
    throw new SimulatorError('payout_refused', 'the balance does not cover it', 'AM04');
  const { answer: mode } = payoutBehaviourOf(order.amountMinor);
  if (mode.kind === 'error_without_effect' || mode.kind === 'rate_limited')
    return answer(ctx, dialect, delays, mode, 500, {});
  if (order.endToEndId !== null) psp.directory.giveBack();
  const { payout, answerStatus } = await bank.acceptPayout(provider, id, order);
  if (answerStatus === 'failed' && dialect.failsAs === 'error')
    throw new SimulatorError('payout_refused', 'a simulated rejection', payout.code);
  await answer(ctx, dialect, delays, mode, 201, dialect.renderPayout(payout, answerStatus, 'send', psp.account.pixKey));
}

/** A bank without a key directory for its clients asks it itself, before it takes the payout. */
function compareHolder({ directory }: Psp, { key, keyType, beneficiaryDocument }: PayoutOrder): void {
  const found = directory.lookUp({ key, keyType, expected: personOf(beneficiaryDocument) });
  if (found.kind === 'unavailable' || found.kind === 'rate_limited')
    throw new SimulatorError('internal', 'the key: could not be checked');
  if (found.kind === 'unknown_key') throw new SimulatorError('payout_key_unknown', 'the key: belongs to nobody');
  if (beneficiaryDocument !== '' && found.owner.number !== beneficiaryDocument)
    throw new SimulatorError('key_of_another', 'the key: belongs to another document');
}

function getPayout({ books, dialect, account }: Psp, ctx: Context): void {
  const payout = books.payouts.get(pathReference(ctx, 'reference'));
  if (!payout) throw new SimulatorError('payout_unknown', 'the reference: no such payout');
  ctx.body = dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey);
}

function getPayoutByEndToEndId({ books, dialect, account }: Psp, ctx: Context): void {
  const { endToEndId } = validate(pixPath, ctx['params'], 'invalid');
  const payout = [...books.payouts.values()].find((one) => one.endToEndId === endToEndId);
  if (!payout) throw new SimulatorError('payout_unknown', 'e2eid: no such payout');
  ctx.body = dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey);
}

/** Sent payouts by when they were sent, in pages. */
function listPayouts({ books, dialect, account }: Psp, ctx: Context): void {
  const query = validate(listQuery, { ...ctx.query }, 'invalid');
  const found = [...books.payouts.values()].filter(({ createdAt }) => isWithin(query, createdAt));
  const { parametros, shown } = pageOf(query, found);
  const pix = shown.map((payout) => dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey));
  ctx.body = { parametros, pix };
}

async function lookUpKey({ dialect, directory, delays, bank }: Psp, ctx: Context): Promise<void> {
  const question = await readJson(ctx, dialect.readKeyQuestion, 'invalid');
  const found = directory.lookUp(question);
  const { tokens, refillSeconds } = directory.budget();
  ctx.set({ ...dialect.budgetHeaders(tokens, refillSeconds) });
  if (found.kind !== 'owner') throw new SimulatorError(found.kind, 'a simulated answer of the directory');
  const behaviour = keyBehaviourOf(question.key);
  const mode = behaviour?.kind === 'slow' ? ({ kind: 'delayed', delayMs: behaviour.delayMs } as const) : NORMAL;
  await answer(ctx, dialect, delays, mode, 200, dialect.renderKeyOwner(found.owner, question, bank.newEndToEndId()));
}
