// An attacker who reaches Temporal approves nothing: updates with acts that nobody stored, or that are not for it,
// change neither the withdrawal nor the deposit. Temporal and PostgreSQL are real.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  cancelDepositByStaff,
  cancelWithdrawalByStaff,
  reviewDeposit,
  reviewWithdrawal,
  writeOffWithdrawal,
} from '../../contract/temporal/payment.js';
import { newId } from '../../domain/identifiers.js';
import { ensureClaimedPerson } from '../../store/staff/people.js';
import { historyText } from '../support/history-text.js';
import { type Query, signedWithNewPasskey } from '../support/signed-acts.js';
import { startRealTemporal } from '../support/temporal.js';
import { ProvedDeposit } from './harness/deposit.js';
import { ACTION_MS } from './harness/payment.js';
import { fundedOperation, useStage } from './harness/stage.js';
import { ProvedWithdrawal } from './harness/withdrawal.js';

describe('acts of staff on a real server', function () {
  this.timeout(4 * ACTION_MS);
  const stage = useStage({ start: startRealTemporal });

  /** Under review, for two people. */
  async function reviewed(): Promise<ProvedWithdrawal> {
    const withdrawal = new ProvedWithdrawal(stage(), await fundedOperation(stage()), { reviewRequested: true });
    withdrawal.ruling.thresholds.dualApprovalAboveMinor = 1000n;
    await withdrawal.create();
    await withdrawal.workflowReaches('under_review');
    return withdrawal;
  }
  /** An update as an intruder sends it. */
  const attempt = async ({ id }: ProvedWithdrawal, decision: 'approve' | 'refuse', actId: string) => {
    const handle = stage().temporal.client.getHandle(id);
    return (await handle.executeUpdate(reviewWithdrawal, { args: [{ decision, actId }] })).kind;
  };
  const row = ({ id }: ProvedWithdrawal) => stage().database.withdrawal.findUniqueOrThrow({ where: { id } });

  it('no invented, foreign, used, closed, expired or unpermitted act, nor one person twice, approves', async () => {
    const withdrawal = await reviewed();
    const other = await reviewed();
    const { database } = stage();
    const before = await row(withdrawal);
    assert.equal(await attempt(withdrawal, 'approve', newId('staffAct')), 'unknown_act');
    assert.equal(await attempt(withdrawal, 'approve', await other.act('withdrawal.approve', 'ana')), 'other_subject');
    assert.equal(
      await attempt(withdrawal, 'approve', await withdrawal.act('withdrawal.refuse', 'ana')),
      'other_subject',
      'an act that refuses does not approve',
    );
    assert.equal(
      await attempt(withdrawal, 'refuse', await withdrawal.act('withdrawal.approve', 'ana')),
      'other_subject',
    );
    const old = await withdrawal.act('withdrawal.approve', 'ana');
    await database.$transaction([
      database.$executeRaw`ALTER TABLE staff_act DISABLE TRIGGER staff_act_kept`,
      database.$executeRaw`
        UPDATE staff_act SET created_at = now() - interval '20 minutes', expires_at = now() - interval '5 minutes'
        WHERE id = ${old}`,
      database.$executeRaw`ALTER TABLE staff_act ENABLE TRIGGER staff_act_kept`,
    ]);
    assert.equal(await attempt(withdrawal, 'approve', old), 'expired_act');
    const taken = await withdrawal.act('withdrawal.approve', 'eva');
    await database.staffRole.deleteMany({ where: { staffHandle: 'eva' } });
    assert.equal(await attempt(withdrawal, 'approve', taken), 'not_permitted');
    assert.deepEqual(await row(withdrawal), before, 'not a column has changed');

    const first = await withdrawal.act('withdrawal.approve', 'ana');
    assert.equal(await attempt(withdrawal, 'approve', first), 'done');
    assert.equal(await attempt(withdrawal, 'approve', first), 'done', 'repeated, it answers what was stored');
    // The Cyrillic spelling of a person who exists.
    assert.equal(await ensureClaimedPerson(database, 'Аnа'), 'ana');
    assert.equal(
      await attempt(withdrawal, 'approve', await withdrawal.act('withdrawal.approve', 'Аnа')),
      'same_person',
    );
    assert.equal(await attempt(other, 'approve', first), 'other_subject', 'used for another');
    const once = await row(withdrawal);
    assert.deepEqual([once.status, (once.decidedBy as object[]).length], ['under_review', 1]);
    assert.equal(await withdrawal.review('approve', 'ben'), 'done');
    assert.deepEqual(
      ((await row(withdrawal)).decidedBy as { person: string }[]).map(({ person }) => person),
      ['ana', 'ben'],
    );
    assert.equal((await row(other)).status, 'under_review');
  });

  it('a cancel in a person’s name needs the person’s act, of the version that the person saw', async () => {
    const withdrawal = await reviewed();
    const before = await row(withdrawal);
    const handle = stage().temporal.client.getHandle(withdrawal.id);
    const cancel = async (actId: string) =>
      (await handle.executeUpdate(cancelWithdrawalByStaff, { args: [{ actId }] })).kind;
    assert.equal(await cancel(newId('staffAct')), 'unknown_act');
    assert.equal(await cancel(await withdrawal.act('withdrawal.refuse', 'ana')), 'other_subject');
    await assert.rejects(cancel('ana'));
    const old = await withdrawal.act('withdrawal.cancel', 'gil');
    for (const person of ['ana', 'ben']) assert.equal(await withdrawal.review('approve', person), 'done');
    assert.equal(await cancel(old), 'subject_changed');
    const now = await row(withdrawal);
    assert.ok(now.status !== 'cancelled' && now.version > before.version, now.status);

    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    await deposit.create();
    const pending = stage().temporal.client.getHandle(deposit.id);
    const outcomeOf = async (actId: string) =>
      (await pending.executeUpdate(cancelDepositByStaff, { args: [{ actId }] })).kind;
    assert.equal(await outcomeOf(newId('staffAct')), 'unknown_act');
    const asked = await deposit.act('deposit.cancel', 'ana');
    assert.equal(await outcomeOf(asked), 'done');
    assert.equal(await deposit.status(), 'cancelled');
  });

  it('two acts that are written into the database as signed approve nothing', async () => {
    const withdrawal = await reviewed();
    const { database } = stage();
    const before = await row(withdrawal);
    const forge = async (person: string, signature: object) => {
      const handle = await ensureClaimedPerson(database, person);
      const [id, sessionId] = [newId('staffAct'), `ses_${randomUUID()}`];
      await database.$executeRaw`
        INSERT INTO staff_session (id, token_hash, staff_handle, means)
        VALUES (${sessionId}, ${randomBytes(32)}, ${handle}, 'passkey')`;
      await database.$executeRaw`
        INSERT INTO staff_act (id, kind, operation_id, subject_id, subject_version, reason, staff_handle, session_id,
          means, signature, expires_at)
        VALUES (${id}, 'withdrawal.approve', ${withdrawal.operationId}, ${withdrawal.id}, ${before.version}, 'forged',
          ${handle}, ${sessionId}, 'signature', ${JSON.stringify(signature)}::jsonb, now() + interval '5 minutes')`;
      return id;
    };
    const query: Query = (sql, ...values) => database.$executeRawUnsafe(sql, ...values);
    const words = { kind: 'withdrawal.approve', subjectVersion: before.version, subjectDigest: null } as const;
    const sign = async (person: string, subjectId: string) => {
      const handle = await ensureClaimedPerson(database, person);
      return signedWithNewPasskey(query, handle, { ...words, subjectId, reason: 'forged', evidence: '' });
    };
    const forged = [await forge('gina', {}), await forge('hugo', await sign('hugo', newId('withdrawal')))];
    for (const id of forged) assert.equal(await attempt(withdrawal, 'approve', id), 'not_permitted');
    assert.deepEqual(await row(withdrawal), before, 'not a column has changed');
    const alerts = await database.alert.findMany({ where: { kind: 'ACT_NOT_SIGNED', objectId: { in: forged } } });
    assert.deepEqual(alerts.map(({ objectId }) => objectId).sort(), [...forged].sort());

    const signed = await forge('ivo', await sign('ivo', withdrawal.id));
    assert.equal(await attempt(withdrawal, 'approve', signed), 'done', 'what a passkey signed counts');
  });

  it('the history has ids only, and an update without an act enters none', async () => {
    const withdrawal = await reviewed();
    const handle = stage().temporal.client.getHandle(withdrawal.id);
    for (const actId of ['', 'ana', 7, undefined])
      await assert.rejects(attempt(withdrawal, 'approve', actId as string));
    await assert.rejects(handle.executeUpdate(writeOffWithdrawal, { args: [{ actId: newId('staffAct') }] }));
    await withdrawal.review('refuse', 'Maria Revisora');
    const history = await historyText(handle);
    assert.ok(history.includes('"actId":"act_') && !history.includes('Revisora') && !history.includes('checked'));
  });

  it('no deposit is credited or returned by an act that nobody stored', async () => {
    const deposit = new ProvedDeposit(stage(), await fundedOperation(stage()));
    await deposit.create();
    await deposit.payAtProvider('other');
    await deposit.notice();
    await deposit.workflowReaches('under_review');
    const handle = stage().temporal.client.getHandle(deposit.id);
    for (const decision of ['approve', 'return'] as const) {
      const review = { decision, actId: newId('staffAct') };
      assert.equal((await handle.executeUpdate(reviewDeposit, { args: [review] })).kind, 'unknown_act');
    }
    assert.equal(await deposit.status(), 'under_review');
    assert.equal(deposit.charge.returns.size, 0);
    // What cannot succeed enters no history, so that no number of them ends the run.
    const { historyLength } = await handle.describe();
    const cancels = await Promise.all(Array.from({ length: 10 }, () => deposit.cancel()));
    assert.deepEqual([...new Set(cancels)], ['invalid_state']);
    assert.equal((await handle.describe()).historyLength, historyLength);
    assert.equal(await deposit.review('approve'), 'done');
  });
});
