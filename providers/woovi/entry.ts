// Woovi as an entry of the table of dialects. Its AppID is the client's secret; there is no id.
import type { DialectEntry } from '../dialect-entry.js';
import { PROVING_CODES } from '../pix-api/refusals.js';
import { WooviAccount } from './account.js';
import { WooviProvider } from './adapter.js';
import { WooviCallbacks } from './callbacks.js';
import { WOOVI_CAPABILITIES, WOOVI_CONTRACT } from './capabilities.js';
import { WOOVI_HOSTS } from './location.js';
import { WOOVI_PROVING_CODES } from './payouts.js';

export const WOOVI: DialectEntry = {
  contract: WOOVI_CONTRACT,
  capabilities: WOOVI_CAPABILITIES,
  hosts: WOOVI_HOSTS,
  calls: { needs: ['URL', 'CLIENT_SECRET', 'PIX_KEY'], takes: [] },
  callbacks: { needs: ['CALLBACK_SECRET', 'CALLBACK_KEYS_URL'], takes: ['PIX_KEY'] },
  // No text of a refusal is documented that would prove it: only the state of a payment or return, and its code.
  provingAnswers: {
    payouts: {},
    codes: [...Object.keys(PROVING_CODES), ...Object.keys(WOOVI_PROVING_CODES)],
    returns: [],
  },
  open: (slot, { url, clientSecret, pixKey }, options) =>
    new WooviProvider(slot, { url, appId: clientSecret, pixKey }, options),
  openAccount: (slot, { url, clientSecret, pixKey }) => new WooviAccount(slot, { url, appId: clientSecret, pixKey }),
  openCallbacks: (slot, { keysUrl, callbackSecret }, options) =>
    new WooviCallbacks(slot, { keysUrl: keysUrl ?? '', authorization: callbackSecret ?? '' }, options),
};
