// What Woovi can do. Its charges need neither name nor address of the payer, and it reports the payer.
import type { Capabilities } from '../dialect-entry.js';

/** The published OpenAPI document by its commit: its version never changes. */
export const WOOVI_CONTRACT = 'woovi bb0dddf';

export const WOOVI_CAPABILITIES: Capabilities = {
  depositRequirements: [],
  namesPayer: true,
  keyOwners: 'directory',
  sendsPayouts: true,
  reusesCallbackBodies: false,
};
