// An operation has its own account at a provider (segregated funds): its payments are made and found there, and
// no other operation's.
import assert from 'node:assert/strict';
import pg from 'pg';
import { createGatewayClient, type GatewayClient } from '../../../client/index.js';
import { chargeReferenceOf } from '../../../domain/identifiers.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import type { ProvisionedOperation } from '../../../lab/harness/gateway.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { openAlertsOf } from '../../support/open-alerts.js';

const ACCOUNT = 'simulator.acme';
/** At another bank than the slot's shared account. */
const OWN = {
  PROVIDER_SIMULATOR_ACCOUNT_ACME_DIALECT: 'efi',
  PROVIDER_SIMULATOR_ACCOUNT_ACME_URL: `{simulator}/${ACCOUNT}`,
  PROVIDER_SIMULATOR_ACCOUNT_ACME_CLIENT_ID: 'acme',
  PROVIDER_SIMULATOR_ACCOUNT_ACME_CLIENT_SECRET: 'the secret of its client',
  PROVIDER_SIMULATOR_ACCOUNT_ACME_PIX_KEY: 'acme@bank.test',
  PROVIDER_SIMULATOR_ACCOUNT_ACME_CALLBACK_SECRET: 'the secret of its callbacks',
  PROVIDER_SIMULATOR_ACCOUNT_ACME_DEPOSIT_MAX_MINOR: '200000',
};

describe("an operation's own account at a provider", function () {
  this.timeout(120_000);
  let stack: Stack;
  let database: pg.Client;
  let operation: ProvisionedOperation;
  let client: GatewayClient;
  /** Repeats nothing for long. */
  let impatient: GatewayClient;
  const player = { ...newPlayer(), name: 'Ana Souza' };

  before(async () => {
    stack = await startStack({ variables: OWN });
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    operation = (await stack.gateway(
      ...['operation', 'create', '--name', 'acme', '--environment', 'sandbox', '--provider', ACCOUNT],
      ...['--webhook-url', stack.receiver.url],
    )) as unknown as ProvisionedOperation;
    const credentials = { baseUrl: stack.baseUrl, keyId: operation.key_id, secret: operation.secret };
    client = createGatewayClient(credentials);
    impatient = createGatewayClient({ ...credentials, giveUpAfterMs: 1_000 });
    const funded = await deposit('100000');
    await client.sandbox.payDeposit(funded, once());
    await stack.receiver.waitFor(funded, 'deposit.paid');
  });
  after(async () => {
    await database?.end();
    await stack?.close();
  });

  const deposit = async (amount: string) => {
    const { id } = (await client.createDeposit({ ...newDeposit(amount, player), player }, once())).body;
    await stack.receiver.waitFor(id, 'deposit.pending');
    return id;
  };
  const approvedWithdrawal = async () => {
    const { id, status } = (await client.createWithdrawal(newWithdrawal(player, '1000'), once())).body;
    if (status === 'under_review') await client.sandbox.withdrawal(id, 'approve', once());
    return id;
  };
  const move = (id: string, account: string) => stack.gateway('operation', 'set-provider', '--operation', id, account);
  const playedAt = async (reference: string) => {
    const answer = await fetch(`${stack.simulatorUrl}/control/books?reference=${reference}`);
    const books = (await answer.json()) as Record<'charges' | 'payouts', { provider: string }[]>;
    return [...books.charges, ...books.payouts].map(({ provider }) => provider);
  };
  const setBalance = async (amount_minor: string | null) => {
    const answer = await fetch(`${stack.simulatorUrl}/control/${ACCOUNT}/balance`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ amount_minor }),
    });
    assert.equal(answer.status, 204);
  };

  it('charges and payouts are made there, and its callbacks settle them', async () => {
    const [charged, sent] = [await deposit('5000'), await approvedWithdrawal()];
    await stack.receiver.waitFor(sent, 'withdrawal.processing');
    assert.deepEqual(await playedAt(chargeReferenceOf(charged)), [ACCOUNT]);
    assert.deepEqual(await playedAt(sent.replace(/^wdr_/, '')), [ACCOUNT]);

    await client.sandbox.payDeposit(charged, once());
    await stack.receiver.waitFor(charged, 'deposit.paid');
    await client.sandbox.withdrawal(sent, 'pay', once());
    await stack.receiver.waitFor(sent, 'withdrawal.paid');
    const contracts = 'SELECT contract FROM deposit UNION SELECT contract FROM withdrawal';
    assert.deepEqual((await database.query(contracts)).rows, [{ contract: 'efi 2024-07' }]);
    const { rows } = await database.query('SELECT DISTINCT provider FROM provider_callback');
    assert.deepEqual(rows, [{ provider: ACCOUNT }]);
  });

  it("what its contract with the bank does not allow is refused before the bank is asked, on no other's account", async () => {
    const tooMuch = newDeposit('200001', player);
    const refused = { status: 422, code: 'amount_above_maximum' };
    await assert.rejects(client.createDeposit({ ...tooMuch, player }, once()), refused);
    const { rows } = await database.query('SELECT id FROM deposit WHERE external_id = $1', [tooMuch.external_id]);
    assert.deepEqual(rows, []);
    assert.equal((await stack.client.createDeposit(newDeposit('200001'), once())).body.status, 'pending');
  });

  it('no other operation can use it, not even after its operation has moved on', async () => {
    const refused = /the account is another operation's/;
    await assert.rejects(move(stack.operation.operation_id, ACCOUNT), refused);
    const create = ['operation', 'create', '--name', 'other', '--environment', 'sandbox', '--provider', ACCOUNT];
    await assert.rejects(stack.gateway(...create), refused);
    const open = await deposit('6000');
    await move(operation.operation_id, 'simulator');
    await assert.rejects(move(stack.operation.operation_id, ACCOUNT), refused);
    assert.deepEqual(await playedAt(chargeReferenceOf(await deposit('6100'))), ['simulator']);
    // What began there ends there.
    await client.sandbox.payDeposit(open, once());
    await stack.receiver.waitFor(open, 'deposit.paid');
    const { money, ...moved } = await move(operation.operation_id, ACCOUNT);
    assert.deepEqual(moved, { operation_id: operation.operation_id, provider: ACCOUNT });
    assert.deepEqual([...new Set((money as { provider: string }[]).map(({ provider }) => provider))], [ACCOUNT]);
    const { rowCount } = await database.query(`SELECT FROM operation WHERE name = 'other'`);
    assert.equal(rowCount, 0);
  });

  it('is paused with its slot, and alone without it', async () => {
    const create = (by: GatewayClient) => by.createDeposit({ ...newDeposit('7000', player), player }, once());
    const pause = (name: string) => stack.gateway('provider', 'pause', name, '--reason', 'an incident');
    await pause('simulator');
    await assert.rejects(create(impatient), { status: 503 });
    await stack.gateway('provider', 'resume', 'simulator');
    await pause(ACCOUNT);
    await assert.rejects(create(impatient), { status: 503 });
    assert.equal((await create(stack.client)).body.status, 'pending');
    await stack.gateway('provider', 'resume', ACCOUNT);
    assert.equal((await create(client)).body.status, 'pending');
  });

  it('its payouts wait for its own balance, whatever the shared account has', async () => {
    await setBalance('0');
    // What the gateway knows of the balance is a few seconds old.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const waiting = await approvedWithdrawal();
    const isAlerted = async () => (await openAlertsOf(stack, waiting)).includes('PROVIDER_BALANCE_SHORT');
    await eventually(isAlerted, 'the alert says that the account does not cover it');
    assert.equal((await client.getWithdrawal(waiting)).body.status, 'approved');
    await setBalance(null);
  });
});
