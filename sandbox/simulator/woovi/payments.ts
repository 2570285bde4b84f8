// Payments of the simulated Woovi: created and, at once or by a second request, approved.
import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { readJson } from '../answers.js';
import { payoutBehaviourOf } from '../behaviours.js';
import { isSpelledAsRegistered } from '../key-directory.js';
import type { Psp } from '../simulated-dialect.js';
import { answer } from './answering.js';
import { WooviRefusal } from './refusal.js';
import { approvePayload, KEY_TYPES, paymentPayload, type PaymentPayload } from './requests.js';
import { paymentAnswer } from './shapes.js';

export function paymentRoutes(router: Router, known: Middleware, psp: Psp): void {
  /** What waits for its approval, by correlationID. A restart forgets it. */
  const waiting = new Map<string, PaymentPayload>();
  router.post('/api/v1/payment', known, (ctx) => postPayment(psp, waiting, ctx));
  router.post('/api/v1/payment/approve', known, (ctx) => approve(psp, waiting, ctx));
  router.get('/api/v1/payment/:id', known, (ctx) => getPayment(psp, waiting, ctx));
}

async function postPayment(psp: Psp, waiting: Map<string, PaymentPayload>, ctx: Context): Promise<void> {
  const { provider, books, bank } = psp;
  const order = await readJson(ctx, paymentPayload, 'invalid_payout');
  const id = order.correlationID;
  bank.payouts.countSend(provider, id);
  if (books.payouts.has(id) || waiting.has(id))
    throw new WooviRefusal(400, 'Já existe um pagamento com o correlationID fornecido');
  const keyType = KEY_TYPES[order.destinationAliasType];
  if (!isSpelledAsRegistered({ key: order.destinationAlias, keyType })) throw new WooviRefusal(400, 'Invalid Pix key');
  if (order.autoApprove) return send(psp, order, ctx);
  waiting.set(id, order);
  ctx.body = waitingPayment(order);
}

async function approve(psp: Psp, waiting: Map<string, PaymentPayload>, ctx: Context): Promise<void> {
  const { correlationID } = await readJson(ctx, approvePayload, 'invalid_payout');
  const order = waiting.get(correlationID);
  if (!order) throw new WooviRefusal(400, 'Payment not found');
  waiting.delete(correlationID);
  await send(psp, order, ctx);
}

async function send(psp: Psp, order: PaymentPayload, ctx: Context): Promise<void> {
  const { provider, bank, delays, directory } = psp;
  const amountMinor = BigInt(order.value);
  const { answer: mode } = payoutBehaviourOf(amountMinor);
  if (mode.kind === 'error_without_effect' || mode.kind === 'rate_limited') return answer(ctx, delays, mode, {});
  const endToEndId = order.pixKeyEndToEndId ?? null;
  if (endToEndId !== null) directory.giveBack();
  const { payout, answerStatus } = await bank.payouts.accept(provider, order.correlationID, {
    reference: order.correlationID,
    amountMinor,
    key: order.destinationAlias,
    keyType: KEY_TYPES[order.destinationAliasType],
    // The request does not say to whom the key should belong.
    beneficiaryDocument: '',
    endToEndId,
  });
  await answer(ctx, delays, mode, paymentAnswer(payout, answerStatus, payerFieldsOf(order)));
}

const payerFieldsOf = ({ destinationAliasType, comment }: PaymentPayload) => ({
  destinationAliasType,
  comment: comment ?? '',
});

function waitingPayment(order: PaymentPayload): object {
  return {
    payment: {
      type: order.type,
      value: order.value,
      status: 'CREATED',
      destinationAlias: order.destinationAlias,
      ...payerFieldsOf(order),
      correlationID: order.correlationID,
    },
  };
}

function getPayment({ books }: Psp, waiting: ReadonlyMap<string, PaymentPayload>, ctx: Context): void {
  const id = String(ctx['params'].id);
  const order = waiting.get(id);
  const payout = books.payouts.get(id);
  // The document knows no 404 here.
  if (!order && !payout) throw new WooviRefusal(400, 'Payment not found');
  ctx.body = payout ? paymentAnswer(payout, payout.status) : waitingPayment(order!);
}
