// The Temporal dev server of a stack or of a test run.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from '@temporalio/client';
import type { ProcessRegistry } from '../processes/registry.js';
import { answersOk, Service } from '../processes/service.js';
import { searchAttributeFlags } from './search-attributes.js';
import { resolveTemporalCli } from './temporal-cli.js';
import type { Environment } from './tools.js';

export interface TemporalOptions {
  readonly environment: Environment;
  readonly port: number;
  /** Undefined: no UI. What listens there can change everything; see temporal-ui.ts. */
  readonly uiPort: number | undefined;
  /** Where the workflows are kept; undefined: in memory only. */
  readonly databaseFile: string | undefined;
  readonly logFile: string;
}

export interface TemporalServer {
  readonly service: Service;
  readonly address: string;
  readonly description: string;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 8_000;
const NAMESPACE = 'default';

const DYNAMIC_CONFIG: Readonly<Record<string, string>> = {
  // One machine: several partitions of a task queue only add seconds now and then.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // Minutes by default: how long the index may lag behind before a build without open workflows counts as drained.
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': '"5s"',
  'matching.wv.VersionDrainageStatusRefreshInterval': '"5s"',
  // The defaults are meant for many tenants sharing a cluster.
  'frontend.namespaceRPS': '20000',
  'frontend.namespaceRPS.visibility': '500',
};

/** Finds the program (which may build it) and describes the server; the caller starts its service. */
export async function prepareTemporal(options: TemporalOptions, registry: ProcessRegistry): Promise<TemporalServer> {
  const tool = await resolveTemporalCli(options.environment);
  const address = `127.0.0.1:${options.port}`;
  if (options.databaseFile !== undefined) mkdirSync(dirname(options.databaseFile), { recursive: true, mode: 0o700 });
  const service = new Service(
    {
      process: {
        name: 'Temporal',
        command: tool.path,
        args: serverArguments(options),
        env: { ...options.environment },
        cwd: dirname(options.logFile),
        logFile: options.logFile,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
      },
      isReady: async () =>
        (await isServing(address)) &&
        (options.uiPort === undefined || answersOk(`http://127.0.0.1:${options.uiPort}/healthz`)),
      readyTimeoutMs: READY_TIMEOUT_MS,
    },
    registry,
  );
  return { service, address, description: `Temporal dev server (${tool.origin})` };
}

function serverArguments({ port, uiPort, databaseFile }: TemporalOptions): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--namespace',
    NAMESPACE,
    '--log-level',
    'warn',
    '--log-format',
    'json',
    ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort)]),
    ...(databaseFile === undefined ? [] : ['--db-filename', databaseFile]),
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]),
    ...searchAttributeFlags(),
  ];
}

/** Whether the server answers and has its namespace. */
async function isServing(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
    return true;
  } finally {
    await connection.close();
  }
}
