// Every scenario of the campaign, in the order they are played.
import type { Scenario } from '../scenario.js';
import { badLinks } from './bad-links.js';
import { diskFull } from './disk-full.js';
import { killedServers } from './killed-servers.js';
import { rollingRestart } from './rolling-restart.js';
import { canary } from './security/canary.js';
import { certificates } from './security/certificates.js';
import { exhaustion } from './security/exhaustion.js';
import { tenants } from './security/tenants.js';
import { storms } from './storms.js';

export const SCENARIOS: readonly Scenario[] = [
  ...killedServers,
  ...rollingRestart,
  ...badLinks,
  ...storms,
  diskFull,
  ...canary,
  ...tenants,
  ...certificates,
  ...exhaustion,
];
