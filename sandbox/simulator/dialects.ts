// The provider's side of the dialects of API Pix: paths, words and shapes, written apart from the adapter's tables and
// schemas, so that a slip in one of them shows in the tests between the two. Here: the sandbox's own three.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { PIX_KEY_TYPES, type PixKeyType } from '../../domain/pix.js';
import { parseWireAmount, toWireAmount } from '../../providers/pix-api/wire.js';
import { allInvalid, allUnknown, PAYOUT_ERRORS, renderProblem, STANDARD_ERRORS } from './errors.js';
import type { ChargeBody, ServerDialect } from './server-dialect.js';
import type { PayoutStatus, Person, SimulatedPayoutReturn } from './state.js';

/** What all three sandbox dialects share. */
const OWN: Pick<ServerDialect, 'callbacks' | 'charge'> = {
  callbacks: { pixTarget: () => '/pix', payoutTarget: () => '/payouts', payoutBody: null },
  charge: { namesPayer: true, keepsCodeWhenPaid: true, expiryInGet: 'number' },
};

export const amount = z.string().transform((text, context) => {
  const amountMinor = parseWireAmount(text);
  if (amountMinor !== null && amountMinor > 0n) return amountMinor;
  context.addIssue({ code: 'custom', message: 'must be a positive amount like 37.00' });
  return z.NEVER;
});
const cpf = z.string().regex(/^\d{11}$/, 'must be 11 digits');
/** With letters in numbers that are issued since July 2026. */
export const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const cnpj = z.string().regex(CNPJ, 'must be 12 digits or capital letters and 2 digits');
const taxNumber = z.string().regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/, 'must be a CPF or CNPJ without punctuation');
const endToEndId = z.string().regex(/^[a-zA-Z0-9]{32}$/, 'must be 32 letters and digits');
export const pixKey = z.string().min(1).max(77);
export const note = z.string().max(140).optional();

export const personOf = (number: string): Person => ({
  type: number.length === 11 ? 'CPF' : 'CNPJ',
  number,
  name: null,
});
export const oneDocument = { cpf: cpf.optional(), cnpj: cnpj.optional() };
const hasOneDocument = (value: { cpf?: string | undefined; cnpj?: string | undefined }) =>
  (value.cpf === undefined) !== (value.cnpj === undefined);
const ONE_DOCUMENT = 'needs exactly one of cpf and cnpj';
export const hasOneDocumentAtMost = (value: { cpf?: string | undefined; cnpj?: string | undefined }) =>
  value.cpf === undefined || value.cnpj === undefined;
export const ONE_DOCUMENT_AT_MOST = 'needs one of cpf and cnpj at most';

/** The body of `PUT /cob/{txid}`; `needs` are the debtor's fields that a provider of the sandbox insists on. */
function chargeRequest(needs: readonly ('nome' | 'email')[]) {
  return z.object({
    calendario: z.object({ expiracao: z.number().int().min(1).max(315_360_000) }),
    devedor: z
      .object({ ...oneDocument, nome: z.string().min(1).max(200).optional(), email: z.string().max(254).optional() })
      .refine(hasOneDocument, ONE_DOCUMENT)
      .superRefine((value, context) => {
        for (const field of needs)
          if (value[field] === undefined)
            context.addIssue({ code: 'custom', path: [field], message: 'is required by this provider' });
      }),
    valor: z.object({ original: amount }),
    chave: pixKey,
    solicitacaoPagador: note,
  });
}

/** As the standard has it: a debtor with document and name, or none. */
export const standardChargeRequest: z.ZodType<ChargeBody> = z.object({
  calendario: z.object({ expiracao: z.number().int().min(1).max(2_147_483_647) }),
  devedor: z
    .strictObject({ ...oneDocument, nome: z.string().min(1).max(200) })
    .refine(hasOneDocument, ONE_DOCUMENT)
    .optional(),
  valor: z.object({ original: amount }),
  chave: pixKey,
  solicitacaoPagador: note,
});

/** The body of `PATCH /cob/{txid}`: what changes. */
export const revisionRequest = z
  .object({
    status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional(),
    calendario: z.object({ expiracao: z.number().int().min(1).max(2_147_483_647) }).optional(),
    valor: z.object({ original: amount }).optional(),
    solicitacaoPagador: note,
  })
  .refine(
    ({ status, ...others }) => status === undefined || Object.values(others).every((value) => value === undefined),
    'status: is changed alone',
  );

/** The body of `PUT /pix/{e2eid}/devolucao/{id}` in every dialect. */
export const reversalRequest = z.object({ valor: amount });

/** `52998224725` → `***.982.247-**`, as banks show it; a CNPJ alike. */
function masked(document: string): string {
  return document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/${document.slice(8, 12)}-**`;
}

export const documentField = (person: Pick<Person, 'type' | 'number'>) =>
  person.type === 'CPF' ? { cpf: person.number } : { cnpj: person.number };
export const STATES_IN_PORTUGUESE = {
  processing: 'EM_PROCESSAMENTO',
  paid: 'REALIZADO',
  failed: 'NAO_REALIZADO',
  returned: 'DEVOLVIDO',
} as const satisfies Record<PayoutStatus, string>;
const STATES_IN_ENGLISH = {
  processing: 'PROCESSING',
  paid: 'CONFIRMED',
  failed: 'FAILED',
  returned: 'RETURNED',
} as const satisfies Record<PayoutStatus, string>;
const RETURN_STATES_OF_B = {
  EM_PROCESSAMENTO: 'IN_PROCESSING',
  DEVOLVIDO: 'REFUNDED',
  NAO_REALIZADO: 'NOT_ACCOMPLISHED',
} as const satisfies Record<SimulatedPayoutReturn['status'], string>;

/** A return in the standard's words. */
export const devolucao = ({ id, amountMinor, code, status, at }: SimulatedPayoutReturn) => ({
  id,
  valor: toWireAmount(BigInt(amountMinor)),
  status,
  horario: { solicitacao: at, ...(status === 'EM_PROCESSAMENTO' ? {} : { liquidacao: at }) },
  codigo: code,
});
const KEY_TYPES_OF_B = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'] as const;
const TYPE_OF_KEY_OF_B = {
  CPF: 'cpf',
  CNPJ: 'cnpj',
  EMAIL: 'email',
  PHONE: 'phone',
  RANDOM: 'random',
} as const satisfies Record<(typeof KEY_TYPES_OF_B)[number], PixKeyType>;

export const simulator: ServerDialect = {
  ...OWN,
  token: { path: '/oauth/token', credentials: 'basic' },
  paths: {
    charge: '/cob/:txid',
    reversal: '/pix/:endToEndId/devolucao/:id',
    payoutLookup: '/pix-out/:reference',
    key: '/dict/consulta',
    list: null,
    received: '/pix',
  },
  payoutSend: { method: 'put', path: '/pix-out/:reference' },
  chargeRequest: chargeRequest([]),
  suppliesPng: false,
  payerExtension: (payer) => ({ pagador: { ...documentField(payer), nome: payer.name } }),
  readPayout: z
    .object({
      valor: amount,
      pagador: z.object({ chave: pixKey, infoPagador: note }),
      favorecido: z
        .object({ chave: pixKey, tipoChave: z.enum(PIX_KEY_TYPES), ...oneDocument })
        .refine(hasOneDocument, ONE_DOCUMENT),
      endToEndId: endToEndId.optional(),
    })
    .transform(({ valor, favorecido, endToEndId: lookup }) => ({
      reference: null,
      amountMinor: valor,
      key: favorecido.chave,
      keyType: favorecido.tipoChave,
      beneficiaryDocument: favorecido.cpf ?? favorecido.cnpj ?? '',
      endToEndId: lookup ?? null,
    })),
  renderPayout: (payout, status) => ({
    idEnvio: payout.reference,
    valor: toWireAmount(BigInt(payout.amountMinor)),
    status: STATES_IN_PORTUGUESE[status],
    endToEndId: payout.endToEndId,
    horario: {
      solicitacao: payout.createdAt,
      ...(payout.settledAt !== null && status !== 'processing' ? { liquidacao: payout.settledAt } : {}),
    },
    ...(status === 'failed' && payout.code !== null ? { motivo: { codigo: payout.code } } : {}),
    ...(payout.returns.length === 0 ? {} : { devolucoes: payout.returns.map(devolucao) }),
  }),
  failsAs: 'answer',
  readKeyQuestion: z
    .object({
      chave: pixKey,
      tipoChave: z.enum(PIX_KEY_TYPES),
      esperado: z.object(oneDocument).refine(hasOneDocument, ONE_DOCUMENT),
    })
    .transform(({ chave, tipoChave, esperado }) => ({
      key: chave,
      keyType: tipoChave,
      expected: personOf(esperado.cpf ?? esperado.cnpj ?? ''),
    })),
  renderKeyOwner: (owner, question, id) => ({
    chave: question.key,
    titular: documentField(owner),
    endToEndId: id,
  }),
  budgetHeaders: (tokens, refillSeconds) => ({
    'ratelimit-remaining': String(tokens),
    'ratelimit-reset': String(refillSeconds),
  }),
  errors: { ...STANDARD_ERRORS, ...PAYOUT_ERRORS },
  errorType: 'application/problem+json',
  renderError: renderProblem,
  callbackHeaders: (secret) => ({ 'x-callback-secret': secret }),
};

export const a: ServerDialect = {
  ...OWN,
  token: { path: '/oauth/token', credentials: 'basic' },
  paths: {
    charge: '/v2/cob/:txid',
    reversal: '/v2/pix/:endToEndId/devolucao/:id',
    payoutLookup: '/v2/pix/envios/id-envio/:reference',
    key: '/v2/pix/chaves/consulta',
    list: null,
    received: '/v2/pix',
  },
  payoutSend: { method: 'put', path: '/v2/pix/envios/:reference' },
  chargeRequest: chargeRequest(['nome', 'email']),
  suppliesPng: true,
  payerExtension: (payer) => ({
    extras: { pagador: { documento: payer.number, tipoPessoa: payer.type === 'CPF' ? 'F' : 'J', nome: payer.name } },
  }),
  readPayout: z
    .object({
      valor: amount,
      pagador: z.object({ chave: pixKey, infoPagador: note }),
      favorecido: z.object({ chave: pixKey, ...oneDocument }).refine(hasOneDocument, ONE_DOCUMENT),
      e2eId: endToEndId.optional(),
    })
    .transform(({ valor, favorecido, e2eId }) => ({
      reference: null,
      amountMinor: valor,
      key: favorecido.chave,
      keyType: null,
      beneficiaryDocument: favorecido.cpf ?? favorecido.cnpj ?? '',
      endToEndId: e2eId ?? null,
    })),
  renderPayout: (payout, status) => ({
    idEnvio: payout.reference,
    valor: toWireAmount(BigInt(payout.amountMinor)),
    status: STATES_IN_PORTUGUESE[status],
    e2eId: payout.endToEndId,
    ...(status === 'failed' ? { codigoErro: payout.code } : {}),
    ...(status !== 'processing' && payout.settledAt !== null ? { dataLiquidacao: payout.settledAt } : {}),
    ...(payout.returns.length === 0 ? {} : { devolucoes: payout.returns.map(devolucao) }),
  }),
  failsAs: 'error',
  readKeyQuestion: z
    .object({ chave: pixKey, cpfCnpjEsperado: taxNumber })
    .transform(({ chave, cpfCnpjEsperado }) => ({ key: chave, keyType: null, expected: personOf(cpfCnpjEsperado) })),
  renderKeyOwner: (owner, question, id) => ({
    chave: question.key,
    proprietario: { cpfCnpj: masked(owner.number) },
    e2eId: id,
  }),
  budgetHeaders: (tokens, refillSeconds) => ({
    'x-dict-fichas': String(tokens),
    'x-dict-reposicao': String(refillSeconds),
  }),
  errors: {
    ...allInvalid([400, 'requisicao_invalida']),
    unauthorized: [401, 'nao_autorizado'],
    forbidden: [403, 'acesso_negado'],
    ...allUnknown([404, 'nao_encontrado']),
    payout_unknown: [404, 'nao_encontrado'],
    rate_limited: [429, 'limite_excedido'],
    internal: [500, 'erro_interno'],
    unavailable: [503, 'servico_indisponivel'],
    duplicate_charge: [409, 'txid_duplicado'],
    charge_refused: [422, 'cobranca_recusada'],
    invalid_payout: [400, 'envio_invalido'],
    duplicate_payout: [409, 'id_envio_duplicado'],
    payout_refused: [422, 'envio_rejeitado'],
    payout_key_unknown: [422, 'chave_nao_encontrada'],
    key_of_another: [422, 'chave_nao_encontrada'],
    unknown_key: [404, 'chave_inexistente'],
    reversal_refused: [422, 'devolucao_invalida'],
    duplicate_reversal: [409, 'devolucao_duplicada'],
  },
  errorType: 'application/json',
  renderError: (word, _status, detail, code) => ({
    nome: word,
    mensagem: detail,
    ...(code === null ? {} : { codigo: code }),
  }),
  callbackHeaders: (secret, body) => ({
    'x-assinatura': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }),
};

export const b: ServerDialect = {
  ...OWN,
  token: { path: '/auth/token', credentials: 'body' },
  paths: {
    charge: '/v1/cob/:txid',
    reversal: '/v1/pix/:endToEndId/devolucao/:id',
    payoutLookup: '/v1/payment/:reference',
    key: '/v1/pix-keys/verify',
    list: null,
    received: '/v1/pix',
  },
  payoutSend: { method: 'post', path: '/v1/payment' },
  chargeRequest: chargeRequest(['nome']),
  suppliesPng: false,
  payerExtension: () => ({}),
  readPayout: z
    .object({
      correlationID: z.string().regex(/^[a-zA-Z0-9]{26,35}$/, 'must be 26 to 35 letters and digits'),
      value: z.number().int().min(1).max(999_999_999_999),
      destinationAlias: pixKey,
      destinationAliasType: z.enum(KEY_TYPES_OF_B),
      taxID: taxNumber,
      comment: note,
      endToEndId: endToEndId.optional(),
    })
    .transform((wire) => ({
      reference: wire.correlationID,
      amountMinor: BigInt(wire.value),
      key: wire.destinationAlias,
      keyType: TYPE_OF_KEY_OF_B[wire.destinationAliasType],
      beneficiaryDocument: wire.taxID,
      endToEndId: wire.endToEndId ?? null,
    })),
  renderPayout: (payout, status) => ({
    payment: {
      correlationID: payout.reference,
      value: Number(payout.amountMinor),
      status: STATES_IN_ENGLISH[status],
      endToEndId: payout.endToEndId,
      ...(status === 'failed' ? { errorCode: payout.code } : {}),
      ...(status !== 'processing' && payout.settledAt !== null ? { confirmedAt: payout.settledAt } : {}),
      ...(payout.returns.length === 0
        ? {}
        : {
            refunds: payout.returns.map(({ id, amountMinor, code, status: state, at }) => ({
              refundId: id,
              value: Number(amountMinor),
              status: RETURN_STATES_OF_B[state],
              time: at,
              errorCode: code,
            })),
          }),
    },
  }),
  failsAs: 'answer',
  readKeyQuestion: z
    .object({ key: pixKey, type: z.enum(KEY_TYPES_OF_B), taxID: taxNumber })
    .transform(({ key, type, taxID }) => ({ key, keyType: TYPE_OF_KEY_OF_B[type], expected: personOf(taxID) })),
  renderKeyOwner: (owner, question, id) => ({
    taxIDMatches: owner.number === question.expected.number,
    endToEndId: id,
  }),
  budgetHeaders: (tokens, refillSeconds) => ({
    'x-lookup-tokens': String(tokens),
    'x-lookup-refill-seconds': String(refillSeconds),
  }),
  errors: {
    ...allInvalid([400, 'invalid_request']),
    unauthorized: [401, 'unauthorized'],
    forbidden: [403, 'forbidden'],
    ...allUnknown([404, 'not_found']),
    payout_unknown: [404, 'not_found'],
    rate_limited: [429, 'rate_limited'],
    internal: [500, 'internal_error'],
    unavailable: [503, 'unavailable'],
    duplicate_charge: [400, 'charge_already_exists'],
    charge_refused: [422, 'charge_refused'],
    invalid_payout: [400, 'invalid_payment'],
    duplicate_payout: [400, 'payment_already_exists'],
    payout_refused: [422, 'payment_refused'],
    payout_key_unknown: [400, 'destination_alias_not_found'],
    key_of_another: [400, 'destination_alias_not_found'],
    unknown_key: [404, 'pix_key_not_found'],
    reversal_refused: [422, 'refund_refused'],
    duplicate_reversal: [400, 'refund_already_exists'],
  },
  errorType: 'application/json',
  renderError: (word, _status, detail, code) => ({
    error: { code: word, message: detail, ...(code === null ? {} : { reason: code }) },
  }),
  callbackHeaders: (secret) => ({ 'x-webhook-token': secret }),
};
