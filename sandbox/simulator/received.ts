// What a simulated bank of API Pix has received: the list, one PIX, and returns.
import type { Context } from 'koa';
import { z } from 'zod';
import { readJson, SimulatorError, validate } from './answers.js';
import { reversalRequest } from './dialects.js';
import { isWithin, listQuery, pageOf, withinOrder } from './list-pages.js';
import { renderPix, renderReversal } from './render.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';

const receivedQuery = withinOrder(
  listQuery.extend({
    txid: z.string().optional(),
    cpf: z.string().optional(),
    cnpj: z.string().optional(),
    devolucaoPresente: z.enum(['true', 'false']).optional(),
  }),
).refine(({ cpf, cnpj }) => cpf === undefined || cnpj === undefined, 'cpf and cnpj: at most one of them');

/** Received PIX by the time of their payment, in pages. It names no payer, and can be asked about one. */
export function listReceived({ books, account, dialect }: Psp, ctx: Context): void {
  const query = validate(receivedQuery, { ...ctx.query }, 'invalid_pix_query');
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

export const pixPath = z.object({
  endToEndId: z.string().regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits'),
});
const reversalPath = pixPath.extend({
  id: z.string().regex(/^[a-zA-Z0-9]{1,35}$/, 'must be up to 35 letters and digits'),
});

export function getPix({ books, dialect, account }: Psp, ctx: Context): void {
  const { endToEndId } = validate(pixPath, ctx['params'], 'invalid');
  const found = books.pixOf(endToEndId);
  if (!found) throw new SimulatorError('pix_unknown', 'e2eid: no such PIX');
  ctx.body = renderPix(dialect, found.charge.txid, account.pixKey, { ...found.pix, payer: null });
}

export async function putReversal({ provider, bank, books }: Psp, ctx: Context): Promise<void> {
  const { endToEndId, id } = validate(reversalPath, ctx['params'], 'invalid_return');
  const { valor } = await readJson(ctx, reversalRequest, 'invalid_return');
  const isRepeated = books.pixOf(endToEndId)?.pix.reversals.some((reversal) => reversal.id === id);
  if (isRepeated !== true && !books.covers(valor))
    throw new SimulatorError('reversal_refused', 'the balance does not cover it', 'AM04');
  const result = await bank.reverse(provider, endToEndId, { id, amountMinor: valor, nature: 'ORIGINAL' });
  if (result.kind === 'not_found') throw new SimulatorError('not_found', 'e2eid: no such PIX');
  if (result.kind === 'refused')
    throw new SimulatorError(result.reason === 'duplicate' ? 'duplicate_reversal' : 'reversal_refused', result.reason);
  ctx.status = 201;
  ctx.body = renderReversal(result.value);
}

export function getReversal({ books }: Psp, ctx: Context): void {
  const { endToEndId, id } = validate(reversalPath, ctx['params'], 'invalid');
  const reversal = books.pixOf(endToEndId)?.pix.reversals.find((candidate) => candidate.id === id);
  if (!reversal) throw new SimulatorError('return_unknown', 'id: no such return');
  ctx.body = renderReversal(reversal);
}
