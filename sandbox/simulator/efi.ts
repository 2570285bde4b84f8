// Efí's side, written from its documentation (docs/simulator.md has the sources): what it adds to API Pix, what it
// leaves out, and its own words.
import { z } from 'zod';
import { toWireAmount } from '../../providers/pix-api/wire.js';
import {
  amount,
  devolucao,
  documentField,
  hasOneDocumentAtMost,
  note,
  ONE_DOCUMENT_AT_MOST,
  oneDocument,
  pixKey,
  standardChargeRequest,
  STATES_IN_PORTUGUESE,
} from './dialects.js';
import { allInvalid, allUnknown } from './errors.js';
import { CONCLUDES_AFTER_MS } from './render.js';
import type { ServerDialect } from './server-dialect.js';
import type { PayoutStatus, SimulatedDispute, SimulatedPayout, SimulatedPix } from './state.js';
import { EFI_PAUSES_MS } from './callback-format.js';

/** It has no state for a payout that came back: the returns show it. */
const stateOf = (status: PayoutStatus) => STATES_IN_PORTUGUESE[status === 'returned' ? 'paid' : status];

export const efi: ServerDialect = {
  token: {
    path: '/oauth/token',
    credentials: 'basic',
    scopes:
      'cob.write cob.read pix.write pix.read webhook.write webhook.read pix.send gn.pix.send.read gn.balance.read ' +
      'gn.infractions.read',
  },
  triesWebhooks: true,
  paths: {
    charge: '/v2/cob/:txid',
    list: '/v2/cob',
    received: '/v2/pix',
    pix: '/v2/pix/:endToEndId',
    reversal: '/v2/pix/:endToEndId/devolucao/:id',
    payoutLookup: '/v2/gn/pix/enviados/id-envio/:reference',
    payouts: '/v2/gn/pix/enviados',
    payoutByEndToEndId: '/v2/gn/pix/enviados/:endToEndId',
    key: null,
    balance: '/v2/gn/saldo',
    webhook: '/v2/webhook/:key',
  },
  disputes: { path: '/v2/gn/infracoes', name: 'infracoes', render: infraction },
  payoutSend: { method: 'put', path: '/v3/gn/pix/:reference' },
  chargeRequest: standardChargeRequest,
  suppliesPng: false,
  payerExtension: (payer) => ({ pagador: { ...documentField(payer), nome: payer.name ?? 'Pagador' } }),
  charge: {
    includesLoc: true,
    feeMinor: 1n,
    namesPayer: false,
    keepsCodeWhenPaid: false,
    expiryInGet: 'text',
    concludesAfterMs: CONCLUDES_AFTER_MS,
  },
  readPayout: z
    .strictObject({
      valor: amount,
      pagador: z.strictObject({ chave: pixKey, infoPagador: note }),
      // Without a document it sends to any holder of the key.
      favorecido: z.strictObject({ chave: pixKey, ...oneDocument }).refine(hasOneDocumentAtMost, ONE_DOCUMENT_AT_MOST),
    })
    .transform(({ valor, favorecido }) => ({
      reference: null,
      amountMinor: valor,
      key: favorecido.chave,
      keyType: null,
      beneficiaryDocument: favorecido.cpf ?? favorecido.cnpj ?? '',
      endToEndId: null,
    })),
  renderPayout: (payout, status, where, pixKeyOfAccount) => ({
    idEnvio: payout.reference,
    ...(where === 'send' ? { e2eId: payout.endToEndId } : { endToEndId: payout.endToEndId }),
    valor: toWireAmount(BigInt(payout.amountMinor)),
    ...(where === 'lookup' ? { chave: pixKeyOfAccount, favorecido: { chave: payout.key } } : {}),
    horario: {
      solicitacao: payout.createdAt,
      ...(where === 'lookup' && payout.settledAt !== null && status !== 'processing'
        ? { liquidacao: payout.settledAt }
        : {}),
    },
    status: stateOf(status),
    ...(payout.returns.length === 0 ? {} : { devolucoes: payout.returns.map(devolucao) }),
  }),
  callbacks: {
    // It appends /pix to the registered address, which here ends in a parameter made for that.
    pixTarget: (secret) => `?hmac=${encodeURIComponent(secret)}&ignorar=/pix`,
    payoutTarget: (secret) => `?hmac=${encodeURIComponent(secret)}&ignorar=/pix`,
    reportsStaticCodes: true,
    pausesMs: EFI_PAUSES_MS,
    payoutBody: (payout, pixKeyOfAccount) => ({ pix: [sendNotice(payout, pixKeyOfAccount)] }),
  },
  failsAs: 'error_without_code',
  // There is no directory to ask.
  readKeyQuestion: z.never(),
  renderKeyOwner: () => ({}),
  budgetHeaders: () => ({}),
  errors: {
    ...allInvalid([400, 'valor_invalido']),
    webhook_refused: [400, 'webhook_invalido'],
    unauthorized: [401, 'nao_autorizado'],
    forbidden: [403, 'acesso_negado'],
    ...allUnknown([404, 'nao_encontrado']),
    charge_unknown: [400, 'cobranca_nao_encontrada'],
    pix_unknown: [400, 'pix_nao_encontrado'],
    return_unknown: [400, 'devolucao_nao_encontrada'],
    payout_unknown: [404, 'PixEnviadoNaoEncontrado'],
    rate_limited: [429, 'limite_excedido'],
    internal: [500, 'erro_aplicacao'],
    unavailable: [503, 'servico_indisponivel'],
    duplicate_charge: [409, 'txid_duplicado'],
    charge_refused: [400, 'documento_bloqueado'],
    duplicate_payout: [409, 'id_envio_duplicado'],
    payout_refused: [422, 'pagamento_negado'],
    payout_key_unknown: [400, 'chave_invalida'],
    key_of_another: [400, 'chave_nao_pertence_ao_documento'],
    unknown_key: [404, 'nao_encontrado'],
    reversal_refused: [400, 'valor_invalido'],
    duplicate_reversal: [409, 'devolucao_id_duplicado'],
  },
  errorType: 'application/json',
  renderError: (word, status, detail) =>
    word === 'PixEnviadoNaoEncontrado'
      ? { type: `https://pix.bcb.gov.br/api/v2/error/${word}`, title: 'Não Encontrado', status, detail }
      : { nome: word, mensagem: detail },
  callbackHeaders: () => ({}),
};

/** A send, as it is reported among the received ones. */
function sendNotice(payout: SimulatedPayout, chave: string) {
  const { reference, endToEndId, amountMinor, status, settledAt, code, returns } = payout;
  const isFailed = status === 'failed';
  return {
    endToEndId,
    chave,
    tipo: 'SOLICITACAO',
    status: stateOf(status),
    valor: toWireAmount(BigInt(amountMinor)),
    horario: isFailed ? null : settledAt,
    ...(returns.length === 0 ? {} : { devolucoes: returns.map(devolucao) }),
    gnExtras: {
      idEnvio: reference,
      ...(isFailed ? { erro: { codigo: code ?? 'ED05', origem: 'PSP do usuário recebedor', motivo: 'simulado' } } : {}),
    },
  };
}

const INFRACTION_STATUSES = {
  open: 'ABERTA',
  defended: 'EM_DEFESA',
  accepted: 'ACEITA',
  rejected: 'REJEITADA',
  canceled: 'CANCELADA_EFI',
} as const satisfies Record<SimulatedDispute['status'], string>;

/** A case of MED with every field of the documented example. */
function infraction(pix: SimulatedPix, { id, status, openedAt, dueAt, changedAt }: SimulatedDispute, chave: string) {
  const party = { conta: '10001', nome: 'Fulano de Tal', documento: '12345678909' };
  return {
    idInfracao: id,
    endToEndId: pix.endToEndId,
    protocolo: '1313',
    dataTransacao: pix.paidAt,
    valor: toWireAmount(BigInt(pix.amountMinor)),
    chave,
    status: INFRACTION_STATUSES[status],
    razao: 'Solicitacao de devolução',
    tipoSituacao: 'golpe',
    tipoFraude: 'aplicativo fraudulento',
    comentario: 'Transação simulada',
    identificadorTicket: [94, 95],
    dadosAnalise: {
      abertura: openedAt,
      prazoFinalizacao: dueAt,
      ...(status === 'open' || status === 'defended' ? {} : { finalizacao: changedAt }),
    },
    origem: { nomeParticipante: 'BANCO XYZ', ...party },
    destino: { nomeParticipante: 'Efí S/A', ...party },
    criadoEm: openedAt,
    atualizadoEm: changedAt,
  };
}
