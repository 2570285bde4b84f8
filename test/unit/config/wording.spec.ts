// What a configuration error says of a variable: plain words, every variable at once, no value and no library's text.
import assert from 'node:assert/strict';
import { readApiConfig } from '../../../platform/config/api.js';
import { readDatabaseConfig, readSecrets } from '../../../platform/config/cli.js';
import { readSimulatorConfig } from '../../../platform/config/simulator.js';
import { readWorkerConfig } from '../../../platform/config/worker.js';

const CASES: readonly (readonly [
  read: (environment: NodeJS.ProcessEnv) => unknown,
  environment: NodeJS.ProcessEnv,
  said: string,
])[] = [
  [readDatabaseConfig, { DATABASE_URL: 'mysql://x' }, 'DATABASE_URL: must be a postgres:// URL'],
  [readSecrets, {}, 'GATEWAY_SEALING_KEYS: is required; GATEWAY_HASH_KEY: is required'],
  [readSecrets, { GATEWAY_KEY_PROVIDER: 'x' }, 'GATEWAY_KEY_PROVIDER: must be environment, file or vault'],
  [readSimulatorConfig, { SIMULATOR_PORT: 'x1y2' }, 'SIMULATOR_PORT: must be a whole number from 0 to 65535'],
  [readApiConfig, { GATEWAY_DOCS_URL: 'x1y2' }, 'GATEWAY_DOCS_URL: must be a URL'],
  [
    readWorkerConfig,
    { PROVIDER_A_CLIENT_ID: 'x1y2'.repeat(51) },
    'PROVIDER_A_CLIENT_ID: must have at most 200 characters',
  ],
  [readWorkerConfig, { WORKER_TASK_QUEUES: 'x1y2' }, 'WORKER_TASK_QUEUES: must be '],
];

describe('the words of a configuration error', () => {
  for (const [read, environment, said] of CASES) {
    it(`${JSON.stringify(environment).slice(0, 60)} → ${said}`, () =>
      assert.throws(
        () => read(environment),
        ({ message }: Error) => message.includes(said) && !/Invalid|expected|received|x1y2/.test(message),
      ));
  }
});
