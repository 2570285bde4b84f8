// Banks that follow API Pix for what is received: as the standard is written, and with what is public of three of them
// (docs/simulator.md has the sources).
import { z } from 'zod';
import { standardChargeRequest } from './dialects.js';
import { PAYOUT_ERRORS, renderProblem, STANDARD_ERRORS } from './errors.js';
import { CONCLUDES_AFTER_MS } from './render.js';
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
  // The only status that the document has for it.
  revisesByPut: 201,
  chargeRequest: standardChargeRequest,
  suppliesPng: false,
  payerExtension: () => ({}),
  charge: { namesPayer: false, keepsCodeWhenPaid: false, expiryInGet: 'number', concludesAfterMs: CONCLUDES_AFTER_MS },
  readPayout: z.never(),
  renderPayout: () => ({}),
  callbacks: {
    // The standard appends /pix to the registered address, which here ends in a parameter made for that.
    pixTarget: (secret) => `?hmac=${encodeURIComponent(secret)}&ignorar=/pix`,
    payoutTarget: () => '',
    reportsStaticCodes: true,
    payoutBody: null,
  },
  failsAs: 'error',
  readKeyQuestion: z.never(),
  renderKeyOwner: () => ({}),
  budgetHeaders: () => ({}),
  errors: { ...STANDARD_ERRORS, ...PAYOUT_ERRORS },
  errorType: 'application/problem+json',
  renderError: renderProblem,
  callbackHeaders: () => ({}),
};

/** It is not documented whether these take a repeated `PUT`: two refuse it, one revises, so that both are played. */
const { revisesByPut: _revises, ...refusing } = apiPix;

export const sicredi: ServerDialect = {
  ...refusing,
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

export const bancoDoBrasil: ServerDialect = { ...refusing, everyCall: { parameter: 'gw-dev-app-key' } };

export const sicoob: ServerDialect = {
  ...apiPix,
  token: { ...apiPix.token, credentials: 'certificate' },
  everyCall: { header: 'client_id' },
  revisesByPut: 200,
};
