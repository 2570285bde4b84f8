// The api in this process, whole, over an observed database: every statement that a request costs can be seen.
import { WorkflowClient } from '@temporalio/client';
import { pino } from 'pino';
import { createApp, startServer } from '../../api/app.js';
import { DATA_CONVERTER, openTemporal } from '../../platform/temporal/connection.js';
import { createHandlers } from '../../api/routes/index.js';
import { DEFAULT_DEADLINES } from '../../platform/temporal/calls.js';
import { playerLimits } from '../../api/routes/creation-checks.js';
import { READS } from '../../api/routes/reads.js';
import { createGatewayClient, type GatewayClient } from '../../client/index.js';
import { openApiYaml } from '../../contract/http/openapi.js';
import { ROUTES } from '../../contract/http/routes.js';
import { DEFAULT_DIALECTS } from '../../providers/settings.js';
import { accountTraits } from '../../providers/index.js';
import type { World } from './database/world.js';

const DOCS_URL = 'http://docs.test';
/** Nobody listens there: for what is answered from Postgres alone. */
const NO_TEMPORAL = '127.0.0.1:1';

export interface BenchApi {
  readonly baseUrl: string;
  readonly client: GatewayClient;
  close(): Promise<void>;
}

/**
 * Serves every route of the sandbox on a free port; a client with the world's key comes with it. `rides`: whether reads
 * run in the same query as authentication, as in production; otherwise as separate statements.
 */
export async function startApi(
  { observed: { database }, sealer, key }: World,
  { rides = true }: { readonly rides?: boolean } = {},
): Promise<BenchApi> {
  const connection = openTemporal({ address: NO_TEMPORAL });
  const log = pino({ level: 'silent' });
  const openApi = openApiYaml(ROUTES, { environment: 'sandbox' });
  const handlers = createHandlers({
    database,
    sealer,
    steering: null,
    temporal: new WorkflowClient({ dataConverter: DATA_CONVERTER, connection }),
    providerTraits: accountTraits(DEFAULT_DIALECTS),
    openApi: () => openApi,
    deadlines: DEFAULT_DEADLINES,
    clock: () => new Date(),
    logger: log,
  });
  const app = createApp({
    environment: 'sandbox',
    docsUrl: DOCS_URL,
    routes: ROUTES,
    handlers,
    playerLimits: playerLimits(),
    reads: rides ? READS : {},
    database,
    sealer,
    edge: undefined,
    health: {},
    nowMs: Date.now,
    log,
  });
  const server = await startServer(app, { host: '127.0.0.1', port: 0, docsUrl: DOCS_URL });
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const client = createGatewayClient({ baseUrl, keyId: key.keyId, secret: key.secret });
  return {
    baseUrl,
    client,
    close: async () => {
      await client.close();
      await server.close();
      await connection.close();
    },
  };
}
