// The real processes with keys from a vault and from a file: a vault that cannot be reached closes what needs it,
// writes nothing, and everything continues by itself once it is back; a rotated key is retired when nothing needs it
// any more. About 60 s.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createGatewayClient, type GatewayClient, newIdempotencyKey } from '../../client/index.js';
import { eventually } from '../../lab/harness/eventually.js';
import { newDeposit, once } from '../../lab/harness/payments.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';
import { type NetworkLink, startNetworkLink } from '../../lab/harness/network-link.js';
import { KEY_PURPOSES } from '../../store/sealing/keys.js';
import { type StandInVault, startVault } from '../support/vault-transit.js';

/** The keys of the environment are not there: what these processes seal, the vault or the file has given. */
const NO_HELD_KEYS = { GATEWAY_SEALING_KEYS: '', GATEWAY_HASH_KEY: '' };

describe('keys from a vault, in the real processes', function () {
  this.timeout(600_000);
  let vault: StandInVault;
  let link: NetworkLink;
  let stack: Stack;
  let sql: pg.Client;
  /** Repeats nothing by itself. */
  let hasty: GatewayClient;
  let open = '';

  before(async () => {
    vault = await startVault();
    link = await startNetworkLink('vault', [Number(new URL(vault.url).port)]);
    const variables = {
      ...NO_HELD_KEYS,
      GATEWAY_KEY_PROVIDER: 'vault',
      GATEWAY_VAULT_URL: `http://127.0.0.1:${link.port}`,
      GATEWAY_VAULT_KEY: vault.keyName,
      GATEWAY_VAULT_TOKEN: vault.token,
    };
    stack = await startStack({
      variables,
      prepare: async (gateway) => void (await gateway('sealing', 'init', '--as', 'ana')),
    });
    hasty = createGatewayClient({
      baseUrl: stack.baseUrl,
      keyId: stack.operation.key_id,
      secret: stack.operation.secret,
      maxAttempts: 1,
    });
    sql = new pg.Client({ connectionString: stack.databaseUrl });
    await sql.connect();
  });
  after(async () => {
    await hasty?.close();
    await sql?.end();
    await stack?.close();
    await link?.close();
    await vault?.close();
  });

  const pay = (id: string) => stack.client.sandbox.payDeposit(id, once());
  const statusOf = async (id: string) => (await stack.client.getDeposit(id)).body.status;
  const written = async () =>
    (
      await sql.query(
        'SELECT (SELECT count(*) FROM nonce) AS nonces, (SELECT count(*) ' +
          'FROM idempotency_key) AS keys, (SELECT count(*) FROM deposit) AS deposits',
      )
    ).rows[0] as object;

  it('a deposit is made and paid, and only wrapped keys are stored', async () => {
    const id = (await stack.client.createDeposit(newDeposit(), once())).body.id;
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
    const { rows } = await sql.query<{ wrapped: string }>('SELECT wrapped FROM data_key');
    assert.ok(rows.length === KEY_PURPOSES.length && rows.every(({ wrapped }) => wrapped.startsWith('vault:v1:')));
    open = (await stack.client.createDeposit(newDeposit(), once())).body.id;
  });

  it('the worker comes back without its vault: payments wait, and continue by themselves when it is back', async () => {
    await stack.worker.kill();
    link.cut();
    await stack.worker.start();
    await pay(open).catch(() => undefined);
    const request = newDeposit();
    const key = { idempotencyKey: newIdempotencyKey() };
    await assert.rejects(() => hasty.createDeposit(request, key), /503|service_unavailable/);
    assert.equal(await statusOf(open), 'pending');
    link.heal();
    await stack.receiver.waitFor(open, 'deposit.paid', 180_000);
    assert.equal(
      (await stack.client.createDeposit(request, key)).status,
      201,
      'the same request, once the vault is back',
    );
  });

  it('the api comes back without its vault: not ready, 503, nothing is written; then ready by itself', async () => {
    await stack.api.kill();
    link.cut();
    const isReady = stack.api.start();
    const health = stack.baseUrl.replace('/v1', '/healthz');
    await eventually(
      async () => (await fetch(health).catch(() => null))?.status === 503,
      'the api answers that it is not ready',
      60_000,
    );
    const before = await written();
    await assert.rejects(() => hasty.createDeposit(newDeposit(), once()), /503|service_unavailable/);
    await assert.rejects(() => hasty.getDeposit(open), /503|service_unavailable/);
    assert.deepEqual(await written(), before);
    link.heal();
    await isReady;
    assert.equal(await statusOf(open), 'paid');
  });

  it('rotate, reseal, retire: refused while a workflow or a process may need the old key, then it goes', async () => {
    open = (await stack.client.createDeposit(newDeposit(), once())).body.id;
    await stack.gateway('sealing', 'rotate', '--as', 'ana');
    // They are restarted, instead of waiting the two minutes until every process has read it.
    await sql.query(`UPDATE data_key SET active_from = now() - interval '1 second' WHERE id = 'v2'`);
    await Promise.all([stack.api.kill(), stack.worker.kill()]);
    await Promise.all([stack.api.start(), stack.worker.start()]);
    await stack.gateway('sealing', 'reseal', '--as', 'ana');
    const blocks = async () =>
      ((await stack.gateway('sealing', 'status')) as { keys: { id: string; blocks: string[] }[] }).keys.find(
        ({ id }) => id === 'v1',
      )?.blocks;
    await eventually(
      async () => (await blocks())?.includes('older_workflows_open') === true,
      'Temporal names the open deposit',
      120_000,
    );
    assert.deepEqual(await blocks(), ['in_use', 'older_workflows_open']);
    await assert.rejects(
      () => stack.gateway('sealing', 'retire', 'v1', '--as', 'ana'),
      /key v1 cannot be retired: in_use, older_workflows_open/,
    );

    await pay(open);
    await stack.receiver.waitFor(open, 'deposit.paid');
    await sql.query(`UPDATE sealing_key_use SET last_used_at = now() - interval '10 minutes' WHERE key_id = 'v1'`);
    await stack.gateway('sealing', 'reseal', '--as', 'ana');
    await eventually(async () => (await blocks())?.length === 0, 'nothing needs it', 120_000);
    assert.deepEqual(await stack.gateway('sealing', 'retire', 'v1', '--as', 'ana'), { id: 'v1', retired: true });
    await Promise.all([stack.api.kill(), stack.worker.kill()]);
    await Promise.all([stack.api.start(), stack.worker.start()]);
    const id = (await stack.client.createDeposit(newDeposit(), once())).body.id;
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
    assert.equal(
      (await stack.client.getDeposit(open)).body.payer?.document?.type,
      'CPF',
      'what v1 had sealed is open to v2',
    );
  });
});

describe('keys from a file, in the real processes', function () {
  this.timeout(300_000);
  let folder: string;
  let stack: Stack | undefined;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-keys-'));
  });
  after(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a deposit is made and paid', async () => {
    const file = join(folder, 'keys');
    const key = () => randomBytes(32).toString('base64');
    writeFileSync(file, `GATEWAY_SEALING_KEYS=f1:${key()}\nGATEWAY_HASH_KEY=${key()}\n`, { mode: 0o600 });
    stack = await startStack({
      variables: {
        ...NO_HELD_KEYS,
        GATEWAY_KEY_PROVIDER: 'file',
        GATEWAY_KEYS_FILE: file,
      },
    });
    const id = (await stack.client.createDeposit(newDeposit(), once())).body.id;
    await stack.client.sandbox.payDeposit(id, once());
    await stack.receiver.waitFor(id, 'deposit.paid');
    const { keys } = (await stack.gateway('sealing', 'status')) as { keys: { id: string; total: number }[] };
    assert.deepEqual(
      keys.map(({ id: name }) => name),
      ['f1'],
    );
    assert.ok(keys[0]!.total > 0);
  });
});
