// Which secrets sign a delivery: every one that is valid (two during a rotation), and none that has expired.
import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { pino } from 'pino';
import { OperationClocks } from '../../../activities/operation-clocks.js';
import { createWebhookActivities } from '../../../activities/webhooks/deliver.js';
import { createEgressAgent } from '../../../activities/webhooks/egress.js';
import { storedEvent } from '../../support/stored-events.js';
import { useStore } from '../store/fixtures.js';
import { placeOf } from '../../../store/sealing/places.js';

const HOUR_MS = 3_600_000;

describe('the signatures of a delivery', () => {
  const store = useStore('once');
  let server: Server;
  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const rules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
  const agent = createEgressAgent(rules);

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    await store.database.operation.update({ where: { id: store.operationId }, data: { webhookUrl } });
  });
  after(async () => {
    await agent.close();
    server.close();
  });

  const secret = (text: string, ageMs: number, expiresInMs: number | null) => {
    const [id, { operationId }] = [randomUUID(), store];
    const place = placeOf('webhook_secret.secret_sealed', operationId, { id });
    return store.database.webhookSecret.create({
      data: {
        id,
        operationId,
        secretSealed: Buffer.from(store.sealer.sealBytes(place, Buffer.from(text))),
        createdAt: new Date(Date.now() - ageMs),
        expiresAt: expiresInMs === null ? null : new Date(Date.now() + expiresInMs),
      },
    });
  };

  /** As the guide for operators says it: four lines. */
  function signatureUnder(text: string): string {
    const { headers, body } = received.at(-1) as (typeof received)[number];
    const lines = [
      'v1',
      headers['svc-timestamp'],
      headers['svc-event-id'],
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    return `v1=${createHmac('sha256', text).update(lines).digest('hex')}`;
  }

  /** Delivers a new event; answers the signatures that came with it. */
  async function delivered(): Promise<string[]> {
    const { operationId } = store;
    const eventId = await storedEvent(store);
    const { deliverEvent } = createWebhookActivities({
      ...store,
      agent,
      rules,
      logger: pino({ level: 'silent' }),
      clock: Date.now,
      clocks: new OperationClocks('sandbox'),
    });
    assert.deepEqual(await deliverEvent({ eventId, operationId, attempt: 1 }), {
      kind: 'delivered',
      status: 200,
    });
    return String(received.at(-1)?.headers['svc-signature']).split(/[,\s]+/);
  }

  it('an expired secret signs nothing, not even one that expired this moment', async () => {
    await secret('the current one', HOUR_MS, null);
    await secret('expired this moment', 2 * HOUR_MS, -1);
    assert.deepEqual(await delivered(), [signatureUnder('the current one')]);
  });

  it('during a rotation both sign, the newest first', async () => {
    await secret('the next one', 0, null);
    await store.database.webhookSecret.updateMany({
      where: { expiresAt: null, createdAt: { lt: new Date(Date.now() - HOUR_MS / 2) } },
      data: { expiresAt: new Date(Date.now() + HOUR_MS) },
    });
    assert.deepEqual(await delivered(), [signatureUnder('the next one'), signatureUnder('the current one')]);
  });
});
