// Alerts about the age of secrets in real Postgres: at 75 and 90 days, once for each, resolved by a rotation.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createRotationActivities } from '../../../activities/operations/housekeeping.js';
import { useStore } from './fixtures.js';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const DAY_MS = 86_400_000;
const at = new Date(NOW).toISOString();

describe('the age of secrets', () => {
  const store = useStore('once');
  const lines: { kind: string; objectId: string }[] = [];
  const logger = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  beforeEach(async () => {
    await store.database.alert.deleteMany();
    await store.database.apiKey.deleteMany();
    await store.database.webhookSecret.deleteMany();
    lines.length = 0;
  });

  const key = async (ageDays: number, more: { expiresAt?: Date; revokedAt?: Date } = {}): Promise<string> => {
    const keyId = `key_test_${randomUUID().replaceAll('-', '')}`;
    await store.database.apiKey.create({
      data: {
        keyId,
        operationId: store.operationId,
        environment: 'sandbox',
        secretSealed: Buffer.from('x'),
        scopes: ['read'],
        createdAt: new Date(NOW - ageDays * DAY_MS),
        ...more,
      },
    });
    return keyId;
  };
  const check = (when = at) => createRotationActivities(store.database, logger).checkSecretAges({ at: when });
  const alerts = async () =>
    (await store.database.alert.findMany({ orderBy: { createdAt: 'asc' } })).map(({ kind, objectId, resolvedAt }) => [
      kind,
      objectId,
      resolvedAt === null ? 'open' : 'resolved',
    ]);
  const MILLISECOND_DAYS = 1 / DAY_MS;

  it('is raised once, not daily; a second one says when it is overdue', async () => {
    const keyId = await key(75);
    for (let day = 0; day < 15; day += 1) await check(new Date(NOW + day * DAY_MS).toISOString());
    assert.deepEqual(await alerts(), [['KEY_ROTATION_DUE', keyId, 'open']]);
    await check(new Date(NOW + 15 * DAY_MS).toISOString());
    assert.deepEqual(await alerts(), [
      ['KEY_ROTATION_DUE', keyId, 'resolved'],
      ['KEY_ROTATION_OVERDUE', keyId, 'open'],
    ]);
    assert.equal(lines.length, 2);
  });

  it('an alert that a person resolved does not come back', async () => {
    const keyId = await key(80);
    await check();
    await store.database.alert.updateMany({ data: { resolvedAt: new Date(NOW) } });
    assert.deepEqual(await check(), { raised: 0, resolved: 0 });
    assert.deepEqual(await alerts(), [['KEY_ROTATION_DUE', keyId, 'resolved']]);
  });

  it('a key is due at 75 days, to the millisecond, and overdue at 90: an alert, and a line in the log', async () => {
    const keys = [await key(75 - MILLISECOND_DAYS), await key(90 - MILLISECOND_DAYS), await key(90)];
    assert.deepEqual(await check(), { raised: 2, resolved: 0 });
    assert.deepEqual((await alerts()).sort(), [
      ['KEY_ROTATION_DUE', keys[1], 'open'],
      ['KEY_ROTATION_OVERDUE', keys[2], 'open'],
    ]);
    assert.deepEqual(lines.map(({ objectId }) => objectId).sort(), keys.slice(1).sort());
  });

  it('a revoked or ending key raises no alert, and resolves its own', async () => {
    await key(80, { revokedAt: new Date(NOW - DAY_MS) });
    await key(80, { expiresAt: new Date(NOW + DAY_MS) });
    assert.deepEqual(await check(), { raised: 0, resolved: 0 });
    const [rotated, revoked] = [await key(80), await key(95)];
    assert.deepEqual(await check(), { raised: 2, resolved: 0 });
    await store.database.apiKey.update({ where: { keyId: rotated }, data: { expiresAt: new Date(NOW + 7 * DAY_MS) } });
    await store.database.apiKey.update({ where: { keyId: revoked }, data: { revokedAt: new Date(NOW) } });
    assert.deepEqual(await check(), { raised: 0, resolved: 2 });
  });

  it('a webhook secret of 90 days: WEBHOOK_SECRET_OVERDUE until it is rotated', async () => {
    const secret = async (ageDays: number) => {
      const id = randomUUID();
      await store.database.webhookSecret.create({
        data: {
          id,
          operationId: store.operationId,
          secretSealed: Buffer.from('x'),
          createdAt: new Date(NOW - ageDays * DAY_MS),
        },
      });
      return id;
    };
    await secret(89.99);
    const old = await secret(90);
    await check();
    assert.deepEqual(await alerts(), [['WEBHOOK_SECRET_OVERDUE', old, 'open']]);
    await store.database.webhookSecret.update({ where: { id: old }, data: { expiresAt: new Date(NOW + DAY_MS) } });
    assert.deepEqual(await check(), { raised: 0, resolved: 1 });
  });
});
