// The alerts about a payment that lies in suspense: they say that money waits, so they stay open while it does.
import type { AlertKind } from './alerts.js';

export const SUSPENSE_ALERTS = [
  'LATE_PAYMENT',
  'PAID_IN_TIME',
  'EXTRA_PAYMENT',
] as const satisfies readonly AlertKind[];
