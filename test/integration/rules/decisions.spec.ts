// Stored decisions: whole, once, without personal data, evaluated again to the same digest; and what a decision costs.
import assert from 'node:assert/strict';
import { decisionDigest } from '../../../store/decision-digest.js';
import { createWithdrawalStore } from '../../../activities/store/withdrawals.js';
import type { WithdrawalOrder } from '../../../contract/temporal/withdrawal.js';
import { evaluateWithdrawal } from '../../../domain/rules/engine.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { WithdrawalFacts } from '../../../domain/rules/withdrawal-rules.js';
import { AT, CPF, sealer, World } from './world.js';

describe('stored decisions', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ auto_max_per_withdrawal: '4000', dual_approval_above: '4999' }));

  it('hold what they were made of: evaluated again they give the same outcome, findings and digest', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder();
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    const [stored] = await world.database.decision.findMany({ where: { objectId: order.withdrawalId } });
    assert.ok(stored !== undefined);
    const facts = stored.facts as unknown as WithdrawalFacts;
    const thresholds = stored.thresholds as unknown as Thresholds;
    const { outcome, reports } = evaluateWithdrawal('creation', facts, thresholds);
    assert.deepEqual(stored.outcome, outcome);
    assert.deepEqual(stored.verdicts, reports);
    assert.deepEqual(outcome, { kind: 'review', reasons: ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED', 'DUAL_APPROVAL_REQUIRED'], keyCheckNeeded: false });
    assert.equal(stored.digest, decisionDigest({ facts, thresholds, ruleSetVersion: stored.ruleSetVersion, outcome }));
    assert.deepEqual([stored.stage, stored.ruleSetVersion, stored.decidedAt.toISOString(), stored.operationId], ['creation', 1, AT, world.operationId]);
  });

  it('are stored once however often the activity is tried', async () => {
    const order = world.withdrawalOrder();
    const question = { order, at: AT, keyOwner: 'not_asked', stage: 'creation' } as const;
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => world.rules.decideWithdrawal(question)));
    for (const verdict of verdicts) assert.deepEqual(verdict, verdicts[0]);
    assert.equal(await world.database.decision.count({ where: { objectId: order.withdrawalId } }), 1);
    await world.rules.decideWithdrawal({ ...question, keyOwner: 'match' });
    assert.equal(await world.database.decision.count({ where: { objectId: order.withdrawalId } }), 2, 'another decision is another row');
  });

  it('hold no personal data', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder({ reviewRequested: true, reviewReasons: ['Maria Exemplo asked for it'] });
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    await world.rules.decideDeposit({ order: world.depositOrder(), at: AT });
    const text = JSON.stringify(await world.database.decision.findMany({ where: { operationId: world.operationId } }), (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
    for (const secret of [CPF, 'Maria', 'Exemplo', '203.0.113.7', 'device-1', 'example.test']) assert.equal(text.includes(secret), false, secret);
    // Nor hashes of it: a keyed hash of a CPF is still a name for a person.
    assert.doesNotMatch(text.replaceAll(/"digest":"[0-9a-f]{64}"/g, ''), /[0-9a-f]{40}/);
  });

  it('cost one statement to read the facts and one to store', async () => {
    await world.knownPlayer();
    const withdrawalId = await world.withdrawal({ status: 'approved' });
    const { rules, statements, close } = world.recording();
    const cost = async (ask: () => Promise<unknown>) => {
      statements.length = 0;
      await ask();
      return statements.map((statement) => statement.trim().split(/\s/)[0]);
    };
    try {
      const { operationId } = world;
      const payment = { depositId: 'dep_x', operationId, playerRef: 'player-1', environment: 'sandbox', chargedAmountMinor: '1', paidAmountMinor: '1', paidAt: AT, expiresAt: AT, payerMatch: 'match', sealedPayer: null, at: AT } as const;
      assert.deepEqual(await cost(() => rules.decideDeposit({ order: world.depositOrder(), at: AT })), ['WITH', 'INSERT']);
      assert.deepEqual(await cost(() => rules.assessPayment(payment)), ['WITH', 'INSERT']);
      assert.deepEqual(await cost(() => rules.decideWithdrawal({ order: world.withdrawalOrder(), at: AT, keyOwner: 'not_asked', stage: 'creation' })), ['WITH', 'INSERT']);
      assert.deepEqual(await cost(() => rules.decideDispatch({ withdrawalId, operationId, at: AT })), ['WITH', 'INSERT']);
    } finally {
      await close();
    }
  });
});

describe('decisions at the same time', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());

  /** As the workflow does it: decide, then admit on the facts that were read; decide again when they are out of date. */
  async function create(order: WithdrawalOrder): Promise<string> {
    const store = createWithdrawalStore(world.database, sealer);
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      const verdict = await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
      if (verdict.kind === 'refuse') return verdict.code;
      const status = verdict.kind === 'automatic' ? 'approved' : 'under_review';
      const decision = { mode: verdict.kind === 'automatic' ? 'automatic' : 'manual', reasons: verdict.reasons, ruleSetVersion: 1, decidedBy: [], decidedAt: AT } as const;
      const withdrawal = {
        id: order.withdrawalId, operationId: order.operationId, externalId: order.externalId, status, version: 1, amountMinor: order.amountMinor, currency: 'BRL', feeMinor: null,
        method: 'pix', playerRef: order.playerRef, provider: 'simulator', decision, pspReference: null, failureCode: null, createdAt: AT, updatedAt: AT, paidAt: null,
      } as const;
      const admission = await store.admitWithdrawal({ order, withdrawal, event: null, playerRevision: verdict.playerRevision });
      if (admission.kind === 'admitted') return status;
      if (admission.kind !== 'stale') return admission.kind;
    }
    return 'never admitted';
  }

  it('of eight withdrawals of a new player only those within X times the deposits are automatic', async () => {
    await world.anew({ first_withdrawal_manual: false });
    await world.database.operationCounter.create({ data: { operationId: world.operationId } });
    await world.database.ledgerAccount.create({ data: { operationId: world.operationId, currency: 'BRL', account: 'pending_out' } });
    // Two fit; the player row itself does not exist yet.
    await world.deposit({ amountMinor: '10999' });
    const results = await Promise.all(Array.from({ length: 8 }, () => create(world.withdrawalOrder({ amountMinor: '5000' }))));
    assert.deepEqual(results.sort(), ['approved', 'approved', ...Array.from({ length: 6 }, () => 'under_review')]);
  });

  it('of eight withdrawals only those that the cash box holds exist', async () => {
    await world.anew({ first_withdrawal_manual: false }, 15_000);
    await world.database.operationCounter.create({ data: { operationId: world.operationId } });
    await world.database.ledgerAccount.create({ data: { operationId: world.operationId, currency: 'BRL', account: 'pending_out' } });
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => create(world.withdrawalOrder({ ref: `player-${index}`, amountMinor: '5000' }))));
    assert.equal(results.filter((result) => result === 'under_review').length, 3);
    assert.equal(results.filter((result) => result.startsWith('insufficient')).length, 5);
  });
});
