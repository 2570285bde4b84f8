// Efí's cases of MED (`GET /v2/gn/infracoes`), by its documented example. The names, documents and the payer's text in
// them are not read.
import { z } from 'zod';
import type { Dispute, DisputeReason, DisputeStatus } from '../../domain/disputes.js';
import { parseWireAmount } from './amounts.js';
import { endToEndId, instant, MAX_LIST } from './wire.js';

const STATUSES = {
  ABERTA: 'open',
  EM_DEFESA: 'defended',
  ACEITA: 'accepted',
  REJEITADA: 'rejected',
  CANCELADA_EFI: 'canceled',
} as const satisfies Record<string, DisputeStatus>;

const REASONS: Readonly<Record<string, DisputeReason>> = {
  golpe: 'scam',
  'aquisição da conta': 'account_takeover',
  coerção: 'coercion',
  'acesso fraudulento': 'fraudulent_access',
  outro: 'other',
  desconhecido: 'unknown',
};

/** A page of the list. */
export const efiDisputes = z
  .object({
    parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int().min(0) }) }),
    infracoes: z.array(z.unknown()).max(MAX_LIST),
  })
  .transform(({ parametros, infracoes }) => ({ cases: infracoes, pages: parametros.paginacao.quantidadeDePaginas }));

/** One case. */
export const efiDispute: z.ZodType<Dispute> = z
  .object({
    idInfracao: z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be an id'),
    endToEndId,
    status: z.enum(Object.keys(STATUSES) as (keyof typeof STATUSES)[]),
    // The example writes "100", which may be reais or centavos: only a value with centavos has one meaning.
    valor: z.string().max(20).nullish().catch(null),
    tipoSituacao: z.string().max(100).nullish().catch(null),
    dadosAnalise: z.object({ abertura: instant, prazoFinalizacao: instant.nullish().catch(null) }),
  })
  .transform(({ idInfracao, endToEndId: paid, status, valor, tipoSituacao, dadosAnalise }) => ({
    id: idInfracao,
    endToEndId: paid,
    amountMinor: parseWireAmount(valor ?? ''),
    status: STATUSES[status],
    reason: reasonOf(tipoSituacao ?? null),
    openedAt: dadosAnalise.abertura,
    dueAt: dadosAnalise.prazoFinalizacao ?? null,
  }));

function reasonOf(word: string | null): DisputeReason | null {
  if (word === null) return null;
  const known = word.trim().toLowerCase();
  return Object.hasOwn(REASONS, known) ? REASONS[known]! : 'other';
}
