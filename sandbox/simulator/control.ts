// The control interface: plays the payer, the receiving bank and the weather. Only this machine may use it, and the
// networks that the configuration names.
import { type BlockList, isIP } from 'node:net';
import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../domain/pix.js';
import { ACCOUNT_NAME_RULE, type AccountName, accountNameOf } from '../../domain/provider-accounts.js';
import { readJson, SimulatorError, validate } from './answers.js';
import type { Bank } from './bank.js';
import type { BankAnswer } from './bank-parts.js';
import { SENTINELS } from './behaviours.js';
import { CNPJ } from './dialects.js';
import type { KeyDirectory } from './key-directory.js';
import { PAYER_QUIRKS } from './quirks.js';
import { OUTAGE_MODES, type ProviderBooks, type SimulatedCharge, type SimulatorState } from './state.js';

export interface Control {
  readonly bank: Bank;
  readonly state: SimulatorState;
  /** The providers that this process plays. */
  readonly directories: ReadonlyMap<AccountName, KeyDirectory>;
  /** Addresses that may use it, in addition to this machine. */
  readonly networks: BlockList;
}

const amountMinor = z
  .string()
  .regex(/^[1-9]\d{0,11}$/, 'must be a positive number of centavos of at most 12 digits, as text')
  .transform(BigInt);
const person = z
  .object({ type: z.enum(['CPF', 'CNPJ']), number: z.string(), name: z.string().min(1).max(200).optional() })
  .refine(({ type, number }) => (type === 'CPF' ? /^\d{11}$/ : CNPJ).test(number), {
    path: ['number'],
    error: 'must be 11 digits for a CPF, 12 digits or capital letters and 2 digits for a CNPJ',
  })
  .transform(({ type, number, name }) => ({ type, number, name: name ?? null }));
const code = z.string().regex(/^[A-Z0-9_]{2,32}$/, 'must look like AC03');
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

const payBody = z.strictObject({
  amount_minor: amountMinor.optional(),
  payer_document: person.optional(),
  paid_at: instant.optional(),
});
const chargePayBody = payBody.extend({ again: z.boolean().default(false) });
const strayBody = payBody.extend({ amount_minor: amountMinor, txid: z.string().min(1).max(35).optional() });
const reverseBody = z.strictObject({
  kind: z.enum(['refund', 'chargeback']),
  amount_minor: amountMinor.optional(),
  end_to_end_id: z.string().length(32).optional(),
});
const settleBody = z.strictObject({
  result: z.enum(['paid', 'failed', 'returned']),
  code: code.optional(),
  amount_minor: amountMinor.optional(),
  refused: z.boolean().default(false),
});
const disputeBody = z.strictObject({
  status: z.enum(['open', 'defended', 'rejected', 'canceled']),
  due_at: instant.optional(),
});
const sendBody = z.strictObject({
  amount_minor: amountMinor,
  reference: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/, 'must be up to 35 letters and digits')
    .optional(),
  sent_at: instant.optional(),
});
const findBody = z.strictObject({ amount_minor: amountMinor });
const outageBody = z.strictObject({ mode: z.enum(OUTAGE_MODES) });
const quirksBody = z.strictObject({
  clock_seconds: z.number().int().min(-86_400).max(86_400).default(0),
  foreign_code: z.boolean().default(false),
  payer: z.enum(PAYER_QUIRKS).nullable().default(null),
  key_in_capitals: z.boolean().default(false),
  refuses_returns: z.boolean().default(false),
  retry_after_seconds: z.number().int().min(0).max(86_400).nullable().default(null),
});
const lag = z.number().int().min(0).max(3_600_000);
const lagBody = z.strictObject({
  conclusion_ms: lag.nullable(),
  shown_ms: lag.default(0),
  return_ms: lag.nullable().default(null),
});
const batchBody = z.strictObject({ size: z.number().int().min(2).max(100) });
const signBody = z.strictObject({ body: z.string().max(64 * 1024) });
const scopesBody = z.strictObject({ scopes: z.array(z.string().min(1).max(64)).max(64).nullable() });
const keyBody = z.strictObject({ key_type: z.enum(PIX_KEY_TYPES), owner: person });
const amountOrNone = amountMinor.or(z.literal('0').transform(BigInt));
const balanceBody = z.strictObject({ amount_minor: amountOrNone.nullable(), blocked_minor: amountOrNone.default(0n) });
const budgetBody = z.strictObject({
  tokens: z.number().int().min(0).max(1_000_000),
  refill_per_minute: z.number().int().min(1).max(1_000_000).default(20),
});

/** ISO 20022 "generic": the failure code of a payout when the tester names none. */
const DEFAULT_FAILURE_CODE = 'ED05';
const DEFAULT_RETURN_CODE = 'BE01';

/** All routes under `/control`. */
export function controlRouter(control: Control): Router {
  const router = new Router({ prefix: '/control', sensitive: true, strict: true });
  router.use(fromKnownNetworks(control.networks), plainErrors);
  router.get('/behaviours', (ctx) => {
    ctx.body = {
      sentinels: SENTINELS.map((row) => ({
        subject: row.subject,
        name: row.name,
        does: row.does,
        ...(row.subject === 'key' ? { keys: row.keys } : { amount_minor: row.amountMinor.toString() }),
      })),
    };
  });
  router.get('/books', (ctx) => readBooks(control, ctx));
  router.post('/:provider/charges/:txid/pay', (ctx) => pay(control, ctx));
  router.post('/:provider/charges/:txid/reverse', (ctx) => reverse(control, ctx));
  router.post('/:provider/charges/:txid/dispute', (ctx) => dispute(control, ctx));
  router.post('/:provider/received', (ctx) => receiveStray(control, ctx));
  router.post('/:provider/payouts', (ctx) => sendStray(control, ctx));
  router.post('/:provider/payouts/:reference/find', (ctx) => findPayout(control, ctx));
  router.post('/:provider/payouts/:reference/settle', (ctx) => settle(control, ctx));
  router.put('/:provider/outage', (ctx) => setOutage(control, ctx));
  router.put('/:provider/quirks', (ctx) => setQuirks(control, ctx));
  router.put('/:provider/lag', (ctx) => setLag(control, ctx));
  router.post('/:provider/callback-headers', (ctx) => proveCallback(control, ctx));
  router.put('/:provider/batch', (ctx) => setBatch(control, ctx));
  router.put('/:provider/scopes', (ctx) => setScopes(control, ctx));
  router.put('/:provider/balance', (ctx) => setBalance(control, ctx));
  router.put('/:provider/keys/:key', (ctx) => registerKey(control, ctx));
  router.delete('/:provider/keys/:key', (ctx) => unregisterKey(control, ctx));
  router.put('/:provider/key-budget', (ctx) => setKeyBudget(control, ctx));
  return router;
}

/** No browser page and no unknown machine steers the simulator. */
export function fromKnownNetworks(networks: BlockList): Middleware {
  return (ctx, next) => {
    const address = (ctx.req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const isLoopback = address.startsWith('127.') || address === '::1';
    const isKnown = isLoopback || networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
    if (isKnown && ctx.get('origin') === '') return next();
    ctx.status = 403;
    ctx.body = { reason: 'the control interface answers to this machine and to SIMULATOR_CONTROL_NETWORKS only' };
    return undefined;
  };
}

const plainErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (!(error instanceof SimulatorError)) throw error;
    ctx.status = error.kind === 'not_found' ? 404 : 400;
    ctx.body = { reason: error.detail };
  }
};

function providerOf({ directories }: Control, ctx: Context): AccountName {
  const provider = accountNameOf(param(ctx, 'provider'));
  if (provider === undefined) throw new SimulatorError('invalid', `provider: must be ${ACCOUNT_NAME_RULE}`);
  if (!directories.has(provider)) throw new SimulatorError('not_found', 'provider: is not played by this simulator');
  return provider;
}

const param = (ctx: Context, name: string) => String(ctx['params'][name]);

/** 200 with the end-to-end id, 404, or 409 with the reason. */
function respond<Value>(ctx: Context, result: BankAnswer<Value>, endToEndIdOf: (value: Value) => string | null): void {
  switch (result.kind) {
    case 'done':
      ctx.body = { end_to_end_id: endToEndIdOf(result.value) };
      return;
    case 'not_found':
      ctx.status = 404;
      ctx.body = { reason: 'not_found' };
      return;
    case 'refused':
      ctx.status = 409;
      ctx.body = { reason: result.reason };
  }
}

async function pay(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const order = await readJson(ctx, chargePayBody, 'invalid');
  const result = await control.bank.payCharge(provider, param(ctx, 'txid'), {
    amountMinor: order.amount_minor,
    payer: order.payer_document,
    paidAt: order.paid_at,
    isAnother: order.again,
  });
  respond(ctx, result, (pix) => pix.endToEndId);
}

async function receiveStray(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const order = await readJson(ctx, strayBody, 'invalid');
  const pix = control.bank.receiveStray(provider, {
    amountMinor: order.amount_minor,
    payer: order.payer_document,
    paidAt: order.paid_at,
    txid: order.txid ?? null,
  });
  ctx.body = { end_to_end_id: pix.endToEndId };
}

async function reverse(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const order = await readJson(ctx, reverseBody, 'invalid');
  const payments = control.state.of(provider).charges.get(param(ctx, 'txid'))?.pix ?? [];
  const { end_to_end_id: wanted } = order;
  const pix = wanted === undefined ? payments.at(-1) : payments.find(({ endToEndId }) => endToEndId === wanted);
  if (!pix) return respond(ctx, { kind: 'not_found' }, () => null);
  const result = await control.bank.reverse(provider, pix.endToEndId, {
    id: crypto.randomUUID().replaceAll('-', ''),
    amountMinor: order.amount_minor ?? null,
    nature: order.kind === 'refund' ? 'ORIGINAL' : 'MED_FRAUDE',
  });
  respond(ctx, result, () => pix.endToEndId);
}

/** A case that is lost ends with its return: `reverse` as a chargeback. */
async function dispute(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { status, due_at } = await readJson(ctx, disputeBody, 'invalid');
  respond(ctx, control.bank.dispute(provider, param(ctx, 'txid'), status, due_at), (pix) => pix.endToEndId);
}

async function settle(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const order = await readJson(ctx, settleBody, 'invalid');
  const defaultCode = { paid: null, failed: DEFAULT_FAILURE_CODE, returned: DEFAULT_RETURN_CODE }[order.result];
  if (order.result === 'paid' && order.code !== undefined)
    throw new SimulatorError('invalid', 'code: goes with failed and returned only');
  if (order.result !== 'returned' && order.amount_minor !== undefined)
    throw new SimulatorError('invalid', 'amount_minor: goes with returned only');
  if (order.result !== 'returned' && order.refused)
    throw new SimulatorError('invalid', 'refused: goes with returned only');
  const result = await control.bank.payouts.settle(provider, param(ctx, 'reference'), {
    status: order.result,
    code: order.code ?? defaultCode,
    amountMinor: order.amount_minor ?? null,
    isRefused: order.refused,
  });
  respond(ctx, result, (value) => value.endToEndId);
}

async function sendStray(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const order = await readJson(ctx, sendBody, 'invalid');
  const result = control.bank.payouts.sendStray(provider, {
    amountMinor: order.amount_minor,
    reference: order.reference,
    sentAt: order.sent_at,
  });
  respond(ctx, result, (payout) => payout.endToEndId);
}

async function findPayout(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { amount_minor } = await readJson(ctx, findBody, 'invalid');
  const result = await control.bank.payouts.find(provider, param(ctx, 'reference'), amount_minor);
  respond(ctx, result, (payout) => payout.endToEndId);
}

async function setOutage(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { mode } = await readJson(ctx, outageBody, 'invalid');
  control.state.change({ type: 'outage_set', provider, mode });
  ctx.body = { provider, mode };
}

/** `{}` ends them all. */
async function setQuirks(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const body = await readJson(ctx, quirksBody, 'invalid');
  const quirks = {
    clockSeconds: body.clock_seconds,
    isCodeForeign: body.foreign_code,
    payer: body.payer,
    isKeyInCapitals: body.key_in_capitals,
    refusesReturns: body.refuses_returns,
    retryAfterSeconds: body.retry_after_seconds,
  };
  control.state.change({ type: 'quirks_set', provider, quirks });
  ctx.status = 204;
}

async function setLag(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { conclusion_ms, shown_ms, return_ms } = await readJson(ctx, lagBody, 'invalid');
  const lags = { lagMs: conclusion_ms, shownAfterMs: shown_ms, returnsAfterMs: return_ms };
  control.state.change({ type: 'lag_set', provider, ...lags });
  ctx.status = 204;
}

/** With which the provider itself would send that body: who plays a repeated or a late callback proves it so. */
async function proveCallback(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { body } = await readJson(ctx, signBody, 'invalid');
  ctx.body = { headers: control.bank.callbackHeaders(provider, body) };
}

async function setBatch(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { size } = await readJson(ctx, batchBody, 'invalid');
  respond(ctx, control.bank.batchNext(provider, size), () => null);
  if (ctx.status === 200) ctx.status = 204;
}

async function setScopes(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { scopes } = await readJson(ctx, scopesBody, 'invalid');
  control.state.change({ type: 'scopes_set', provider, scopes });
  ctx.status = 204;
}

async function setBalance(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { amount_minor, blocked_minor } = await readJson(ctx, balanceBody, 'invalid');
  control.state.change({
    type: 'balance_set',
    provider,
    amountMinor: amount_minor?.toString() ?? null,
    blockedMinor: blocked_minor.toString(),
  });
  ctx.status = 204;
}

async function registerKey(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { key_type, owner } = await readJson(ctx, keyBody, 'invalid');
  const key = param(ctx, 'key');
  if (!isPixKeyFormat(key_type, key)) throw new SimulatorError('invalid', `key: is no ${key_type} key`);
  control.state.change({ type: 'key_registered', provider, key, registration: { keyType: key_type, owner } });
  ctx.status = 204;
}

function unregisterKey(control: Control, ctx: Context): void {
  const provider = providerOf(control, ctx);
  const key = param(ctx, 'key');
  if (!control.state.of(provider).keys.has(key)) throw new SimulatorError('not_found', 'key: is not registered');
  control.state.change({ type: 'key_unregistered', provider, key });
  ctx.status = 204;
}

async function setKeyBudget(control: Control, ctx: Context): Promise<void> {
  const provider = providerOf(control, ctx);
  const { tokens, refill_per_minute } = await readJson(ctx, budgetBody, 'invalid');
  control.directories.get(provider)?.setBudget(tokens, refill_per_minute);
  ctx.body = { provider, tokens, refill_per_minute };
}

/** The simulator's own books, to compare with the gateway's. `?provider=` and `?reference=` narrow them. */
function readBooks(control: Control, ctx: Context): void {
  const filter = validate(
    z.object({ provider: z.string().optional(), reference: z.string().max(35).optional() }),
    { ...ctx.query },
    'invalid',
  );
  const providers = [...control.directories.keys()].filter(
    (provider) => filter.provider === undefined || filter.provider === provider,
  );
  const isWanted = (reference: string) => filter.reference === undefined || filter.reference === reference;
  ctx.body = {
    charges: providers.flatMap((provider) =>
      chargesOf(provider, control.state.of(provider)).filter((charge) => isWanted(charge.txid)),
    ),
    payouts: providers.flatMap((provider) =>
      payoutsOf(provider, control.state.of(provider)).filter((payout) => isWanted(payout.reference)),
    ),
    waiting_callbacks: control.state.waitingCallbacks.size,
  };
}

function chargesOf(provider: AccountName, books: ProviderBooks) {
  return Array.from(books.charges.values(), (charge: SimulatedCharge) => ({
    provider,
    txid: charge.txid,
    amount_minor: charge.amountMinor,
    created_at: charge.createdAt,
    revision: charge.revision,
    payments: charge.pix.map((pix) => ({
      end_to_end_id: pix.endToEndId,
      amount_minor: pix.amountMinor,
      paid_at: pix.paidAt,
      fee_minor: pix.feeMinor ?? '0',
      dispute: pix.dispute?.status ?? null,
      reversals: pix.reversals.map(({ id, returnId, amountMinor: amount, nature, status }) => ({
        id,
        return_id: returnId,
        amount_minor: amount,
        nature,
        status,
      })),
    })),
  }));
}

/** Also references that were sent but not accepted: a send is a send. */
function payoutsOf(provider: AccountName, books: ProviderBooks) {
  return Array.from(books.sends, ([reference, sends]) => {
    const payout = books.payouts.get(reference);
    return {
      provider,
      reference,
      sends,
      status: payout?.status ?? 'not_accepted',
      amount_minor: payout?.amountMinor ?? null,
      end_to_end_id: payout?.endToEndId ?? null,
      code: payout?.code ?? null,
      returns: (payout?.returns ?? []).map((part) => ({
        amount_minor: part.amountMinor,
        code: part.code,
        status: part.status,
      })),
    };
  });
}
