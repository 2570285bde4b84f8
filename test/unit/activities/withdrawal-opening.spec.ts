// Opening a withdrawal: what the rules, the key directory and their silence make of it.
import assert from 'node:assert/strict';
import { WithdrawalWorld } from './withdrawal-world.js';

describe('opening a withdrawal', () => {
  it('a repeat after a lost answer finds it, even if the rules now refuse', async () => {
    const withdrawal = new WithdrawalWorld();
    withdrawal.database.breakDown(withdrawal.id, 'loses_answer', 'insert');
    await assert.rejects(withdrawal.open(), { type: 'DatabaseDown' });
    withdrawal.database.repair(withdrawal.id);
    withdrawal.ruling.withdrawal.playerBlocked = true;
    const opening = await withdrawal.open();
    assert.ok(opening.kind === 'created');
    assert.equal(opening.state.snapshot.status, 'approved');
    assert.deepEqual(withdrawal.published, ['withdrawal.approved']);
  });

  it('the rules are down: nothing is stored; silent everywhere: under review, and not judged', async () => {
    const withdrawal = new WithdrawalWorld();
    withdrawal.ruling.down.add('creation');
    await assert.rejects(withdrawal.open(), { type: 'RulesDown' });
    assert.equal(withdrawal.rows.record(withdrawal.id), null);
    await withdrawal.open('silent');
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE'], 'none']);
  });

  it('an incoherent answer is decided at once', async () => {
    const withdrawal = new WithdrawalWorld();
    withdrawal.ruling.nonsense.set('creation', { kind: 'automatic' });
    await withdrawal.open();
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_INVALID_RESPONSE'], 'none']);
  });

  it('facts that change at every try are no outage: people see the rules’ own reasons', async () => {
    for (const [facts, reasons] of [
      [{ hasPlayerIp: false }, ['OWNERSHIP_UNVERIFIED']],
      [{}, ['VELOCITY_WITHDRAWALS']],
    ] as const) {
      const withdrawal = new WithdrawalWorld();
      Object.assign(withdrawal.ruling.withdrawal, facts);
      withdrawal.ruling.afterVerdict = () => withdrawal.database.touchPlayer(withdrawal.order);
      await withdrawal.open();
      assert.deepEqual(withdrawal.judged, ['under_review', reasons, 'passed']);
      assert.equal(withdrawal.ruling.asked.length, 6);
    }
  });

  describe('with a key of the directory', () => {
    const create = () => new WithdrawalWorld({ isKeyInDirectory: true });

    it('the holder is the player: approved, with what the send passes on', async () => {
      const withdrawal = create();
      await withdrawal.open();
      assert.deepEqual(withdrawal.judged, ['approved', [], 'passed']);
      const { keyOwner, lookupEndToEndId } = withdrawal.stored;
      assert.deepEqual([keyOwner, lookupEndToEndId], ['match', 'E-lookup']);
    });

    it('the directory is silent: `requested`, without reasons or event', async () => {
      const withdrawal = create();
      withdrawal.payout.keyOwner = 'no_answer';
      const opening = await withdrawal.open();
      assert.ok(opening.kind === 'created');
      assert.deepEqual(withdrawal.judged, ['requested', [], 'none']);
      const { decision } = withdrawal.stored.snapshot;
      assert.deepEqual([decision.mode, decision.decidedAt, withdrawal.published], ['manual', null, []]);
      assert.equal(withdrawal.stored.keyOwner, 'not_asked');
    });

    it('the holder is another and then the rules are away: under review, and no approval can send it', async () => {
      const withdrawal = create();
      withdrawal.payout.keyOwner = 'mismatch';
      withdrawal.ruling.afterVerdict = () => withdrawal.ruling.down.add('creation');
      await withdrawal.open();
      assert.deepEqual(withdrawal.judged, ['under_review', ['DOCUMENT_MISMATCH', 'RULES_UNAVAILABLE'], 'refused']);
      const approved = await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId: withdrawal.act('ana') });
      assert.equal(approved.outcome, 'refused_by_rules');
    });
  });
});
