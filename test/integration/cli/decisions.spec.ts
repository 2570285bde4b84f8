// `gateway decision show|replay` over decisions that the real activities stored.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import type { Database } from '../../../store/database.js';
import { storingRules } from '../../../lab/harness/storing-rules.js';
import { createTestGateway, openDatabase, type TestGateway, testSealer } from './support.js';
import { sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

const CPF = '52998224725';

describe('gateway decision', () => {
  let gateway: TestGateway;
  let database: Database;
  let operationId: string;
  before(async () => {
    gateway = await createTestGateway();
    database = openDatabase(gateway.ownerUrl);
  });
  after(async () => {
    await database.$disconnect();
    await gateway.close();
  });
  beforeEach(async () => {
    operationId = String((await gateway.operation())['operation_id']);
    await database.ledgerAccount.updateMany({
      where: { operationId, account: 'available' },
      data: { balanceMinor: 10_000_000 },
    });
    await rules({ auto_max_per_withdrawal: '18000', first_withdrawal_manual: false });
    const at = new Date();
    await database.deposit.create({
      data: {
        id: newId('deposit'),
        operationId,
        externalId: 'd',
        status: 'paid',
        version: 3,
        amountMinor: 1_000_000,
        paidAmountMinor: 1_000_000,
        currency: 'BRL',
        method: 'pix',
        playerRef: 'player-1',
        provider: 'simulator',
        requestSealed: Buffer.from('x'),
        createdAt: at,
        updatedAt: at,
        expiresAt: at,
      },
    });
  });

  const rules = (brl: object, more: object = {}) =>
    gateway.json(
      `rules set --operation ${operationId}`,
      gateway.file(JSON.stringify({ currencies: { BRL: brl }, ...more })),
    );
  async function decide(amountMinor: bigint, playerRef = 'player-1'): Promise<string> {
    const withdrawalId = newId('withdrawal');
    const player = {
      external_ref: playerRef,
      document: { type: 'CPF', number: CPF, country: 'BR' },
      name: 'Maria',
      ip: '203.0.113.7',
    };
    const fields = {
      id: withdrawalId,
      operationId,
      operationName: 'x',
      environment: 'sandbox' as const,
      provider: 'simulator',
      externalId: withdrawalId,
      playerRef,
      amountMinor,
      currency: 'BRL',
      reviewRequested: false,
      operatorReasons: 0,
      hasPlayerIp: true,
      destinationType: 'cpf',
    };
    const destination = { pix: { key_type: 'cpf', key: CPF } } as const;
    const order = sealedWithdrawalOrder(testSealer, fields, { player, destination });
    await storingRules({ database, sealer: testSealer }).decideWithdrawal({
      order,
      at: new Date().toISOString(),
      keyOwner: 'not_asked',
      stage: 'creation',
    });
    return withdrawalId;
  }

  it('show says why, and what would have passed', async () => {
    const id = await decide(25000n);
    const { decisions } = await gateway.json('decision', 'show', id);
    assert.equal(decisions.length, 1);
    const { outcome, why, would_have_passed: passed, reproduced } = decisions[0];
    assert.deepEqual(outcome.reasons, ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED']);
    assert.deepEqual(why, [
      {
        code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
        meaning: 'it is above the automatic ceiling of one withdrawal',
        compared: { amountMinor: '25000', limitMinor: '18000' },
        decided: true,
      },
    ]);
    assert.deepEqual(passed, ['automatic up to R$ 180,00']);
    assert.equal(reproduced, true);
    const { stderr, stdout } = await gateway.run('decision', 'show', id);
    assert.match(
      stderr,
      /AUTO_MAX_PER_WITHDRAWAL_EXCEEDED: it is above the automatic ceiling of one withdrawal \(amount R\$ 250,00, /,
    );
    assert.match(stderr, /, limit R\$ 180,00\)\n {2}would have been automatic up to R\$ 180,00\n/);
    const terminal = await gateway.onTerminal('decision', 'show', id);
    assert.deepEqual([terminal.stdout, terminal.stderr], [stderr, ''], 'a person at a terminal reads words alone');
    assert.deepEqual(
      JSON.parse((await gateway.onTerminal('decision', 'show', id, '--json')).stdout),
      JSON.parse(stdout),
    );
    for (const personal of [CPF, 'Maria', '203.0.113.7']) assert.equal((stderr + stdout).includes(personal), false);
  });

  it('show knows of a refusal that left no object, and of nothing else', async () => {
    await rules({ withdrawal_max: '100' });
    const { decisions } = await gateway.json('decision', 'show', await decide(101n));
    assert.equal(decisions[0].outcome.code, 'amount_above_maximum');
    await gateway.fails(1, /decided nothing/, 'decision', 'show', `wdr_${'0'.repeat(32)}`);
    await gateway.fails(2, /^gateway: ID: must be/, 'decision', 'show', 'op_1');
  });

  it('replay reproduces every digest: of other rule sets, of the engine’s own, and while a person had stopped it', async () => {
    await decide(25000n);
    await rules(
      { first_withdrawal_manual: false },
      { engine: { auto_suspended: true, currencies: { BRL: { windows: { '7d': { review_amount: '1' } } } } } },
    );
    await decide(25000n);
    await gateway.json(`operation stop-automatic ${operationId} --as ana`);
    await decide(25000n);
    const replay = await gateway.json(`decision replay --operation ${operationId}`);
    assert.deepEqual([replay['ok'], replay['decisions'], replay['reproduced'], replay['flips']], [true, 3, 3, {}]);
    const undecided = (await gateway.rows('SELECT id FROM deposit WHERE operation_id = $1', operationId))[0]?.['id'];
    assert.equal((await gateway.json('decision', 'replay', '--id', String(undecided)))['decisions'], 0);
    await gateway.fails(1, /^gateway: withdrawal wdr_0: there is no such withdrawal/, 'decision replay --id wdr_0');
  });

  it('replay under another version says what it would have decided otherwise', async () => {
    const [small, large] = [await decide(100n), await decide(25000n)];
    await rules({ first_withdrawal_manual: false, auto_max_per_withdrawal: '99' });
    await rules({ first_withdrawal_manual: false });
    const strict = await gateway.json('decision', 'replay', '--operation', operationId, '--ruleset', '3');
    assert.deepEqual(
      [strict['flips'], strict['examples'].map((example: { object_id: string }) => example.object_id)],
      [{ 'automatic → review': 1 }, [small]],
    );
    const generous = await gateway.json('decision', 'replay', '--operation', operationId, '--ruleset', '4');
    assert.deepEqual([generous['flips'], generous['examples'][0].object_id], [{ 'review → automatic': 1 }, large]);
    await gateway.fails(1, /no rule set version 9/, `decision replay --operation ${operationId} --ruleset 9`);
    await gateway.fails(2, /--operation/, 'decision replay --ruleset 3');
    await gateway.fails(2, /--ruleset.*must be a version/, `decision replay --operation ${operationId} --ruleset 0`);
    await gateway.fails(2, /--days.*from 1 to 3650/, 'decision replay --days 3651');
  });

  it('show says when the stored decision does not follow from its facts', async () => {
    const id = await decide(25000n);
    // Past the trigger that keeps decisions as they are.
    await gateway.rows(`SET session_replication_role = 'replica'`);
    await gateway.rows('UPDATE decision SET digest = reverse(digest) WHERE object_id = $1', id);
    await gateway.rows(`SET session_replication_role = 'origin'`);
    const { decisions } = await gateway.json('decision', 'show', id);
    assert.equal(decisions[0].reproduced, false);
  });

  it('replay finds a rule set that was changed behind its decisions', async () => {
    await decide(25000n);
    await gateway.rows(
      `UPDATE rule_set_version SET rules = jsonb_set(rules, '{currencies,BRL,auto_max_per_withdrawal}', '"17000"')
        WHERE operation_id = $1 AND version = 2`,
      operationId,
    );
    const { exitCode, stdout } = await gateway.run('decision', 'replay', '--operation', operationId);
    const replay = JSON.parse(stdout) as { ok: boolean; reproduced: number; not_reproduced: string[] };
    assert.deepEqual([exitCode, replay.ok, replay.reproduced, replay.not_reproduced.length], [1, false, 0, 1]);
  });
});
