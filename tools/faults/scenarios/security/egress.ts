// Server-side request forgery: webhook addresses that lead inside, however they are spelt, and receivers that send the
// gateway elsewhere.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inRoot } from '../../../bootstrap/root.mjs';
import { startReceiver } from '../../../harness/receiver.js';
import type { Environment } from '../../environment/environment.js';
import type { Operator } from '../../environment/operator.js';
import type { Scenario, ScenarioContext } from '../../scenario.js';

/** Every way of naming 10.0.0.1, the metadata service and the like that a URL or a system takes. */
const INSIDE = [
  'http://10.0.0.1/',
  'http://167772161/',
  'http://0x0a000001/',
  'http://0xa.0.0.1/',
  'http://012.0.0.1/',
  'http://10.1/',
  'http://10.0.0.1./',
  'http://%31%30.0.0.1/',
  'http://１０.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://0.0.0.0/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://255.255.255.255/',
  'http://224.0.0.1/',
  'http://[::]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:a00:1]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::10.0.0.1]/',
  'http://[::ffff:0:10.0.0.1]/',
  'http://[64:ff9b::a00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:a00:1::]/',
  'http://[2001:0:a00:1::]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  // Names, as a resolver that lies would have them.
  'http://inside.lies.test/',
  'http://metadata.lies.test/',
  'http://one-of-both.lies.test/',
  'http://mapped.lies.test/',
] as const;

/** Loaded into the workers: a resolver whose answers are an attacker's. */
const LIES = { NODE_OPTIONS: `--import=${inRoot('tools', 'faults', 'environment', 'lying-dns.mjs')}` };

export const egress: readonly Scenario[] = [
  {
    family: 'security',
    name: 'webhook addresses that lead inside, in every spelling and by names',
    bounded: false,
    holds: 'nothing is sent to any of them: every attempt is refused before a connection, and the CLI takes none',
    play: playInside,
  },
  {
    family: 'security',
    name: 'a receiver that redirects webhooks elsewhere',
    bounded: false,
    holds: 'nobody else is called, neither by 301, 302, 303, 307 nor 308',
    play: playRedirects,
  },
];

async function playInside({ environment }: ScenarioContext): Promise<void> {
  const receiver = await startReceiver();
  try {
    const attacker = await environment.newOperator(`attacker-${randomBytes(4).toString('hex')}`, receiver.url);
    await Promise.all(environment.webhookWorkers.map((worker) => worker.restart(LIES)));
    const outcomes: string[] = [];
    for (const url of INSIDE) outcomes.push(`${url} ${await deliveredTo(environment, attacker, url)}`);
    await pointTo(environment, attacker, receiver.url);
    assert.deepEqual(
      outcomes.filter((outcome) => !outcome.endsWith(' forbidden_target')),
      [],
    );
    for (const url of ['http://10.0.0.1/', 'http://[::ffff:a00:1]/', 'http://2852039166/']) {
      await assert.rejects(
        environment.gateway(
          'operation',
          'set-webhook',
          '--operation',
          attacker.operation.operation_id,
          url,
          '--as',
          'ana',
        ),
        /leads to a private/,
        url,
      );
    }
    // It reaches permitted targets: the refusals above do not come from a worker without a network.
    const { id } = await attacker.deposit();
    await receiver.waitFor(id, 'deposit.pending');
  } finally {
    await receiver.close();
  }
}

/** As if the name had begun to lead there after it was registered. */
async function pointTo({ database }: Environment, { operation }: Operator, url: string): Promise<void> {
  await database.query('UPDATE operation SET webhook_url = $2 WHERE id = $1', [operation.operation_id, url]);
}

/** The log's line on the first attempt for a new deposit. */
async function deliveredTo(environment: Environment, attacker: Operator, url: string): Promise<string> {
  await pointTo(environment, attacker, url);
  const { id } = await attacker.deposit();
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    const { rows } = await environment.database.query<{ error: string | null; response_status: number | null }>(
      `SELECT delivery.error, delivery.response_status FROM webhook_delivery AS delivery
        JOIN event ON event.id = delivery.event_id WHERE event.object_id = $1 ORDER BY delivery.id LIMIT 1`,
      [id],
    );
    if (rows[0] !== undefined) return rows[0].error ?? String(rows[0].response_status);
  }
  return 'no attempt';
}

async function playRedirects({ environment }: ScenarioContext): Promise<void> {
  const elsewhere = await startReceiver();
  let status = 301;
  const asked: number[] = [];
  const server = createServer((request, response) => {
    asked.push(status);
    request.resume().on('end', () => response.writeHead(status, { location: elsewhere.url }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const attacker = await environment.newOperator(
      `attacker-${randomBytes(4).toString('hex')}`,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    );
    for (status of [301, 302, 303, 307, 308]) {
      const { id } = await attacker.deposit();
      for (const deadline = Date.now() + 30_000; !asked.includes(status) && Date.now() < deadline; await sleep(50));
      assert.ok(asked.includes(status), `the receiver was not called for ${id}`);
    }
    assert.deepEqual(elsewhere.events, []);
  } finally {
    server.closeAllConnections();
    await Promise.all([elsewhere.close(), new Promise<void>((resolve) => server.close(() => resolve()))]);
  }
}
