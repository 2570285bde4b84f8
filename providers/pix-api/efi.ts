// Efí: API Pix for charges and returns, its own endpoints for sends, and one address for both kinds of callbacks.
import { toWireAmount } from './amounts.js';
import type { Dialect } from './dialect.js';
import { documentField } from './documents.js';
import { under } from './paths.js';
import { STANDARD_SCOPES } from './scopes.js';
import { ALL_PROVING_CODES } from './refusals.js';
import { STANDARD_RETURN_STATES } from './status.js';
import { efiDispute, efiDisputes } from './efi-disputes.js';
import { efiListedPayout, efiPayouts } from './efi-payouts.js';
import { efiBalance, efiPayout } from './wire.js';

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
