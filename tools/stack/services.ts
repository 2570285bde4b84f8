// The gateway's own processes: which programs they are, and how each shows that it is ready.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure } from '../bootstrap/failure.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import type { ProcessSpec } from '../processes/managed-process.js';
import type { ProcessRegistry } from '../processes/registry.js';
import { answersOk, Service, type ServiceSpec } from '../processes/service.js';
import { roleOfProgram, type UrlOfRole } from '../servers/postgres-roles.js';
import { ownKeys } from './own-keys.js';
import type { ProgramName } from '../servers/programs.js';
import { PATHS } from './paths.js';
import type { PortName, StackSettings } from './settings.js';

/** The gateway's processes: each a folder of dist/ with a main.js. */
export const PROGRAMS: readonly { name: string; program: ProgramName; healthPort: PortName }[] = [
  { name: 'simulator', program: 'sandbox/simulator', healthPort: 'simulator' },
  { name: 'worker', program: 'worker', healthPort: 'workerHealth' },
  { name: 'api', program: 'api', healthPort: 'api' },
  { name: 'ingress', program: 'ingress', healthPort: 'ingress' },
  { name: 'panel', program: 'panel', healthPort: 'panel' },
  { name: 'demo-operator', program: 'sandbox/demo-operator', healthPort: 'demoOperator' },
];

const READY_TIMEOUT_MS = 60_000;
// The worker lets running activities finish; the longest has a budget of about 10 s.
const STOP_TIMEOUT_MS = 15_000;

/** One process: a folder of dist/ with a main.js, ready when `/healthz` on its port answers 200. */
export interface GatewayProcess {
  readonly name: string;
  readonly program: ProgramName;
  readonly healthPort: number;
  readonly environment: Readonly<Record<string, string>>;
  /** The database under the process's own role; absent: DATABASE_URL as it is in `environment`. */
  readonly urlOfRole?: UrlOfRole | undefined;
  readonly logFile: string;
  /** Other limits than `npm start`'s, for tests and fault campaigns. */
  readonly limits?: Partial<Pick<ServiceSpec, 'readyTimeoutMs' | 'restarts'> & Pick<ProcessSpec, 'stopTimeoutMs'>>;
}

/** `npm start`'s services in the order to name them; starting is left to the caller. */
export function gatewayServices(
  settings: StackSettings,
  environment: Readonly<Record<string, string>>,
  urlOfRole: UrlOfRole | undefined,
  registry: ProcessRegistry,
): Service[] {
  return PROGRAMS.map(({ name, program, healthPort }) =>
    gatewayService(
      { name, program, healthPort: settings.ports[healthPort], environment, urlOfRole, logFile: PATHS.logFileOf(name) },
      registry,
    ),
  );
}

export function gatewayService(
  { name, program, healthPort, environment, urlOfRole, logFile, limits = {} }: GatewayProcess,
  registry: ProcessRegistry,
): Service {
  const file = inRoot('dist', program, 'main.js');
  if (!existsSync(file))
    throw new Failure(`${file} is missing: the build is incomplete. Remove the folder dist/ and start again.`);
  return new Service(
    {
      process: {
        name,
        command: process.execPath,
        args: [...nodeOptionsOf(program), file],
        env: {
          ...process.env,
          ...environment,
          ...ownDatabase(program, environment, urlOfRole),
          ...ownKeys(program, environment),
        },
        cwd: inRoot(),
        logFile,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: limits.stopTimeoutMs ?? STOP_TIMEOUT_MS,
      },
      isReady: () => answersOk(`http://127.0.0.1:${healthPort}/healthz`),
      readyTimeoutMs: limits.readyTimeoutMs ?? READY_TIMEOUT_MS,
      restarts: limits.restarts ?? true,
    },
    registry,
  );
}

/** As docker-compose.yml starts it. */
function nodeOptionsOf(program: ProgramName): string[] {
  const preloaded = pathToFileURL(inRoot('dist', 'worker', 'adapted-sdk.js')).href;
  return ['--enable-source-maps', ...(program === 'worker' ? ['--import', preloaded] : [])];
}

/** A process that needs no database gets no URL. */
function ownDatabase(
  program: ProgramName,
  environment: Readonly<Record<string, string>>,
  urlOfRole: UrlOfRole | undefined,
): Record<string, string> {
  if (urlOfRole === undefined) return {};
  const role = roleOfProgram(program, environment);
  return { DATABASE_URL: role === undefined ? '' : urlOfRole(role) };
}
