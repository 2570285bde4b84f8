// Writes charges and received PIX in the standard's words, typed by the schemas that the adapter reads them with.
import QRCode from 'qrcode';
import type { z } from 'zod';
import { toWireAmount } from '../../providers/pix-api/amounts.js';
import type { chargeCallback, wireCharge, wirePix, wireReversal } from '../../providers/pix-api/wire.js';
import type { ServerDialect, WithMore } from './dialects.js';
import type { SimulatedCharge, SimulatedPix, SimulatedReversal } from './state.js';

/** `devolucao` of the standard. */
export function renderReversal(reversal: SimulatedReversal): z.input<typeof wireReversal> {
  return {
    id: reversal.id,
    rtrId: reversal.returnId,
    valor: toWireAmount(BigInt(reversal.amountMinor)),
    natureza: reversal.nature,
    status: reversal.status,
    horario: {
      solicitacao: reversal.requestedAt,
      ...(reversal.settledAt === null ? {} : { liquidacao: reversal.settledAt }),
    },
  };
}

function renderPix(dialect: ServerDialect, txid: string, pixKey: string, pix: SimulatedPix): z.input<typeof wirePix> {
  return {
    endToEndId: pix.endToEndId,
    txid,
    valor: toWireAmount(BigInt(pix.amountMinor)),
    horario: pix.paidAt,
    chave: pixKey,
    ...(pix.reversals.length === 0 ? {} : { devolucoes: pix.reversals.map(renderReversal) }),
    ...(pix.payer === null ? {} : dialect.payerExtension(pix.payer)),
  };
}

/** `cob` of the standard, with everything paid on it. */
export async function renderCharge(
  dialect: ServerDialect,
  charge: SimulatedCharge,
  pixKey: string,
  location: string,
): Promise<WithMore<z.input<typeof wireCharge>>> {
  return {
    txid: charge.txid,
    status: charge.pix.length > 0 ? 'CONCLUIDA' : 'ATIVA',
    calendario: { criacao: charge.createdAt, expiracao: charge.expiresInSeconds },
    revisao: 0,
    location,
    valor: { original: toWireAmount(BigInt(charge.amountMinor)) },
    chave: pixKey,
    pixCopiaECola: charge.copyPaste,
    ...(charge.description === null ? {} : { solicitacaoPagador: charge.description }),
    ...(dialect.suppliesPng && charge.pix.length === 0
      ? { imagemQrcode: await QRCode.toDataURL(charge.copyPaste, { errorCorrectionLevel: 'M', margin: 2 }) }
      : {}),
    ...(charge.pix.length === 0 ? {} : { pix: charge.pix.map((pix) => renderPix(dialect, charge.txid, pixKey, pix)) }),
  };
}

/** The standard's callback. It does not name the payer, which a receiver must look up. */
export function renderPixCallback(
  dialect: ServerDialect,
  txid: string,
  pixKey: string,
  pix: SimulatedPix,
): z.input<typeof chargeCallback> {
  return { pix: [renderPix(dialect, txid, pixKey, { ...pix, payer: null })] };
}
