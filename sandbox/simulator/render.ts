// Writes charges and received PIX in the standard's words.
import QRCode from 'qrcode';
import { toWireAmount } from '../../providers/pix-api/wire.js';
import type { ServerDialect } from './server-dialect.js';
import type { SimulatedCharge, SimulatedPix, SimulatedReversal } from './state.js';

/** Short, and longer than the way of a callback and of the look-up that follows it. */
export const CONCLUDES_AFTER_MS = 200;

/** `devolucao` of the standard. */
export function renderReversal(reversal: SimulatedReversal): object {
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

export function renderPix(dialect: ServerDialect, txid: string | null, pixKey: string, pix: SimulatedPix): object {
  const { feeMinor } = dialect.charge;
  return {
    endToEndId: pix.endToEndId,
    ...(txid === null ? {} : { txid }),
    valor: toWireAmount(BigInt(pix.amountMinor)),
    horario: pix.paidAt,
    chave: pixKey,
    ...(pix.reversals.length === 0 ? {} : { devolucoes: pix.reversals.map(renderReversal) }),
    ...(pix.payer === null ? {} : dialect.payerExtension(pix.payer)),
    ...(feeMinor === undefined ? {} : { gnExtras: { tarifa: toWireAmount(feeMinor) } }),
  };
}

/** Banks conclude a charge a moment after its payment, which they show already: `lagMs`. */
export function statusOf({ pix, isRemoved }: SimulatedCharge, lagMs: number): string {
  if (isRemoved) return 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
  const [paid] = pix;
  return paid !== undefined && Date.now() - Date.parse(paid.paidAt) >= lagMs ? 'CONCLUIDA' : 'ATIVA';
}

/** Where a charge is rendered: dialects leave out what the standard lets them. */
export type ChargePlace = 'created' | 'get' | 'list';

interface ChargeView {
  readonly pixKey: string;
  readonly location: string;
  readonly place: ChargePlace;
  readonly lagMs: number;
}

/** `cob` of the standard, with everything paid on it. */
export async function renderCharge(
  dialect: ServerDialect,
  charge: SimulatedCharge,
  { pixKey, location, place, lagMs }: ChargeView,
): Promise<object> {
  const { namesPayer, keepsCodeWhenPaid, expiryInGet } = dialect.charge;
  const status = statusOf(charge, lagMs);
  const asText = place !== 'created' && expiryInGet === 'text';
  const showsPayer = namesPayer || place === 'list';
  const payments = charge.pix.map((pix) =>
    renderPix(dialect, charge.txid, pixKey, showsPayer ? pix : { ...pix, payer: null }),
  );
  return {
    txid: charge.txid,
    status,
    calendario: {
      criacao: charge.createdAt,
      expiracao: asText ? String(charge.expiresInSeconds) : charge.expiresInSeconds,
    },
    revisao: charge.revision,
    ...(dialect.charge.includesLoc === true ? { loc: locOf(charge, location) } : {}),
    location,
    valor: { original: toWireAmount(BigInt(charge.amountMinor)) },
    chave: pixKey,
    ...(status === 'CONCLUIDA' && !keepsCodeWhenPaid ? {} : { pixCopiaECola: charge.copyPaste }),
    ...(charge.description === null ? {} : { solicitacaoPagador: charge.description }),
    ...(dialect.suppliesPng && payments.length === 0
      ? { imagemQrcode: await QRCode.toDataURL(charge.copyPaste, { errorCorrectionLevel: 'M', margin: 2 }) }
      : {}),
    ...(payments.length === 0 ? {} : { pix: payments }),
  };
}

/** `loc`: the location as an object with its own id, a number. */
function locOf({ txid, locationId, createdAt }: SimulatedCharge, location: string): object {
  return { id: Number.parseInt(locationId.slice(0, 7), 16), txid, location, tipoCob: 'cob', criacao: createdAt };
}

/** The standard's callback. It does not name the payer, which a receiver must look up. */
export function renderPixCallback(dialect: ServerDialect, txid: string, pixKey: string, pix: SimulatedPix): object {
  return { pix: [renderPix(dialect, txid, pixKey, { ...pix, payer: null })] };
}
