// Banks that follow the standard for what is received, as data. None of them sends payouts here: the standard has none.
// `API_PIX` is the standard as it is written; a bank's deviations are configuration.
import { type Dialect, under, STANDARD_SCOPES } from './dialect.js';

/** The error codes of the standard and of its earlier versions. */
export const API_PIX: Dialect = {
  contract: 'api-pix 2.9.0',
  capabilities: {
    depositRequirements: [],
    namesPayer: true,
    keyOwners: 'never',
    sendsPayouts: false,
    reusesCallbackBodies: false,
  },
  hosts: { real: [], test: [] },
  token: { at: { of: 'base', path: '/oauth/token' }, credentials: 'basic', encoding: 'form', scopes: null },
  clientIdHeader: null,
  neededScopes: STANDARD_SCOPES,
  prefixes: under(''),
  charge: {
    payerIn: 'received',
    // The payer is recognised by a filter. Without a debtor in the charge, a filter by debtor is not possible.
    debtor: 'never',
    sendsPayerEmail: false,
    // Many banks name the payer.
    addedFields: { charge: '', payment: 'pagador' },
    duplicateErrors: ['txid_duplicado', 'cob_duplicada'],
    notFoundErrors: ['nao_encontrado', 'cob_nao_encontrado', 'cobranca_nao_encontrada'],
  },
  // Some answer 400 where the standard says 404.
  notFoundStatuses: [404, 400],
  reversal: {
    finalErrors: ['pix_devolucao_invalida'],
    notFoundErrors: ['nao_encontrado', 'pix_devolucao_nao_encontrada', 'devolucao_nao_encontrada'],
  },
  payout: null,
  balance: null,
  disputes: null,
  key: null,
  registersWebhooks: true,
  callback: { scheme: 'certificate_or_query', parameter: 'hmac' },
  payoutNotices: 'none',
};

const SCOPES = STANDARD_SCOPES.join(' ');

// A version for each resource, and the token at the root of the host.
export const SICREDI: Dialect = {
  ...API_PIX,
  contract: 'sicredi 1.9.5',
  hosts: { real: ['api-pix.sicredi.com.br'], test: ['api-pix-h.sicredi.com.br'] },
  token: { at: { of: 'host', path: '/oauth/token' }, credentials: 'basic', encoding: 'form', scopes: SCOPES },
  prefixes: { ...under('/v2'), cob: '/v3' },
};

// The token comes from another host, and each call names the application in its query (`CALL_QUERY`).
export const BANCO_DO_BRASIL: Dialect = {
  ...API_PIX,
  contract: 'banco-do-brasil 2.9.0',
  hosts: {
    real: ['api.bb.com.br', 'api-pix.bb.com.br'],
    test: ['api.sandbox.bb.com.br', 'api.hm.bb.com.br', 'api-pix.hm.bb.com.br', 'api.extranet.hm.bb.com.br'],
    testCodes: ['qrcodepix-h.bb.com.br'],
  },
  token: { at: null, credentials: 'basic', encoding: 'form', scopes: SCOPES },
  charge: { ...API_PIX.charge, addedFields: { charge: 'textoImagemQRcode', payment: 'pagador' } },
};

// No secret: the certificate proves the client, whose id is in the token request and in every call.
export const SICOOB: Dialect = {
  ...API_PIX,
  contract: 'sicoob 2.9.0',
  hosts: { real: ['api.sicoob.com.br'], test: ['sandbox.sicoob.com.br'] },
  token: { at: null, credentials: 'certificate', encoding: 'form', scopes: SCOPES },
  clientIdHeader: 'client_id',
  charge: { ...API_PIX.charge, addedFields: { charge: 'brcode', payment: 'pagador' } },
};
