// Who may do what at the cluster's Temporal, as docker-compose.yml has it: certificates and tokens, made anew at every
// start, and nginx before the server for its UI, which has no setting for a token.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  makeTemporalAccess,
  SERVER_NAME,
  TEMPORAL_FILES,
  temporalTokenFile,
} from '../../cli/certificates/temporal-access.js';
import type { TemporalCaller } from '../../cli/certificates/temporal-grants.js';
import type { TemporalServer } from '../../platform/temporal/connection.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { portProblem } from '../../tools/processes/ports.js';
import type { ProcessRegistry } from '../../tools/processes/registry.js';
import { Service } from '../../tools/processes/service.js';
import type { ProgramName } from '../../tools/servers/programs.js';

/** The folders with the files of {@link makeTemporalAccess}. */
export interface TemporalAccess {
  readonly secrets: string;
  readonly files: string;
}

/** Makes certificates and tokens below this folder. What an earlier start made is worth nothing any more. */
export async function makeAccess(folder: string): Promise<TemporalAccess> {
  const access = { secrets: join(folder, 'secrets'), files: join(folder, 'files') };
  for (const path of Object.values(access)) mkdirSync(path, { recursive: true, mode: 0o700 });
  await makeTemporalAccess(access);
  return access;
}

const secret = ({ secrets }: TemporalAccess, name: string) => join(secrets, name);
const authority = ({ files }: TemporalAccess) => join(files, TEMPORAL_FILES.authority);

/** The variables by which the server finds what proves its callers (ops/temporal/server). */
export const serverVariables = (access: TemporalAccess) => ({
  TEMPORAL_TOKEN_KEYS_FILE: secret(access, TEMPORAL_FILES.tokenKeys),
  TEMPORAL_TOKEN_AUDIENCE_FILE: secret(access, TEMPORAL_FILES.tokenAudience),
  TEMPORAL_TASK_KEY_FILE: secret(access, TEMPORAL_FILES.taskKey),
});

/** The frontend's part of the server's configuration. */
export const frontendTls = (access: TemporalAccess) => ({
  server: {
    certFile: secret(access, TEMPORAL_FILES.serverCertificate),
    keyFile: secret(access, TEMPORAL_FILES.serverKey),
  },
});

/** The variables by which a process of the gateway reaches the server as this caller. */
export const callerVariables = (access: TemporalAccess, caller: TemporalCaller) => ({
  TEMPORAL_TLS_CA_FILE: authority(access),
  TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
  TEMPORAL_API_KEY_FILE: secret(access, temporalTokenFile(caller)),
});

/** How a program here reaches the server as this caller. */
export function serverFor(access: TemporalAccess, caller: TemporalCaller, address: string): TemporalServer {
  const tls = { serverRootCACertificate: readFileSync(authority(access)), serverNameOverride: SERVER_NAME };
  return { address, tls, apiKey: tokenOf(access, caller) };
}

/** The token of this caller; the UI's is in what nginx adds. */
function tokenOf(access: TemporalAccess, caller: TemporalCaller): string {
  if (caller !== 'ui') return readFileSync(secret(access, temporalTokenFile(caller)), 'utf8');
  const added = readFileSync(secret(access, TEMPORAL_FILES.uiAuthorization), 'utf8');
  return /Bearer ([^"]+)"/.exec(added)?.[1] as string;
}

/** The caller that a process of the gateway is, by its queues if it is a worker. */
export function callerOf(program: ProgramName, queues: string | undefined): TemporalCaller | undefined {
  switch (program) {
    case 'api':
    case 'ingress':
    case 'panel':
      return program;
    case 'worker':
      return callerOfWorker(queues?.split(',') ?? []);
    case 'sandbox/simulator':
    case 'sandbox/demo-operator':
    case 'lab/bench/baseline':
      return undefined;
  }
}

function callerOfWorker(queues: readonly string[]): TemporalCaller {
  if (queues.includes(TASK_QUEUES.payments)) return 'worker-payments';
  if (queues.includes(TASK_QUEUES.webhooks)) return 'worker-webhooks';
  return queues.every((queue) => queue === TASK_QUEUES.rules) ? 'worker-rules' : 'worker-providers';
}

/** nginx with the configuration of ops/temporal/access.conf, on this machine. */
export function readingNginx(
  nginx: string,
  access: TemporalAccess,
  { port, address, folder }: { readonly port: number; readonly address: string; readonly folder: string },
  logFile: string,
  registry: ProcessRegistry,
): Service {
  const config = join(folder, 'access.conf');
  mkdirSync(folder, { recursive: true });
  writeFileSync(config, configOf(access, port, address, folder));
  return new Service(
    {
      process: {
        name: 'temporal-access',
        command: nginx,
        args: ['-p', folder, '-e', logFile, '-c', config, '-g', 'daemon off;'],
        env: { ...process.env },
        cwd: folder,
        logFile,
        stopSignal: 'SIGQUIT',
        stopTimeoutMs: 5_000,
      },
      isReady: async () => (await portProblem(port)) !== undefined,
      readyTimeoutMs: 20_000,
    },
    registry,
  );
}

function configOf(access: TemporalAccess, port: number, address: string, folder: string): string {
  const places: readonly (readonly [there: RegExp, here: string])[] = [
    [/^ *resolver .*$/m, ''],
    [/listen 7233 /, `listen 127.0.0.1:${port} `],
    [/temporal:7233/, address],
    [/\/run\/secrets\//g, `${access.secrets}/`],
    [/\/files\//g, `${access.files}/`],
    [/ \/tmp\//g, ` ${folder}/`],
  ];
  const template = readFileSync(inRoot('ops', 'temporal', 'access.conf'), 'utf8');
  const text = places.reduce((sofar, [there, here]) => {
    if (!there.test(sofar)) throw new Error(`access.conf does not say ${there.source}`);
    return sofar.replace(there, here);
  }, template);
  // nginx's workers give up root's rights, and may then not reach what only root may.
  return process.getuid?.() === 0 ? `user root;\n${text}` : text;
}
