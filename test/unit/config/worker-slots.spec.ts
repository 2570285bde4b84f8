// What a worker does at once, what it needs for that, and which time limit ends first.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BATCH_CONNECTION_MS,
  BATCH_STATEMENT_MS,
  BATCH_STEP_MS,
  LOCAL_STEP_MS,
  RULES_STEP_MS,
  STEP_CONNECTION_MS,
  STEP_STATEMENT_MS,
  STICKY_TASK_MS,
} from '../../../contract/temporal/workers.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { slotsSchema } from '../../../platform/config/worker-slots.js';
import { readWorkerConfig } from '../../../platform/config/worker.js';
import { DEFAULT_DEADLINES } from '../../../platform/temporal/calls.js';

const key = Buffer.alloc(32, 'a key for tests').toString('base64');
const BARE = {
  DATABASE_URL: 'postgres://gateway:of-tests@db:5432/gateway',
  TEMPORAL_ADDRESS: 'temporal:7233',
  GATEWAY_SEALING_KEYS: `k1:${key}`,
  GATEWAY_HASH_KEY: key,
  GATEWAY_AUDIT_KEY: key,
  GATEWAY_AUDIT_SEALS_DIR: '/audit-seals',
};
const read = (variables: Readonly<Record<string, string>> = {}) => readWorkerConfig({ ...BARE, ...variables });

describe('the slots of a worker', () => {
  it('"providers" are the queues of all providers, each once', () => {
    assert.deepEqual(read({ WORKER_TASK_QUEUES: 'providers,provider-a' }).WORKER_TASK_QUEUES, [
      'provider-simulator',
      'provider-a',
      'provider-b',
    ]);
    assert.deepEqual(read({ WORKER_TASK_QUEUES: 'provider-b' }).WORKER_TASK_QUEUES, ['provider-b']);
  });

  it('a pool of 9 connections is too small for the default slots, 10 are enough', () => {
    assert.equal(read({ DATABASE_POOL_SIZE: '10' }).DATABASE_POOL_SIZE, 10);
    assert.throws(() => read({ DATABASE_POOL_SIZE: '9' }), {
      name: 'ConfigurationError',
      message: /^configuration: DATABASE_POOL_SIZE: must be at least 10 for the slots of this worker/,
    });
  });

  for (const [variable, queues, slots, connections] of [
    // Local steps and other steps, 20 of them for each connection.
    ['WORKER_STEP_SLOTS', 'payments', 200, 20],
    ['WORKER_RULES_SLOTS', 'rules', 200, 10],
    // A tenth of a provider call uses a connection, a twentieth of a delivery.
    ['WORKER_PROVIDER_SLOTS', 'providers', 1_000, 15],
    ['WORKER_DELIVERY_SLOTS', 'webhooks', 2_000, 5],
  ] as const) {
    it(`${slots} ${variable} of ${queues} need ${connections} connections, whatever other queues have`, () => {
      const others = { WORKER_RULES_SLOTS: '2000', WORKER_DELIVERY_SLOTS: '2000', WORKER_PROVIDER_SLOTS: '2000' };
      const variables = { ...others, WORKER_TASK_QUEUES: queues, [variable]: String(slots) };
      const pool = (size: number) => read({ ...variables, DATABASE_POOL_SIZE: String(size) });
      assert.equal(pool(connections).DATABASE_POOL_SIZE, connections);
      assert.throws(() => pool(connections - 1), new RegExp(`DATABASE_POOL_SIZE: must be at least ${connections} `));
    });
  }

  for (const [queues, least] of [
    ['payments', 40],
    // The webhooks worker keeps a quarter.
    ['webhooks', 160],
    ['payments,webhooks', 160],
  ] as const) {
    it(`a cache for fewer than ${least} workflows is refused by a worker of ${queues}`, () => {
      const cache = (size: number) =>
        read({ WORKER_TASK_QUEUES: queues, WORKER_CACHED_WORKFLOWS: String(size) }).WORKER_CACHED_WORKFLOWS;
      assert.equal(cache(least), least);
      assert.throws(() => cache(least - 1), new RegExp(`WORKER_CACHED_WORKFLOWS: must be at least ${least} for 40 `));
    });
  }

  it('steps have slots that brief calls of three providers, 8 of each, cannot take', () => {
    assert.throws(() => read({ WORKER_STEP_SLOTS: '31' }), /WORKER_STEP_SLOTS: must be /);
    assert.equal(read({ WORKER_STEP_SLOTS: '32' }).WORKER_STEP_SLOTS, 32);
  });

  it('.env.example says the defaults', () => {
    const example = readFileSync(join(projectRoot(), '.env.example'), 'utf8');
    const defaults = slotsSchema.parse({});
    for (const [name, value] of Object.entries(defaults)) {
      if (name === 'WORKER_TASK_QUEUES') continue;
      assert.ok(example.includes(`\n# ${name}=${String(value)}\n`), name);
    }
  });
});

describe('time limits', () => {
  it('PostgreSQL ends a statement before its step times out, with the wait for a connection', () => {
    assert.ok(STEP_STATEMENT_MS < RULES_STEP_MS);
    assert.ok(STEP_CONNECTION_MS + STEP_STATEMENT_MS < LOCAL_STEP_MS);
    assert.ok(BATCH_CONNECTION_MS + BATCH_STATEMENT_MS < BATCH_STEP_MS);
  });

  it("another worker takes a dead worker's task while the caller still waits, with half of that time left", () => {
    assert.ok(2 * STICKY_TASK_MS < DEFAULT_DEADLINES.actionMs);
    assert.ok(2 * STICKY_TASK_MS < DEFAULT_DEADLINES.creationMs);
  });
});
