// Efí: API Pix for charges and returns, its own endpoints for sends, disputes (MED) and the balance, by its documented
// examples, and one address for both kinds of callbacks.
import { z } from 'zod';
import type { Dispute, DisputeReason, DisputeStatus } from '../../domain/disputes.js';
import {
  parseWireAmount,
  toWireAmount,
  parseWireBalance,
  endToEndId,
  MAX_LIST,
  amount,
  amountBy,
  fee,
  payoutReturns,
  reference,
  shortCode,
  type WirePayout,
} from './wire.js';
import { instant } from '../common/answers.js';
import type { ListedPayout } from '../../domain/listed-payouts.js';
import { PAGE_SIZE, textOfReturns } from './list-pages.js';
import { type Dialect, documentField, under, STANDARD_SCOPES, STANDARD_RETURN_STATES } from './dialect.js';
import { ALL_PROVING_CODES } from './refusals.js';

// Cases of MED (`GET /v2/gn/infracoes`): the names, documents and the payer's text in them are not read.
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
const efiDisputes = z
  .object({
    parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int().min(0) }) }),
    infracoes: z.array(z.unknown()).max(MAX_LIST),
  })
  .transform(({ parametros, infracoes }) => ({ cases: infracoes, pages: parametros.paginacao.quantidadeDePaginas }));

/** One case. */
const efiDispute: z.ZodType<Dispute> = z
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

// The list of sent PIX (`GET /v2/gn/pix/enviados`): receivers are not read.
const payouts = z.array(z.unknown()).max(MAX_LIST);
const pages = z.object({ paginacao: z.object({ quantidadeDePaginas: z.number().int().min(0) }) });

/** The documentation shows one payout, Efí's own client a list without pages, and the standard a page with them. */
const efiPayouts = z.union([
  z.object({ parametros: pages, pix: payouts }).transform(({ parametros, pix }) => ({
    payouts: pix,
    hasMore: (page: number) => page + 1 < parametros.paginacao.quantidadeDePaginas,
  })),
  payouts.transform((listed) => ({ payouts: listed, hasMore: () => listed.length >= PAGE_SIZE })),
]);

const returns = z
  .array(z.object({ id: z.string().min(1).max(64), status: z.string().min(1).max(40) }))
  .max(MAX_LIST)
  .nullish()
  .transform((returns) => textOfReturns(returns ?? []));

/** `null` if it failed, so nothing left. */
const efiListedPayout: z.ZodType<ListedPayout | null> = z
  .object({
    idEnvio: z.string().min(1).max(64).nullish(),
    endToEndId: endToEndId.nullish(),
    valor: amount,
    status: z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']),
    horario: z.object({ solicitacao: instant.nullish(), liquidacao: instant.nullish() }),
    devolucoes: returns,
  })
  .transform(({ idEnvio, endToEndId: sent, valor, status, horario, devolucoes }, context) => {
    if (status === 'NAO_REALIZADO') return null;
    const payoutId = idEnvio ?? sent ?? null;
    const sentAt = horario.solicitacao ?? horario.liquidacao ?? null;
    if (payoutId === null || sentAt === null) {
      context.issues.push({ code: 'custom', message: 'has no id or no time', input: horario });
      return z.NEVER;
    }
    const isSettled = status === 'REALIZADO';
    return {
      payoutId,
      reference: idEnvio ?? null,
      endToEndId: sent ?? null,
      amountMinor: valor,
      sentAt,
      isSettled,
      returns: devolucoes,
    };
  });

/** A sent PIX as Efí answers the send, and with other names the look-up. The look-up has no failure code. */
const efiPayout = z
  .object({
    idEnvio: reference,
    valor: amount,
    status: z.string().max(40),
    e2eId: endToEndId.nullish(),
    endToEndId: endToEndId.nullish(),
    horario: z.object({ solicitacao: instant.nullish(), liquidacao: instant.nullish() }).nullish(),
    gnExtras: z.object({ erro: z.object({ codigo: shortCode.nullish() }).nullish(), tarifa: fee }).nullish(),
    devolucoes: payoutReturns,
  })
  .transform((wire): WirePayout => ({
    reference: wire.idEnvio,
    amountMinor: wire.valor,
    state: wire.status,
    endToEndId: wire.endToEndId ?? wire.e2eId ?? null,
    code: wire.gnExtras?.erro?.codigo ?? null,
    paidAt: wire.horario?.liquidacao ?? null,
    returns: wire.devolucoes ?? [],
    feeMinor: wire.gnExtras?.tarifa ?? null,
  }));

/** Efí's balance, below zero where the account is overdrawn. The blocked amount is answered on request only. */
const efiBalance = z
  .object({ saldo: amountBy(parseWireBalance), bloqueios: z.object({ total: amount }).nullish().catch(null) })
  .transform(({ saldo, bloqueios }) => ({ availableMinor: saldo, blockedMinor: bloqueios?.total ?? null }));

export const EFI: Dialect = {
  contract: 'efi 2024-07',
  // The list of charges names the payer, callbacks only if the account is set so. No key directory is documented: the
  // holder is compared at the send, which needs an address registered on the paying key.
  capabilities: {
    depositRequirements: ['player.name'],
    namesPayer: true,
    keyOwners: 'at_send',
    sendsPayouts: true,
    reusesCallbackBodies: true,
  },
  hosts: {
    real: ['pix.api.efipay.com.br', 'api-pix.gerencianet.com.br'],
    test: ['pix-h.api.efipay.com.br', 'api-pix-h.gerencianet.com.br'],
    testCodes: ['qrcodespix-h.sejaefi.com.br'],
  },
  token: { at: { of: 'base', path: '/oauth/token' }, credentials: 'basic', encoding: 'json', scopes: null },
  clientIdHeader: null,
  neededScopes: [...STANDARD_SCOPES, 'pix.send', 'gn.pix.send.read', 'gn.balance.read', 'gn.infractions.read'],
  prefixes: under('/v2'),
  charge: {
    payerIn: 'list',
    debtor: 'named',
    sendsPayerEmail: false,
    addedFields: { charge: '', payment: 'pagador gnExtras' },
    duplicateErrors: ['txid_duplicado'],
    notFoundErrors: ['cobranca_nao_encontrada', 'nao_encontrado'],
  },
  // The answer for a charge that does not exist is 400, where the standard says 404.
  notFoundStatuses: [404, 400],
  reversal: {
    finalErrors: ['valor_invalido'],
    notFoundErrors: ['devolucao_nao_encontrada', 'nao_encontrado'],
  },
  payout: {
    method: 'PUT',
    path: (reference) => `/v3/gn/pix/${reference}`,
    lookupPath: (reference) => `/v2/gn/pix/enviados/id-envio/${reference}`,
    body: (request, payingKey) => ({
      valor: toWireAmount(request.amountMinor),
      pagador: { chave: payingKey, infoPagador: request.description },
      favorecido: { chave: request.key.value, ...documentField(request.beneficiaryDocument) },
    }),
    reply: efiPayout,
    notice: null,
    fields: 'idEnvio e2eId endToEndId valor horario status chave infoPagador favorecido gnExtras devolucoes',
    states: { EM_PROCESSAMENTO: 'processing', REALIZADO: 'paid', NAO_REALIZADO: 'failed' },
    returnStates: STANDARD_RETURN_STATES,
    finalRefusals: {
      chave_nao_pertence_ao_documento: { failureCode: 'key_of_another_document' },
      chave_invalida: { failureCode: 'paying_key_invalid' },
      documento_bloqueado: { failureCode: 'account_blocked' },
      valor_invalido: { failureCode: 'payout_invalid' },
      pagamento_negado: { failureCode: 'payment_denied' },
    },
    finalCodes: ALL_PROVING_CODES,
    duplicateCodes: ['AM05'],
    // Documented as final; the look-up has no code, only the callback does.
    defaultFailureCode: 'nao_realizado',
    notFoundErrors: ['pix_enviado_nao_encontrado'],
    list: { path: '/v2/gn/pix/enviados', page: efiPayouts, read: efiListedPayout },
  },
  balance: { path: '/v2/gn/saldo?bloqueios=true', reply: efiBalance },
  disputes: { path: '/v2/gn/infracoes', page: efiDisputes, read: efiDispute },
  key: null,
  registersWebhooks: true,
  callback: { scheme: 'certificate_or_query', parameter: 'hmac' },
  payoutNotices: 'batch',
};
