// What a simulated bank of API Pix sends: payouts, their look-ups and list, and the key directory before them.
import type { Context } from 'koa';
import { z } from 'zod';
import { answer, readJson, SimulatorError, validate } from './answers.js';
import { keyBehaviourOf, payoutBehaviourOf } from './behaviours.js';
import { personOf } from './dialects.js';
import { isSpelledAsRegistered } from './key-directory.js';
import { isWithin, listQuery, pageOf } from './list-pages.js';
import { pixPath } from './received.js';
import type { PayoutOrder } from './server-dialect.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';

const NORMAL = { kind: 'normal' } as const;
const referencePath = z.object({
  reference: z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits'),
});
const referenceOf = (ctx: Context) => validate(referencePath, ctx['params'], 'invalid_payout').reference;

export async function sendPayout(psp: Psp, ctx: Context): Promise<void> {
  const { provider, dialect, bank, books, delays } = psp;
  const order = await readJson(ctx, dialect.readPayout, 'invalid_payout');
  const id = order.reference ?? referenceOf(ctx);
  bank.payouts.countSend(provider, id);
  if (books.payouts.has(id)) throw new SimulatorError('duplicate_payout', 'the reference is used already');
  if (!isSpelledAsRegistered(order)) throw new SimulatorError('payout_key_unknown', 'the key: belongs to nobody');
  if (dialect.paths.key === null) compareHolder(psp, order);
  if (!books.covers(order.amountMinor))
    throw new SimulatorError('payout_refused', 'the balance does not cover it', 'AM04');
  const { answer: mode } = payoutBehaviourOf(order.amountMinor);
  if (mode.kind === 'error_without_effect' || mode.kind === 'rate_limited')
    return answer(ctx, dialect, delays, mode, 500, {});
  if (order.endToEndId !== null) psp.directory.giveBack();
  const { payout, answerStatus } = await bank.payouts.accept(provider, id, order);
  if (answerStatus === 'failed' && dialect.failsAs !== 'answer') {
    // Without a code every refusal is final: what proves nothing is a fault of the server.
    const isDoubtful = payout.status !== 'failed' && dialect.failsAs === 'error_without_code';
    throw new SimulatorError(isDoubtful ? 'internal' : 'payout_refused', 'a simulated rejection', payout.code);
  }
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

export function getPayout({ books, dialect, account }: Psp, ctx: Context): void {
  const payout = books.payouts.get(referenceOf(ctx));
  if (!payout) throw new SimulatorError('payout_unknown', 'the reference: no such payout');
  ctx.body = dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey);
}

export function getPayoutByEndToEndId({ books, dialect, account }: Psp, ctx: Context): void {
  const { endToEndId } = validate(pixPath, ctx['params'], 'invalid');
  const payout = [...books.payouts.values()].find((one) => one.endToEndId === endToEndId);
  if (!payout) throw new SimulatorError('payout_unknown', 'e2eid: no such payout');
  ctx.body = dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey);
}

/** Sent payouts by when they were sent, in pages. */
export function listPayouts({ books, dialect, account }: Psp, ctx: Context): void {
  const query = validate(listQuery, { ...ctx.query }, 'invalid');
  const found = [...books.payouts.values()].filter(({ createdAt }) => isWithin(query, createdAt));
  const { parametros, shown } = pageOf(query, found);
  const pix = shown.map((payout) => dialect.renderPayout(payout, payout.status, 'lookup', account.pixKey));
  ctx.body = { parametros, pix };
}

export async function lookUpKey({ dialect, directory, delays, bank }: Psp, ctx: Context): Promise<void> {
  const question = await readJson(ctx, dialect.readKeyQuestion, 'invalid');
  const found = directory.lookUp(question);
  const { tokens, refillSeconds } = directory.budget();
  ctx.set({ ...dialect.budgetHeaders(tokens, refillSeconds) });
  if (found.kind !== 'owner') throw new SimulatorError(found.kind, 'a simulated answer of the directory');
  const behaviour = keyBehaviourOf(question.key);
  const mode = behaviour?.kind === 'slow' ? ({ kind: 'delayed', delayMs: behaviour.delayMs } as const) : NORMAL;
  await answer(ctx, dialect, delays, mode, 200, dialect.renderKeyOwner(found.owner, question, bank.newEndToEndId()));
}
