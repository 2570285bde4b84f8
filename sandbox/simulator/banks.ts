// Banks that follow API Pix for what is received: as the standard is written, and with what is public of three of them
// (docs/simulator.md has the sources).
import { z } from 'zod';
import { simulator, standardChargeRequest } from './dialects.js';
import type { ServerDialect } from './server-dialect.js';

/** A bank answers what the standard demands and no more: no payer, no code of a paid charge. */
export const apiPix: ServerDialect = {
  token: {
    path: '/oauth/token',
    credentials: 'basic',
    scopes: 'cob.write cob.read pix.write pix.read webhook.write webhook.read',
  },
  paths: {
    charge: '/cob/:txid',
    list: '/cob',
    received: '/pix',
    pix: '/pix/:endToEndId',
    reversal: '/pix/:endToEndId/devolucao/:id',
    payoutLookup: null,
    key: null,
    webhook: '/webhook/:key',
  },
  payoutSend: null,
  chargeRequest: standardChargeRequest,
  suppliesPng: false,
  payerExtension: () => ({}),
  charge: { namesPayer: false, keepsCodeWhenPaid: false, expiryInGet: 'number' },
  readPayout: z.never(),
  renderPayout: () => ({}),
  callbacks: {
    // The standard appends /pix to the registered address, which here ends in a parameter made for that.
    pixTarget: (secret) => `?hmac=${encodeURIComponent(secret)}&ignorar=/pix`,
    payoutTarget: () => '',
    payoutBody: null,
  },
  failsAs: 'error',
  readKeyQuestion: z.never(),
  renderKeyOwner: () => ({}),
  budgetHeaders: () => ({}),
  errors: {
    ...simulator.errors,
    duplicate_charge: [400, 'CobOperacaoInvalida'],
    charge_refused: [400, 'CobOperacaoInvalida'],
    reversal_refused: [400, 'PixDevolucaoInvalida'],
    duplicate_reversal: [400, 'PixDevolucaoInvalida'],
  },
  errorType: 'application/problem+json',
  renderError: (word, status, detail) => ({
    type: `https://pix.bcb.gov.br/api/v2/error/${word}`,
    title: word,
    status,
    detail,
  }),
  callbackHeaders: () => ({}),
};

export const sicredi: ServerDialect = {
  ...apiPix,
  paths: {
    ...apiPix.paths,
    charge: '/v3/cob/:txid',
    list: '/v2/cob',
    received: '/v2/pix',
    pix: '/v2/pix/:endToEndId',
    webhook: '/v2/webhook/:key',
    reversal: '/v2/pix/:endToEndId/devolucao/:id',
  },
};

export const bancoDoBrasil: ServerDialect = { ...apiPix, everyCall: { parameter: 'gw-dev-app-key' } };

export const sicoob: ServerDialect = {
  ...apiPix,
  token: { path: '/oauth/token', credentials: 'certificate' },
  everyCall: { header: 'client_id' },
};
