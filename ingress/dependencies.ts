// The dependencies of the provider ingress.
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { Deadlines, TemporalClient } from '../platform/temporal/calls.js';
import type { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import type { CallbackReaders } from '../providers/port.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { PassedOn } from './passed-on.js';

export interface IngressDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly temporal: TemporalClient;
  /** One for each configured provider. Callbacks of any other get 404. */
  readonly readers: CallbackReaders;
  /** The edge's addresses. Only the edge is trusted to name the certificate that a provider presented. */
  readonly trustedProxies: BlockList;
  readonly deadlines: Deadlines;
  /** Wall time. */
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Continue the trace of a verified callback. Only the simulator's callbacks carry our traces. */
  readonly continuesTraces?: boolean;
  /** For `/healthz`. */
  readonly isReady: () => Promise<boolean>;
  readonly passedOn: PassedOn;
}

/** The dependencies with the workflows that a notice can signal. */
export interface CallbackServices extends IngressDependencies {
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}
