// Keys from a vault: only wrapped ones are stored, they are used for a bounded time, and without the vault everything
// is closed. About 8 s.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../../store/database.js';
import { ACTIVE_AFTER_SECONDS, retireKey } from '../../../store/sealing/data-keys.js';
import { createTransit, type Transit } from '../../../store/sealing/transit.js';
import { USABLE_MS, VaultKeys } from '../../../store/sealing/open-keys.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import {
  KeyNotHeldError,
  keyOfPurpose,
  KeysUnavailableError,
  PURPOSES_OF,
  SEALING_PURPOSES,
} from '../../../store/sealing/keys.js';
import { type StandInVault, startVault } from '../../support/vault-transit.js';
import { startPipeline } from '../api-pipeline/harness.js';
import { createTestGateway, openDatabase, type TestGateway } from '../cli/support.js';
import { placeOf } from '../../../store/sealing/places.js';

const PLACE = placeOf('deposit.request_sealed', 'op_1', { id: 'dep_1' });

describe('keys from a vault', function () {
  this.timeout(60_000);
  let vault: StandInVault;
  let gateway: TestGateway;
  let database: Database;
  const open: VaultKeys[] = [];

  const vaultVariables = () => ({
    GATEWAY_KEY_PROVIDER: 'vault',
    GATEWAY_VAULT_URL: vault.url,
    GATEWAY_VAULT_KEY: vault.keyName,
    GATEWAY_VAULT_TOKEN: vault.token,
  });
  before(async () => {
    vault = await startVault();
    gateway = await createTestGateway(vaultVariables());
    database = openDatabase(gateway.ownerUrl);
  });
  after(async () => {
    await Promise.all(open.map((keys) => keys.close()));
    await database.$disconnect();
    await gateway.close();
    await vault.close();
  });
  afterEach(() => vault.fail('none'));

  const transitTo = (token = vault.token): Transit =>
    createTransit({ url: vault.url, mount: 'transit', key: vault.keyName, token: () => token });
  function openVault(nowMs: () => number = Date.now, transit = transitTo()): VaultKeys {
    const keys = new VaultKeys({ database, transit, nowMs });
    open.push(keys);
    return keys;
  }

  it('before "sealing init" nothing can be sealed, and the command says what to do', async () => {
    await assert.rejects(() => openVault().ready(), KeysUnavailableError);
    await gateway.fails(
      1,
      /gateway sealing init/,
      'operation create --name A --environment sandbox --provider simulator',
    );
  });

  it('init makes keys that only the vault can open; a second init is refused', async () => {
    await gateway.json('sealing', 'init', '--as', 'ana');
    const rows = await gateway.rows('SELECT id, purpose, wrapped FROM data_key ORDER BY id, purpose');
    assert.deepEqual(
      rows.map(({ id, purpose }) => [id, purpose]),
      [['hash', 'look_up'], ...[...SEALING_PURPOSES].sort().map((purpose) => ['v1', purpose])],
    );
    assert.ok(rows.every(({ wrapped }) => /^vault:v1:/.test(String(wrapped))));
    await gateway.fails(1, /there are data keys already/, 'sealing', 'init');
    assert.ok(
      (await gateway.json('audit', 'list'))['entries'].some(
        ({ action, person }: { action: string; person: string }) => action === 'sealing.init' && person === 'ana',
      ),
    );
  });

  it('one process opens what another sealed, and both make the same hashes', async () => {
    const [one, two] = [openVault(), openVault()];
    await Promise.all([one.ready(), two.ready()]);
    const sealed = new Sealer(one).sealJson(PLACE, { name: 'Maria' });
    assert.deepEqual(new Sealer(two).openJson(PLACE, sealed), { name: 'Maria' });
    assert.deepEqual(
      new Sealer(one).lookupHash('op_1', 'document', '52998224725'),
      new Sealer(two).lookupHash('op_1', 'document', '52998224725'),
    );
    assert.ok((await gateway.operation())['secret'].length > 20, 'the commands seal with it, too');
  });

  for (const [mode, reason] of [
    ['sealed', 'unavailable'],
    ['denied', 'denied'],
    ['silent', 'unreachable'],
    ['nonsense', 'unreadable'],
  ] as const) {
    it(`a vault that is ${mode} gives no keys; when it is well again, they come by themselves`, async () => {
      let now = Date.now();
      const keys = openVault(() => now);
      vault.fail(mode);
      await assert.rejects(() => keys.ready(), new RegExp(`^TransitError: the vault: ${reason}`));
      assert.throws(() => new Sealer(keys).sealBytes(PLACE, Buffer.from('x')), KeysUnavailableError);
      vault.fail('none');
      now += 2_000;
      assert.throws(() => keys.current('payments'), KeysUnavailableError, 'this use asks again');
      await keys.refresh();
      assert.equal(keys.current('payments').id, 'v1');
    });
  }

  it('the token of a webhooks worker opens events and their secrets, and nothing else', async () => {
    const token = vault.tokenFor(['events', 'webhook-secrets']);
    const keys = new VaultKeys({ database, transit: transitTo(token), purposes: PURPOSES_OF['worker-webhooks'] });
    open.push(keys);
    await keys.ready();
    const all = openVault();
    await all.ready();
    const event = placeOf('event.body_sealed', 'op_1', { id: 'evt_1' });
    const sealed = [event, PLACE].map((place) => new Sealer(all).sealBytes(place, Buffer.from('x')));
    assert.equal(new Sealer(keys).openBytes(event, sealed[0]!).toString(), 'x');
    assert.throws(() => new Sealer(keys).openBytes(PLACE, sealed[1]!), KeyNotHeldError);
    assert.throws(() => new Sealer(keys).lookupHash('op_1', 'document', '52998224725'), KeyNotHeldError);
    // Nor may it ask for more; the reason holds no secret.
    const more = openVault(Date.now, transitTo(token));
    await assert.rejects(() => more.ready(), { name: 'TransitError', message: 'the vault: denied (403)' });
  });

  it('keys are used for five minutes after the vault last answered, not a moment longer', async () => {
    let now = Date.now();
    const keys = openVault(() => now);
    await keys.ready();
    const sealed = new Sealer(keys).sealBytes(PLACE, Buffer.from('x'));
    vault.fail('silent');
    now += USABLE_MS - 1;
    assert.equal(new Sealer(keys).openBytes(PLACE, sealed).toString(), 'x');
    now += 1;
    for (const use of [
      () => keys.current('payments'),
      () => keys.byId('payments', 'v1'),
      () => keys.hashKey(),
      () => new Sealer(keys).openBytes(PLACE, sealed),
    ])
      assert.throws(use, KeysUnavailableError);
    await assert.rejects(() => keys.ready(), /^TransitError: the vault: unreachable/);
  });

  it('rotate: the new key seals when every process knows it; values of both open', async () => {
    let now = Date.now();
    const [early, late] = [openVault(() => now), openVault(() => now)];
    await Promise.all([early.ready(), late.ready()]);
    const old = new Sealer(early).sealBytes(PLACE, Buffer.from('old'));
    const { id } = await gateway.json('sealing', 'rotate', '--as', 'ana');
    assert.equal(id, 'v2');
    await early.refresh();
    assert.equal(early.current('payments').id, 'v1', 'the other processes do not know it yet');
    now += ACTIVE_AFTER_SECONDS * 1_000 + 5_000;
    assert.equal(early.current('payments').id, 'v2');
    const fresh = new Sealer(early).sealBytes(PLACE, Buffer.from('new'));
    assert.throws(
      () => new Sealer(late).openBytes(PLACE, fresh),
      KeysUnavailableError,
      'an unknown key is asked for, not taken for damage',
    );
    await late.refresh();
    assert.deepEqual(
      [old, fresh].map((sealed) => new Sealer(late).openBytes(PLACE, sealed).toString()),
      ['old', 'new'],
    );
    assert.equal(late.byId('payments', 'v99'), undefined, 'right after asking, a key that is not there does not exist');
  });

  it('rewrap: after the master key was rotated, its old version is needed no more', async () => {
    vault.rotateMaster();
    const { rewrapped } = await gateway.json('sealing', 'rewrap', '--as', 'ana');
    assert.deepEqual(
      rewrapped.map((key: { master_key_version: number }) => key.master_key_version),
      Array(2 * SEALING_PURPOSES.length + 1).fill(2),
    );
    vault.setMinimumVersion(2);
    const keys = openVault();
    await keys.ready();
    vault.setMinimumVersion(3);
    await assert.rejects(() => openVault().ready(), /refused \(400\)/);
    vault.setMinimumVersion(1);
  });

  it('the commands: reseal, see what is left, and keep a key that something may still need', async () => {
    await gateway.rows("UPDATE data_key SET active_from = now() - interval '1 second' WHERE id = 'v2'");
    const { key_id, resealed } = await gateway.json('sealing', 'reseal', '--as', 'ana');
    assert.deepEqual(
      [key_id, resealed['api_key.secret_sealed'], resealed['webhook_secret.secret_sealed']],
      ['v2', 1, 1],
    );
    const statusOf = async (id: string) =>
      (
        (await gateway.json('sealing', 'status'))['keys'] as { id: string; blocks: string[]; can_be_retired: boolean }[]
      ).find((key) => key.id === id);
    assert.deepEqual((await statusOf('v2'))?.blocks, ['current', 'seals_values', 'never_noted']);
    await gateway.rows("INSERT INTO sealing_key_use (key_id, last_used_at) VALUES ('v1', now() - interval '1 hour')");
    assert.deepEqual((await statusOf('v1'))?.blocks, ['older_workflows_open'], 'Temporal was not asked');
    await gateway.fails(1, /key v1 cannot be retired: older_workflows_open/, 'sealing', 'retire', 'v1', '--as', 'ana');
    assert.equal(await retireKey(database, 'v1'), true);
    const keys = openVault();
    await keys.ready();
    assert.deepEqual([keys.current('payments').id, keys.byId('payments', 'v1')], ['v2', undefined]);
    await gateway.fails(1, /there is no such key/, 'sealing', 'retire', 'v7', '--as', 'ana');
    await assert.rejects(
      () => gateway.rows("UPDATE data_key SET retired_at = now() WHERE id = 'hash'"),
      'equality must hold for ever',
    );
  });

  it('keys of the environment are taken over with what they sealed', async () => {
    const held = {
      GATEWAY_SEALING_KEYS: `k2:${randomBytes(32).toString('base64')},k1:${randomBytes(32).toString('base64')}`,
      GATEWAY_HASH_KEY: randomBytes(32).toString('base64'),
    };
    const before = await createTestGateway({ ...held });
    try {
      await before.operation();
      const [row] = await before.rows('SELECT * FROM api_key');
      Object.assign(before.environment, vaultVariables());
      await before.json('sealing', 'init', '--from-environment', '--as', 'ana');
      const own = openDatabase(before.ownerUrl);
      const keys = new VaultKeys({ database: own, transit: transitTo() });
      await keys.ready();
      assert.deepEqual(
        [keys.currentId(), keys.byId('payments', 'k1'), keys.hashKey().toString('base64')],
        [
          'k2',
          keyOfPurpose(Buffer.from(held.GATEWAY_SEALING_KEYS.split('k1:')[1]!, 'base64'), 'payments'),
          held.GATEWAY_HASH_KEY,
        ],
      );
      const place = placeOf('api_key.secret_sealed', row!['operation_id'], { key_id: row!['key_id'] });
      assert.equal(new Sealer(keys).openBytes(place, row!['secret_sealed'] as Uint8Array).length, 48);
      await keys.close();
      await own.$disconnect();
    } finally {
      await before.close();
    }
  });

  it('the api without its vault: 503, no handler runs, nothing is written', async () => {
    const pipeline = await startPipeline();
    try {
      vault.fail('sealed');
      const { port } = await pipeline.another({
        sealer: new Sealer(openVault()),
        health: { keys: () => openVault().ready() },
      });
      const tables = () =>
        pipeline.sql.query(
          'SELECT (SELECT count(*) FROM nonce) AS nonces, (SELECT count(*) FROM idempotency_key) AS keys',
        );
      const before = (await tables()).rows;
      for (const signed of [{}, { method: 'POST', target: '/v1/deposits', body: '{}' }, { signature: 'v1=x' }]) {
        const { status, code, headers } = await pipeline.request(signed, port);
        assert.deepEqual([status, code], [503, 'service_unavailable']);
        assert.match(String(headers['retry-after']), /^[1-9]/);
      }
      assert.deepEqual((await tables()).rows, before);
      assert.equal([...pipeline.runs.values()].length, 0);
      assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 503);
    } finally {
      await pipeline.close();
    }
  });
});
