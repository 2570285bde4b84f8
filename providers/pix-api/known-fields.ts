// The fields of the standard (2.9.0), and those that a dialect adds. Others are ignored, and reported as drift.
import { fields, type KnownShape } from '../common/known-fields.js';
import type { Dialect } from './dialect.js';

const REVERSAL = fields('id rtrId valor natureza descricao horario status motivo');

interface KnownFields {
  readonly charge: KnownShape;
  readonly payment: KnownShape;
  readonly reversal: KnownShape;
  /** `null` where they are not compared. */
  readonly payout: KnownShape | null;
}

/** Called for each object of an answer: counts it if it has an unknown field. */
export type NoteFields = (kind: keyof KnownFields, body: unknown) => void;

export function knownFieldsOf({ charge: { addedFields }, payout }: Dialect): KnownFields {
  const payment = {
    ...fields('endToEndId txid valor componentesValor chave horario infoPagador'),
    ...fields(addedFields.payment),
    devolucoes: [REVERSAL],
  } satisfies KnownShape;
  const charge = {
    ...fields('calendario txid revisao devedor loc location status valor pixCopiaECola chave solicitacaoPagador'),
    ...fields('infoAdicionais'),
    ...fields(addedFields.charge),
    pix: [payment],
  } satisfies KnownShape;
  const sent = payout?.fields ?? null;
  return { charge, payment, reversal: REVERSAL, payout: sent === null ? null : fields(sent) };
}
