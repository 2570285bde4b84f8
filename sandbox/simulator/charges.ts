// Charges of a simulated bank of API Pix: made, revised, read, listed, and the payload that a payer's bank fetches.
import type { Context } from 'koa';
import { z } from 'zod';
import { answer, readJson, SimulatorError, validate } from './answers.js';
import { locationOf } from './locations.js';
import { depositBehaviourOf } from './behaviours.js';
import { revisionRequest } from './dialects.js';
import { isWithin, listQuery, pageOf, withinOrder } from './list-pages.js';
import { PAYLOAD_TYPE, signedPayload } from './payload.js';
import { withQuirks } from './quirks.js';
import { type ChargePlace, renderCharge, statusOf } from './render.js';
import type { ChargeBody, ErrorKind } from './server-dialect.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';
import type { ChargeRevision, Person, SimulatedCharge } from './state.js';

const txidPath = z.object({
  txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits'),
});
const txidOf = (ctx: Context, kind: ErrorKind) => validate(txidPath, ctx['params'], kind).txid;

/** The payload behind a code, which a payer's bank fetches. */
export function servePayload(psp: Psp, ctx: Context): void {
  const { books, account, locationBase } = psp;
  const charge = books.charges.get(books.txidOfLocation.get(String(ctx['params'].location)) ?? '');
  if (!charge) throw new SimulatorError('payload_unknown', 'location: no such charge');
  ctx.body = signedPayload(charge, statusOf(charge, lagOf(psp)), account, `${ctx.protocol}://${locationBase}/jwks`);
  ctx.type = PAYLOAD_TYPE;
}

/** How long a paid charge is still reported as active. */
const lagOf = ({ books, dialect }: Psp) => books.lags.lagMs ?? dialect.charge.concludesAfterMs ?? 0;

/** Without the payments that the bank does not show yet. */
function shownOf({ books }: Psp, charge: SimulatedCharge): SimulatedCharge {
  const { shownAfterMs } = books.lags;
  if (shownAfterMs === 0) return charge;
  return { ...charge, pix: charge.pix.filter(({ paidAt }) => Date.now() - Date.parse(paidAt) >= shownAfterMs) };
}

async function render(psp: Psp, charge: SimulatedCharge, place: ChargePlace) {
  const { locationId, amountMinor } = charge;
  const location = locationOf({ amountMinor: BigInt(amountMinor), locationId }, psp.locationBase);
  const view = { pixKey: psp.account.pixKey, location, place, lagMs: lagOf(psp) };
  return withQuirks(await renderCharge(psp.dialect, shownOf(psp, charge), view), psp.books.quirks);
}

export async function putCharge(psp: Psp, ctx: Context): Promise<void> {
  const { provider, dialect, books, delays } = psp;
  const txid = txidOf(ctx, 'invalid_charge');
  const order = await readJson(ctx, dialect.chargeRequest, 'invalid_charge');
  if (order.chave !== psp.account.pixKey)
    throw new SimulatorError('invalid_charge', 'chave: is not a key of this client');
  if (books.charges.has(txid)) return repeatedPut(psp, ctx, txid, order);
  const { answer: mode } = depositBehaviourOf(order.valor.original);
  if (mode.kind === 'refused') throw new SimulatorError('charge_refused', 'a simulated refusal');
  const charge = await psp.bank.createCharge(provider, {
    txid,
    amountMinor: order.valor.original,
    debtor: debtorOf(order),
    description: order.solicitacaoPagador ?? null,
    expiresInSeconds: order.calendario.expiracao,
  });
  // The creation's answer never has payments, not even one that came first.
  await answer(ctx, dialect, delays, mode, 201, await render(psp, { ...charge, pix: [] }, 'created'));
}

/** The standard lets an active charge be revised so. Banks differ: some refuse every txid that they know. */
async function repeatedPut(psp: Psp, ctx: Context, txid: string, order: ChargeBody): Promise<void> {
  const { revisesByPut } = psp.dialect;
  if (revisesByPut === undefined) throw new SimulatorError('duplicate_charge', 'txid: is used already');
  const charge = revised(psp, txid, {
    amountMinor: order.valor.original.toString(),
    debtor: debtorOf(order),
    description: order.solicitacaoPagador ?? null,
    expiresInSeconds: order.calendario.expiracao,
  });
  ctx.status = revisesByPut;
  ctx.body = await render(psp, charge, 'created');
}

function revised({ provider, bank }: Psp, txid: string, changes: ChargeRevision): SimulatedCharge {
  const result = bank.reviseCharge(provider, txid, changes);
  if (result.kind === 'not_found') throw new SimulatorError('charge_unknown', 'txid: no such charge');
  if (result.kind === 'refused') throw new SimulatorError('charge_refused', 'status: only an active charge is revised');
  return result.value;
}

/** `PATCH /cob/{txid}`. */
export async function patchCharge(psp: Psp, ctx: Context): Promise<void> {
  const order = await readJson(ctx, revisionRequest, 'invalid_charge');
  const charge = revised(psp, txidOf(ctx, 'invalid_charge'), {
    ...(order.status === undefined ? {} : { isRemoved: true }),
    ...(order.valor === undefined ? {} : { amountMinor: order.valor.original.toString() }),
    ...(order.calendario === undefined ? {} : { expiresInSeconds: order.calendario.expiracao }),
    ...(order.solicitacaoPagador === undefined ? {} : { description: order.solicitacaoPagador }),
  });
  ctx.body = await render(psp, charge, 'get');
}

function debtorOf({ devedor: { cpf, cnpj, nome } = {} }: ChargeBody): Person | null {
  if (cpf !== undefined) return { type: 'CPF', number: cpf, name: nome ?? null };
  return cnpj === undefined ? null : { type: 'CNPJ', number: cnpj, name: nome ?? null };
}

export async function getCharge(psp: Psp, ctx: Context): Promise<void> {
  const charge = psp.books.charges.get(txidOf(ctx, 'invalid_charge_query'));
  if (!charge) throw new SimulatorError('charge_unknown', 'txid: no such charge');
  ctx.body = await render(psp, charge, 'get');
}

/** Charges by the time of their creation, in pages. */
export async function listCharges(psp: Psp, ctx: Context): Promise<void> {
  const query = validate(withinOrder(listQuery), { ...ctx.query }, 'invalid_charge_query');
  const found = [...psp.books.charges.values()].filter(({ createdAt }) => isWithin(query, createdAt));
  const { parametros, shown } = pageOf(query, found);
  ctx.body = { parametros, cobs: await Promise.all(shown.map((charge) => render(psp, charge, 'list'))) };
}
