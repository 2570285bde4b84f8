// Prepares a sandbox in containers: promotes the first build of the workers, makes the demo operation, and issues the
// client certificate with which it passes the edge. What is there already stays as it is, so it may run at every start.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabaseConfig } from '../../platform/config/cli.js';
import { readDemoPlaces } from '../../platform/config/demo-operator.js';
import { ConfigurationError } from '../../platform/config/environment.js';
import { DemoOperationError, ensureDemoOperation, type GatewayCommand } from '../demo-operation.js';
import { gatewayInProcess } from '../gateway-in-process.js';

/** Whose act it is in the audit trail. */
const PERSON = 'sandbox setup';
const WAIT_FOR_WORKERS_SECONDS = '180';
/** A machine that starts everything at once may be too busy to answer in time. */
const TRIES = 5;
const TRY_AGAIN_AFTER_MS = 5_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function prepare(environment: NodeJS.ProcessEnv): Promise<void> {
  const places = readDemoPlaces(environment);
  const { DATABASE_URL } = readDatabaseConfig(environment);
  const gateway = gatewayInProcess(environment);
  await patiently(() => promoteFirst(gateway, places.WORKER_BUILD_ID));

  const file = places.DEMO_OPERATOR_SANDBOX_FILE;
  const folder = join(dirname(file), 'client');
  const tls = {
    certificate_file: join(folder, 'client.crt.pem'),
    key_file: join(folder, 'client.key.pem'),
    authorities_file: places.DEMO_EDGE_CERTIFICATE_FILE,
  };
  const sandbox = {
    file,
    tls,
    base_url: places.DEMO_GATEWAY_URL,
    panel_url: places.PANEL_URL ?? '',
    temporal_ui_url: places.DEMO_TEMPORAL_UI_URL,
    webhookUrl: `${places.DEMO_OPERATOR_URL}/webhooks`,
  };
  const { operation, panel_accounts = [] } = await ensureDemoOperation(sandbox, DATABASE_URL, gateway, say);
  if (!existsSync(tls.certificate_file)) {
    await must(gateway, [
      'cert',
      'issue',
      '--operation',
      operation.operation_id,
      '--authority',
      places.DEMO_AUTHORITY_DIR,
      '--out',
      folder,
      '--as',
      PERSON,
    ]);
  }
  for (const { handle, roles, link } of panel_accounts)
    say(`the panel, once: ${link} (${handle}: ${roles.join(', ')})`);
  say(`the demo operation is ${operation.operation_id}; its credentials are in ${file}`);
}

/** Later builds are promoted by people, in the course of a deploy. */
async function promoteFirst(gateway: GatewayCommand, build: string): Promise<void> {
  const status = JSON.parse((await must(gateway, ['deploy', 'status'])).stdout) as { builds: { state: string }[] };
  if (status.builds.some(({ state }) => state === 'current')) return;
  await must(gateway, ['deploy', 'promote', build, '--wait', WAIT_FOR_WORKERS_SECONDS, '--as', PERSON]);
  say(`payments begin on build ${build}`);
}

/** Tries again what a command refused to do. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DemoOperationError) || tries === TRIES) throw error;
      say(`${error.message}; trying again`);
      await sleep(TRY_AGAIN_AFTER_MS);
    }
  }
}

async function must(gateway: GatewayCommand, args: string[]) {
  const done = await gateway(args);
  if (done.code !== 0) throw new DemoOperationError(done.stderr.trim());
  return done;
}

prepare(process.env).catch((error: unknown) => {
  const isExplained = error instanceof ConfigurationError || error instanceof DemoOperationError;
  process.stderr.write(
    'sandbox-setup: ' +
      `${isExplained ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
