// The security campaign: one file for each subject.
import type { Scenario } from '../../scenario.js';
import { authentication } from './authentication.js';
import { canary } from './canary.js';
import { certificates } from './certificates.js';
import { craftedOrders } from './crafted-orders.js';
import { egress } from './egress.js';
import { exhaustion } from './exhaustion.js';
import { http } from './http.js';
import { rogueProvider } from './rogue-provider.js';
import { tenants } from './tenants.js';

export const security: readonly Scenario[] = [
  ...canary,
  ...tenants,
  ...authentication,
  ...certificates,
  ...http,
  ...exhaustion,
  ...egress,
  ...rogueProvider,
  ...craftedOrders,
];
