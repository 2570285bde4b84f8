// The handlers' dependencies. `main.ts` wires them; tests replace them.
import type { Logger } from 'pino';
import type { AccountName, ProviderTraits, SandboxSteering } from '../../providers/port.js';
import type { Database } from '../../store/database.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { Deadlines, TemporalClient } from '../../platform/temporal/calls.js';

export interface ApiDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly temporal: TemporalClient;
  /** Controls the simulated provider; null in production. */
  readonly steering: SandboxSteering | null;
  readonly providerTraits: (provider: AccountName) => ProviderTraits;
  /** The OpenAPI document of the registered routes, as YAML. */
  readonly openApi: () => string;
  readonly deadlines: Deadlines;
  /** For links on the pages of workflows; undefined: none. */
  readonly panelUrl?: string | undefined;
  /** Wall time. */
  readonly clock: () => Date;
  readonly logger: Logger;
}
