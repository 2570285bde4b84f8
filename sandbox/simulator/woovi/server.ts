// The routes of a simulated Woovi, under its base path. Written from its OpenAPI document and its guides.
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { cutConnection, readJson, SimulatorError, stayOpenInSilence } from '../answers.js';
import { depositBehaviourOf } from '../behaviours.js';
import { jwksOf, PAYLOAD_TYPE, signedPayload } from '../payload.js';
import { statusOf } from '../render.js';
import { COMPANY_BUDGET } from '../key-directory.js';
import type { Psp, SimulatedDialect } from '../simulated-dialect.js';
import type { SimulatedCharge, SimulatedPayout, SimulatedPix, SimulatedReversal } from '../state.js';
import { answer } from './answering.js';
import { disputeRoutes } from './disputes.js';
import { WOOVI_CALLBACKS } from './events.js';
import { keyRoutes } from './keys.js';
import { pageOf } from './pages.js';
import { paymentRoutes } from './payments.js';
import { WooviRefusal } from './refusal.js';
import { chargePayload, chargeRefundPayload, refundPayload, webhookPayload } from './requests.js';
import {
  charge,
  CHARGE_LAGS_MS,
  chargeRefund,
  CODE_PATH,
  payment,
  refund,
  returnTransaction,
  transfer,
  withdrawal,
} from './shapes.js';
import { tryAddress } from '../trial.js';
import { publicKeysOf } from './signing.js';

const ACCOUNT_ID = '6290ccfd42831958a405debc';

export const wooviServer: SimulatedDialect = { ...WOOVI_CALLBACKS, keyBudget: COMPANY_BUDGET, router };

function router(psp: Psp): Router {
  const routes = new Router({ prefix: `/${psp.provider}`, sensitive: true, strict: true });
  routes.use(refusalAsJson, duringOutage(psp));
  routes.get('/api/v1/webhook/public-keys', (ctx) => {
    ctx.set('cache-control', 'public, max-age=3600');
    ctx.body = publicKeysOf(psp.account);
  });
  // The payload behind a BR Code is public: a payer's bank fetches it.
  routes.get(`${CODE_PATH}/jwks`, (ctx) => {
    ctx.body = jwksOf(psp.account);
  });
  routes.get(`${CODE_PATH}/:location`, (ctx) => servePayload(psp, ctx));
  const known = authenticated(psp);
  routes.post('/api/v1/charge', known, (ctx) => postCharge(psp, ctx));
  routes.get('/api/v1/charge/:id', known, (ctx) => getCharge(psp, ctx));
  routes.get('/api/v1/charge/:id/refund', known, (ctx) => listRefunds(psp, ctx));
  routes.post('/api/v1/charge/:id/refund', known, (ctx) => refundCharge(psp, ctx));
  routes.get('/api/v1/webhook', known, (ctx) => listWebhooks(psp, ctx));
  routes.post('/api/v1/webhook', known, (ctx) => postWebhook(psp, ctx));
  routes.get('/api/v1/account/', known, (ctx) => listAccounts(psp, ctx));
  routes.get('/api/v1/transaction', known, (ctx) => listTransactions(psp, ctx));
  routes.post('/api/v1/refund', known, (ctx) => postRefund(psp, ctx));
  routes.get('/api/v1/refund/:id', known, (ctx) => getRefund(psp, ctx));
  paymentRoutes(routes, known, psp);
  disputeRoutes(routes, known, psp);
  keyRoutes(routes, known, psp);
  return routes;
}

/** Every refusal is `{"error": "a text"}`. */
const refusalAsJson: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error instanceof WooviRefusal) {
      ctx.status = error.status;
      ctx.body = { error: error.text, ...(error.errorCode === null ? {} : { errorCode: error.errorCode }) };
    } else if (error instanceof SimulatorError) {
      ctx.status = 400;
      ctx.body = { error: error.detail };
    } else throw error;
  }
};

function duringOutage({ books, delays }: Psp): Middleware {
  return async (ctx, next) => {
    switch (books.outage) {
      case 'none':
        return next();
      case 'refuse':
        return cutConnection(ctx);
      case 'hang':
        return stayOpenInSilence(ctx, delays);
      case 'error':
        throw new WooviRefusal(500, 'Internal server error');
    }
  };
}

/** The AppID as it is, without `Bearer`. */
function authenticated({ account }: Psp): Middleware {
  return (ctx, next) => {
    if (ctx.get('authorization') === account.clientSecret) return next();
    ctx.status = 401;
    ctx.body = { data: null, errors: [{ message: 'appID inválido' }] };
    return undefined;
  };
}

const param = (ctx: Context, name: string) => String(ctx['params'][name]);
const lagOf = ({ books }: Psp) => books.lags.lagMs ?? CHARGE_LAGS_MS;
const baseOf = ({ provider }: Psp, ctx: Context) => `${ctx.host}/${provider}`;

function servePayload(psp: Psp, ctx: Context): void {
  const { books, account } = psp;
  const found = books.charges.get(books.txidOfLocation.get(param(ctx, 'location')) ?? '');
  if (!found) throw new WooviRefusal(404, 'Charge not found');
  const jku = `${ctx.protocol}://${baseOf(psp, ctx)}${CODE_PATH}/jwks`;
  ctx.body = signedPayload(found, statusOf(found, lagOf(psp)), account, jku);
  ctx.type = PAYLOAD_TYPE;
}

async function postCharge(psp: Psp, ctx: Context): Promise<void> {
  const { provider, books, account, delays } = psp;
  const order = await readJson(ctx, chargePayload, 'invalid');
  const render = (one: SimulatedCharge) => {
    const rendered = charge(one, account.pixKey, baseOf(psp, ctx), lagOf(psp));
    return { charge: rendered, correlationID: one.txid, brCode: rendered['brCode'] };
  };
  const known = books.charges.get(order.correlationID);
  if (known && ctx.query['return_existing'] === 'true') return void (ctx.body = render(known));
  if (known) throw new WooviRefusal(400, 'Já existe uma cobrança com este Correlação ID');
  const amountMinor = BigInt(order.value);
  const { answer: mode } = depositBehaviourOf(amountMinor);
  if (mode.kind === 'refused') throw new WooviRefusal(400, 'Cobrança recusada pelo simulador');
  const taxID = order.customer?.taxID;
  const made = await psp.bank.createCharge(provider, {
    txid: order.correlationID,
    amountMinor,
    debtor:
      taxID === undefined
        ? null
        : { type: taxID.length === 11 ? 'CPF' : 'CNPJ', number: taxID, name: order.customer?.name ?? null },
    description: order.comment ?? null,
    expiresInSeconds: order.expiresIn,
  });
  // The creation's answer never has payments, not even one that came first.
  await answer(ctx, delays, mode, render({ ...made, pix: [] }));
}

function chargeOf({ books }: Psp, ctx: Context): SimulatedCharge {
  const found = books.charges.get(param(ctx, 'id'));
  // The document knows no 404 here.
  if (!found) throw new WooviRefusal(400, 'Charge not found');
  return found;
}

function getCharge(psp: Psp, ctx: Context): void {
  ctx.body = { charge: charge(chargeOf(psp, ctx), psp.account.pixKey, baseOf(psp, ctx), lagOf(psp)) };
}

function listRefunds(psp: Psp, ctx: Context): void {
  ctx.body = { refunds: chargeOf(psp, ctx).pix.flatMap(({ reversals }) => reversals.map(chargeRefund)) };
}

async function refundCharge(psp: Psp, ctx: Context): Promise<void> {
  const order = await readJson(ctx, chargeRefundPayload, 'invalid');
  const [pix] = chargeOf(psp, ctx).pix;
  if (!pix) throw new WooviRefusal(400, 'Charge is not paid');
  ctx.body = { refund: chargeRefund(await reversed(psp, pix, order.correlationID, order.value)) };
}

async function postRefund(psp: Psp, ctx: Context): Promise<void> {
  const order = await readJson(ctx, refundPayload, 'invalid');
  const found = psp.books.pixOf(order.transactionEndToEndId);
  if (!found) throw new WooviRefusal(400, 'Transaction not found');
  ctx.body = { refund: refund(await reversed(psp, found.pix, order.correlationID, order.value)) };
}

/** A repeat with the same correlationID is the same return. */
async function reversed(
  { provider, bank, books }: Psp,
  pix: SimulatedPix,
  id: string,
  cents: number | undefined,
): Promise<SimulatedReversal> {
  const known = pix.reversals.find((reversal) => reversal.id === id);
  if (known) return known;
  const amountMinor = cents === undefined ? null : BigInt(cents);
  if (amountMinor !== null && !books.covers(amountMinor)) throw new WooviRefusal(400, 'Saldo insuficiente');
  const result = await bank.reverse(provider, pix.endToEndId, { id, amountMinor, nature: 'ORIGINAL' });
  if (result.kind === 'done') return result.value;
  throw new WooviRefusal(400, 'Refund value exceeds the value of the transaction');
}

function getRefund({ books }: Psp, ctx: Context): void {
  const id = param(ctx, 'id');
  const found = [...books.charges.values()]
    .flatMap((one) => one.pix.flatMap(({ reversals }) => reversals))
    .find((reversal) => reversal.id === id);
  if (!found) throw new WooviRefusal(400, 'Refund not found');
  ctx.body = { pixTransactionRefund: refund(found) };
}

async function postWebhook({ provider, bank }: Psp, ctx: Context): Promise<void> {
  const { webhook } = await readJson(ctx, webhookPayload, 'invalid');
  const { event, url } = webhook;
  const test = { data_criacao: new Date().toISOString(), event };
  if (ctx.query['validate'] !== 'false' && (await tryAddress(url, test)) !== 200)
    throw new WooviRefusal(400, 'O endereço do webhook não respondeu 200 ao teste');
  bank.registerWebhook(provider, event, url);
  ctx.body = { webhook: shownWebhook(event, url, webhook.name) };
}

function listWebhooks({ books }: Psp, ctx: Context): void {
  const all = [...books.webhooks].map(([event, url]) => shownWebhook(event, url, event));
  const { pageInfo, shown: webhooks } = pageOf(all, Number(ctx.query['skip'] ?? 0));
  ctx.body = { pageInfo, webhooks };
}

function shownWebhook(event: string, url: string, name: string): Record<string, unknown> {
  const now = new Date().toISOString();
  return { id: `webhook-${event}`, name, event, url, isActive: true, createdAt: now, updatedAt: now };
}

function listAccounts({ books }: Psp, ctx: Context): void {
  const available = Number(books.reportedBalance());
  const blocked = Number(books.blockedMinor);
  const balance = { total: available + blocked, blocked, available };
  const account = { accountId: ACCOUNT_ID, isDefault: true, balance };
  const { pageInfo, shown: accounts } = pageOf([account]);
  ctx.body = { pageInfo, accounts };
}

type Transaction = Readonly<Record<string, unknown>>;

/** Of a charge, of a sent payment, or of a span of time, of one type or all: the newest first, a hundred at most. */
function listTransactions(psp: Psp, ctx: Context): void {
  const { charge: correlationID, withdrawal: endToEndId, start, end, type } = ctx.query;
  const all =
    start === undefined
      ? [...ofCharge(psp, String(correlationID)), ...ofPayout(psp, String(endToEndId))]
      : between(psp, Date.parse(String(start)), Date.parse(String(end)));
  const found = type === undefined ? all : all.filter((one) => one['type'] === type);
  const { pageInfo, shown: transactions } = pageOf(found);
  ctx.body = { pageInfo, transactions };
}

function ofCharge({ books }: Psp, correlationID: string): Transaction[] {
  const charged = books.charges.get(correlationID);
  if (charged === undefined) return [];
  return charged.pix.flatMap((pix) => [...sentBack(pix).map(returnTransaction), payment(charged, pix)]);
}

function ofPayout({ books }: Psp, endToEndId: string): Transaction[] {
  const paid = [...books.payouts.values()].find(
    (payout) => payout.endToEndId === endToEndId && payout.status !== 'processing' && payout.status !== 'failed',
  );
  if (paid === undefined) return [];
  return [...cameBack(paid).map(returnTransaction), withdrawal(paid, 'inTheList')];
}

/** The returns of a received PIX. */
const sentBack = ({ reversals }: SimulatedPix) =>
  reversals
    .filter(({ status }) => status === 'DEVOLVIDO')
    .map(({ returnId, amountMinor, settledAt, requestedAt }) => ({
      id: returnId,
      value: amountMinor,
      time: settledAt ?? requestedAt,
    }));

/** The returns of a sent one. */
const cameBack = ({ returns }: SimulatedPayout) =>
  returns
    .filter(({ status }) => status === 'DEVOLVIDO')
    .map(({ id, amountMinor, at }) => ({ id, value: amountMinor, time: at }));

/** Everything that moved, each return on its own line. */
function between({ books }: Psp, fromMs: number, toMs: number): Transaction[] {
  const paid = [...books.charges.values()].flatMap((charged) => charged.pix.map((pix) => ({ charged, pix })));
  const sent = [...books.payouts.values()].filter(({ status }) => status === 'paid' || status === 'returned');
  const returns = [...paid.flatMap(({ pix }) => sentBack(pix)), ...sent.flatMap(cameBack)];
  const found = [
    ...paid.map(({ charged, pix }) => ({ at: Date.parse(pix.paidAt), shown: payment(charged, pix) })),
    ...books.strays.map(({ pix }) => ({ at: Date.parse(pix.paidAt), shown: transfer(pix) })),
    ...sent.map((payout) => ({
      at: Date.parse(payout.settledAt ?? payout.createdAt),
      shown: withdrawal(payout, 'inTheList'),
    })),
    ...returns.map((one) => ({ at: Date.parse(one.time), shown: returnTransaction(one) })),
  ];
  return found
    .filter(({ at }) => at >= fromMs && at <= toMs)
    .sort((one, other) => other.at - one.at)
    .map(({ shown }) => shown);
}
