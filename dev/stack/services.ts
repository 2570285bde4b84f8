// The gateway's own processes: which program each is, and how it shows that it is ready.
import { existsSync } from 'node:fs';
import { Failure } from '../bootstrap/failure.mjs';
import { inRoot } from '../bootstrap/root.mjs';
import type { ProcessRegistry } from '../processes/registry.js';
import { answersOk, Service } from '../processes/service.js';
import { logFileOf } from './paths.js';
import type { PortName, StackSettings } from './settings.js';

const PROGRAMS: readonly { name: string; healthPort: PortName }[] = [
  { name: 'simulator', healthPort: 'simulator' },
  { name: 'worker', healthPort: 'workerHealth' },
  { name: 'api', healthPort: 'api' },
  { name: 'demo-operator', healthPort: 'demoOperator' },
];

const READY_TIMEOUT_MS = 60_000;
// The worker lets running activities finish; the longest has a budget of about 10 s.
const STOP_TIMEOUT_MS = 15_000;

/** The services in the order to name them; starting is left to the caller. */
export function gatewayServices(settings: StackSettings, environment: Readonly<Record<string, string>>, registry: ProcessRegistry): Service[] {
  return PROGRAMS.map(({ name, healthPort }) => {
    const program = inRoot('dist', name, 'main.js');
    if (!existsSync(program)) throw new Failure(`${program} is missing: the build is incomplete. Remove the folder dist/ and start again.`);
    return new Service(
      {
        process: {
          name,
          command: process.execPath,
          args: ['--enable-source-maps', program],
          env: { ...process.env, ...environment },
          cwd: inRoot(),
          logFile: logFileOf(name),
          stopSignal: 'SIGTERM',
          stopTimeoutMs: STOP_TIMEOUT_MS,
        },
        isReady: () => answersOk(`http://127.0.0.1:${settings.ports[healthPort]}/healthz`),
        readyTimeoutMs: READY_TIMEOUT_MS,
      },
      registry,
    );
  });
}
