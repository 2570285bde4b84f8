// Stored decisions: whole, once, without personal data, evaluated again to the same digest; and what a decision costs.
import assert from 'node:assert/strict';
import { withAmounts, writeJson } from '../../../domain/money.js';
import { decisionDigest } from '../../../store/rules/decisions.js';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { statementsOf } from '../../support/sent-statements.js';
import { AT, CPF, World } from './world.js';

describe('stored decisions', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ auto_max_per_withdrawal: '4000', dual_approval_above: '4999' }));

  it('hold what they were made of: evaluated again they give the same outcome, findings and digest', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder();
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    const [stored] = await world.database.decision.findMany({ where: { objectId: order.id } });
    assert.ok(stored !== undefined);
    const facts = withAmounts(stored.facts) as unknown as WithdrawalFacts;
    const thresholds = withAmounts(stored.thresholds) as unknown as Thresholds;
    const { outcome, reports } = evaluateWithdrawal('creation', facts, thresholds);
    assert.deepEqual(stored.outcome, outcome);
    assert.deepEqual(stored.verdicts, JSON.parse(writeJson(reports)));
    assert.deepEqual(outcome, {
      kind: 'review',
      reasons: ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED', 'DUAL_APPROVAL_REQUIRED'],
      keyCheckNeeded: false,
    });
    assert.equal(stored.digest, decisionDigest({ facts, thresholds, ruleSetVersion: stored.ruleSetVersion, outcome }));
    assert.deepEqual(
      [stored.stage, stored.ruleSetVersion, stored.decidedAt.toISOString(), stored.operationId],
      ['creation', 1, AT, world.operationId],
    );
  });

  it('are stored once however often the activity is tried', async () => {
    const order = world.withdrawalOrder();
    const question = { order, at: AT, keyOwner: 'not_asked', stage: 'creation' } as const;
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => world.rules.decideWithdrawal(question)));
    for (const verdict of verdicts) assert.deepEqual(verdict, verdicts[0]);
    assert.equal(await world.database.decision.count({ where: { objectId: order.id } }), 1);
    await world.rules.decideWithdrawal({ ...question, keyOwner: 'match' });
    assert.equal(
      await world.database.decision.count({ where: { objectId: order.id } }),
      2,
      'another decision is another row',
    );
  });

  it('hold no personal data', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder({ reviewRequested: true, reviewReasons: ['Maria Exemplo asked for it'] });
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    await world.rules.decideDeposit({ order: world.depositOrder(), at: AT });
    const text = JSON.stringify(
      await world.database.decision.findMany({ where: { operationId: world.operationId } }),
      (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    );
    for (const secret of [CPF, 'Maria', 'Exemplo', '203.0.113.7', 'device-1', 'example.test'])
      assert.equal(text.includes(secret), false, secret);
    // Nor hashes of it: a keyed hash of a CPF is still a name for a person.
    assert.doesNotMatch(text.replaceAll(/"digest":"[0-9a-f]{64}"/g, ''), /[0-9a-f]{40}/);
  });

  it('cost one statement to read the facts and one to store', async () => {
    await world.knownPlayer();
    const withdrawalId = await world.withdrawal({ status: 'approved' });
    const { rules } = world;
    const cost = (ask: () => Promise<unknown>) => statementsOf(world.ofRules, ask);
    const { operationId } = world;
    const payment = {
      id: 'dep_x',
      operationId,
      playerRef: 'player-1',
      environment: 'sandbox',
      chargedAmountMinor: 1n,
      paidAmountMinor: 1n,
      paidAt: AT,
      expiresAt: AT,
      payerMatch: 'match',
      sealedPayer: null,
      at: AT,
    } as const;
    assert.deepEqual(await cost(() => rules.decideDeposit({ order: world.depositOrder(), at: AT })), [
      'WITH',
      'SELECT',
    ]);
    assert.deepEqual(await cost(() => rules.assessPayment(payment)), ['WITH', 'SELECT']);
    assert.deepEqual(
      await cost(() =>
        rules.decideWithdrawal({ order: world.withdrawalOrder(), at: AT, keyOwner: 'not_asked', stage: 'creation' }),
      ),
      ['WITH', 'SELECT'],
    );
    assert.deepEqual(await cost(() => rules.decideDispatch({ id: withdrawalId, operationId, at: AT })), [
      'WITH',
      'SELECT',
    ]);
  });
});
