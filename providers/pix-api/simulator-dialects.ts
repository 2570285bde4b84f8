// The dialects of the sandbox's simulated providers. They exist at no bank: together they vary what banks vary.
import type { PixKeyType } from '../../domain/pix.js';
import {
  toWireAmount,
  amount,
  endToEndId,
  MAX_LIST,
  noticedEndToEndId,
  type PayoutReferences,
  payoutReturns,
  reference,
  reportedDocument,
  returnId,
  shortCode,
  type WireKeyOwner,
  type WirePayout,
} from './wire.js';
import { type Dialect, documentField, under, STANDARD_RETURN_STATES } from './dialect.js';
import { ALL_PROVING_CODES } from './refusals.js';
import { instant } from '../common/answers.js';
import { z } from 'zod';

const KEY_TYPE_OF_B = {
  cpf: 'CPF',
  cnpj: 'CNPJ',
  email: 'EMAIL',
  phone: 'PHONE',
  random: 'RANDOM',
} as const satisfies Record<PixKeyType, string>;

const COMMON = { keyOwners: 'directory', sendsPayouts: true, reusesCallbackBodies: false } as const;

const SIMULATED_FIELDS = { charge: 'imagemQrcode', payment: 'pagador extras gnExtras' } as const;

const simulatorPayout = z
  .object({
    idEnvio: reference,
    valor: amount,
    status: z.string().max(40),
    endToEndId: endToEndId.nullish(),
    motivo: z.object({ codigo: shortCode.nullish() }).nullish(),
    horario: z.object({ solicitacao: instant, liquidacao: instant.nullish() }),
    devolucoes: payoutReturns,
  })
  .transform((wire): WirePayout => ({
    reference: wire.idEnvio,
    amountMinor: wire.valor,
    state: wire.status,
    endToEndId: wire.endToEndId ?? null,
    code: wire.motivo?.codigo ?? null,
    paidAt: wire.horario.liquidacao ?? null,
    returns: wire.devolucoes ?? [],
  }));

const providerAPayout = z
  .object({
    idEnvio: reference,
    valor: amount,
    status: z.string().max(40),
    e2eId: endToEndId.nullish(),
    codigoErro: shortCode.nullish(),
    dataLiquidacao: instant.nullish(),
    devolucoes: payoutReturns,
  })
  .transform((wire): WirePayout => ({
    reference: wire.idEnvio,
    amountMinor: wire.valor,
    state: wire.status,
    endToEndId: wire.e2eId ?? null,
    code: wire.codigoErro ?? null,
    paidAt: wire.dataLiquidacao ?? null,
    returns: wire.devolucoes ?? [],
  }));

const providerBPayout = z
  .object({
    payment: z.object({
      correlationID: reference,
      /** Cents, as a number. */
      value: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
      status: z.string().max(40),
      endToEndId: endToEndId.nullish(),
      errorCode: shortCode.nullish(),
      confirmedAt: instant.nullish(),
      refunds: z
        .array(
          z.object({
            refundId: returnId,
            value: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
            status: z.string().max(40),
            time: instant,
            errorCode: shortCode.nullish(),
          }),
        )
        .max(MAX_LIST)
        .nullish(),
    }),
  })
  .transform(({ payment }): WirePayout => ({
    reference: payment.correlationID,
    amountMinor: BigInt(payment.value),
    state: payment.status,
    endToEndId: payment.endToEndId ?? null,
    code: payment.errorCode ?? null,
    paidAt: payment.confirmedAt ?? null,
    returns: (payment.refunds ?? []).map(({ refundId, value, status, time, errorCode }) => ({
      id: refundId,
      amountMinor: BigInt(value),
      state: status,
      at: time,
      code: errorCode ?? null,
    })),
  }));

const simulatorKeyOwner = z
  .object({
    titular: z.object({ cpf: reportedDocument.optional(), cnpj: reportedDocument.optional() }),
    endToEndId: endToEndId.nullish(),
  })
  .transform((wire, context): WireKeyOwner => {
    const document = wire.titular.cpf ?? wire.titular.cnpj;
    if (document !== undefined) return { kind: 'document', document, endToEndId: wire.endToEndId ?? null };
    context.addIssue({ code: 'custom', message: 'titular needs cpf or cnpj' });
    return z.NEVER;
  });
const providerAKeyOwner = z
  .object({ proprietario: z.object({ cpfCnpj: reportedDocument }), e2eId: endToEndId.nullish() })
  .transform((wire): WireKeyOwner => ({
    kind: 'document',
    document: wire.proprietario.cpfCnpj,
    endToEndId: wire.e2eId ?? null,
  }));

const providerBKeyOwner = z
  .object({ taxIDMatches: z.boolean(), endToEndId: endToEndId.nullish() })
  .transform((wire): WireKeyOwner => ({
    kind: 'verdict',
    matches: wire.taxIDMatches,
    endToEndId: wire.endToEndId ?? null,
  }));

const noticedId = noticedEndToEndId.nullish().catch(null);

const simulatorPayoutNotice = z
  .object({ idEnvio: reference, endToEndId: noticedId })
  .transform((wire): PayoutReferences => ({ reference: wire.idEnvio, endToEndId: wire.endToEndId ?? null }));

const providerAPayoutNotice = z
  .object({ idEnvio: reference, e2eId: noticedId })
  .transform((wire): PayoutReferences => ({ reference: wire.idEnvio, endToEndId: wire.e2eId ?? null }));

const providerBPayoutNotice = z
  .object({ payment: z.object({ correlationID: reference, endToEndId: noticedId }) })
  .transform(({ payment }): PayoutReferences => ({
    reference: payment.correlationID,
    endToEndId: payment.endToEndId ?? null,
  }));

// The published standard: problem+json errors, unmasked documents, callbacks with a shared secret.
export const SIMULATOR: Dialect = {
  contract: 'simulator 1',
  capabilities: { ...COMMON, depositRequirements: [], namesPayer: true },
  hosts: { real: [], test: [] },
  token: { at: { of: 'base', path: '/oauth/token' }, credentials: 'basic', encoding: 'form', scopes: null },
  clientIdHeader: null,
  neededScopes: [],
  prefixes: under(''),
  charge: {
    debtor: 'always',
    payerIn: 'pagador',
    sendsPayerEmail: false,
    addedFields: SIMULATED_FIELDS,
    duplicateErrors: ['cob_duplicada'],
    notFoundErrors: ['nao_encontrado', 'cob_nao_encontrado'],
  },
  notFoundStatuses: [404],
  reversal: {
    finalErrors: ['pix_devolucao_invalida'],
    notFoundErrors: ['nao_encontrado', 'pix_devolucao_nao_encontrada'],
  },
  payout: {
    method: 'PUT',
    path: (reference) => `/pix-out/${reference}`,
    lookupPath: (reference) => `/pix-out/${reference}`,
    body: (request, payingKey) => ({
      valor: toWireAmount(request.amountMinor),
      pagador: { chave: payingKey, infoPagador: request.description },
      favorecido: {
        chave: request.key.value,
        tipoChave: request.key.type,
        ...documentField(request.beneficiaryDocument),
      },
      ...(request.lookupEndToEndId === null ? {} : { endToEndId: request.lookupEndToEndId }),
    }),
    reply: simulatorPayout,
    notice: simulatorPayoutNotice,
    fields: null,
    states: { EM_PROCESSAMENTO: 'processing', REALIZADO: 'paid', NAO_REALIZADO: 'failed', DEVOLVIDO: 'returned' },
    returnStates: STANDARD_RETURN_STATES,
    finalRefusals: {
      pix_out_operacao_invalida: { failureCode: 'payout_invalid' },
      pix_out_chave_nao_encontrada: { failureCode: 'key_not_found' },
      pix_out_recusado: 'see_code',
    },
    finalCodes: ALL_PROVING_CODES,
    duplicateCodes: ['AM05'],
    defaultFailureCode: null,
    notFoundErrors: ['nao_encontrado'],
    list: null,
  },
  balance: null,
  disputes: null,
  key: {
    path: '/dict/consulta',
    body: (key, expected) => ({ chave: key.value, tipoChave: key.type, esperado: documentField(expected) }),
    reply: simulatorKeyOwner,
    unknownKeyErrors: ['chave_nao_encontrada'],
    budgetHeaders: { remaining: 'ratelimit-remaining', resetSeconds: 'ratelimit-reset' },
  },
  registersWebhooks: false,
  callback: { scheme: 'secret', header: 'x-callback-secret' },
  payoutNotices: 'own_address',
};

// `{nome, mensagem}` errors, the payer in an extension, masked holders, PNGs, signed callbacks.
export const SIMULATOR_A: Dialect = {
  contract: 'simulator-a 1',
  capabilities: { ...COMMON, depositRequirements: ['player.name', 'player.email'], namesPayer: true },
  hosts: { real: [], test: [] },
  token: { at: { of: 'base', path: '/oauth/token' }, credentials: 'basic', encoding: 'json', scopes: null },
  clientIdHeader: null,
  neededScopes: [],
  prefixes: under('/v2'),
  charge: {
    debtor: 'always',
    payerIn: 'extras',
    sendsPayerEmail: true,
    addedFields: SIMULATED_FIELDS,
    duplicateErrors: ['txid_duplicado'],
    notFoundErrors: ['nao_encontrado', 'cobranca_nao_encontrada'],
  },
  notFoundStatuses: [404],
  reversal: {
    finalErrors: ['devolucao_invalida'],
    notFoundErrors: ['nao_encontrado'],
  },
  payout: {
    method: 'PUT',
    path: (reference) => `/v2/pix/envios/${reference}`,
    lookupPath: (reference) => `/v2/pix/envios/id-envio/${reference}`,
    body: (request, payingKey) => ({
      valor: toWireAmount(request.amountMinor),
      pagador: { chave: payingKey, infoPagador: request.description },
      favorecido: { chave: request.key.value, ...documentField(request.beneficiaryDocument) },
      ...(request.lookupEndToEndId === null ? {} : { e2eId: request.lookupEndToEndId }),
    }),
    reply: providerAPayout,
    notice: providerAPayoutNotice,
    fields: null,
    states: { EM_PROCESSAMENTO: 'processing', REALIZADO: 'paid', NAO_REALIZADO: 'failed', DEVOLVIDO: 'returned' },
    returnStates: STANDARD_RETURN_STATES,
    finalRefusals: {
      envio_invalido: { failureCode: 'payout_invalid' },
      chave_nao_encontrada: { failureCode: 'key_not_found' },
      envio_rejeitado: 'see_code',
    },
    finalCodes: ALL_PROVING_CODES,
    duplicateCodes: ['AM05'],
    defaultFailureCode: null,
    notFoundErrors: ['nao_encontrado'],
    list: null,
  },
  balance: null,
  disputes: null,
  key: {
    path: '/v2/pix/chaves/consulta',
    body: (key, expected) => ({ chave: key.value, cpfCnpjEsperado: expected.number }),
    reply: providerAKeyOwner,
    unknownKeyErrors: ['chave_inexistente'],
    budgetHeaders: { remaining: 'x-dict-fichas', resetSeconds: 'x-dict-reposicao' },
  },
  registersWebhooks: false,
  callback: { scheme: 'hmac', header: 'x-assinatura' },
  payoutNotices: 'own_address',
};

// English names, cents as numbers, yes or no for the holder, and never a payer.
export const SIMULATOR_B: Dialect = {
  contract: 'simulator-b 1',
  capabilities: { ...COMMON, depositRequirements: ['player.name'], namesPayer: false },
  hosts: { real: [], test: [] },
  token: { at: { of: 'base', path: '/auth/token' }, credentials: 'body', encoding: 'form', scopes: null },
  clientIdHeader: null,
  neededScopes: [],
  prefixes: under('/v1'),
  charge: {
    debtor: 'always',
    payerIn: null,
    sendsPayerEmail: false,
    addedFields: SIMULATED_FIELDS,
    duplicateErrors: ['charge_already_exists'],
    notFoundErrors: ['not_found'],
  },
  notFoundStatuses: [404],
  reversal: {
    finalErrors: ['refund_refused'],
    notFoundErrors: ['not_found'],
  },
  payout: {
    method: 'POST',
    path: () => '/v1/payment',
    lookupPath: (reference) => `/v1/payment/${reference}`,
    body: (request) => ({
      correlationID: request.reference,
      value: Number(request.amountMinor),
      destinationAlias: request.key.value,
      destinationAliasType: KEY_TYPE_OF_B[request.key.type],
      taxID: request.beneficiaryDocument.number,
      comment: request.description,
      ...(request.lookupEndToEndId === null ? {} : { endToEndId: request.lookupEndToEndId }),
    }),
    reply: providerBPayout,
    notice: providerBPayoutNotice,
    fields: null,
    states: {
      CREATED: 'processing',
      PROCESSING: 'processing',
      CONFIRMED: 'paid',
      FAILED: 'failed',
      RETURNED: 'returned',
    },
    returnStates: { IN_PROCESSING: 'pending', REFUNDED: 'done', NOT_ACCOMPLISHED: 'refused' },
    finalRefusals: {
      invalid_payment: { failureCode: 'payout_invalid' },
      destination_alias_not_found: { failureCode: 'key_not_found' },
      payment_refused: 'see_code',
    },
    finalCodes: ALL_PROVING_CODES,
    duplicateCodes: ['AM05'],
    defaultFailureCode: null,
    notFoundErrors: ['not_found'],
    list: null,
  },
  balance: null,
  disputes: null,
  key: {
    path: '/v1/pix-keys/verify',
    body: (key, expected) => ({ key: key.value, type: KEY_TYPE_OF_B[key.type], taxID: expected.number }),
    reply: providerBKeyOwner,
    unknownKeyErrors: ['pix_key_not_found'],
    budgetHeaders: { remaining: 'x-lookup-tokens', resetSeconds: 'x-lookup-refill-seconds' },
  },
  registersWebhooks: false,
  callback: { scheme: 'secret', header: 'x-webhook-token' },
  payoutNotices: 'own_address',
};
