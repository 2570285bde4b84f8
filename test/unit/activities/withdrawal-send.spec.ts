// From the checks before the send to its outcome: one send, whatever is lost on the way.
import assert from 'node:assert/strict';
import { createNothingLeft } from '../../../activities/payments/withdrawal/send.js';
import { writeJson } from '../../../domain/money.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { after, AT, WithdrawalWorld } from './withdrawal-world.js';

async function approved(settings: ConstructorParameters<typeof WithdrawalWorld>[0] = {}): Promise<WithdrawalWorld> {
  const withdrawal = new WithdrawalWorld(settings);
  await withdrawal.open();
  return withdrawal;
}

async function cleared(settings: ConstructorParameters<typeof WithdrawalWorld>[0] = {}): Promise<WithdrawalWorld> {
  const withdrawal = await approved(settings);
  assert.deepEqual((await withdrawal.steps.clearDispatch(withdrawal.ref())).outcome, { kind: 'clear' });
  return withdrawal;
}

const outcomeOfSend = async (withdrawal: WithdrawalWorld) =>
  (await withdrawal.steps.sendPayout(withdrawal.ref())).outcome;
const sendState = ({ stored }: WithdrawalWorld) => stored.send?.state;

describe('the checks before the send', () => {
  it('a list hit cancels it, with its decision', async () => {
    const withdrawal = await approved();
    withdrawal.ruling.dispatch.playerBlocked = true;
    const checked = await withdrawal.steps.clearDispatch(withdrawal.ref());
    assert.deepEqual([checked.outcome.kind, withdrawal.judged[0]], ['over', 'cancelled']);
    assert.deepEqual(withdrawal.judged[1], ['BLOCKLIST_HIT_AT_DISPATCH']);
  });

  it('name what the withdrawal waits for', async () => {
    const withdrawal = await approved();
    withdrawal.ruling.dispatch.operationSuspended = true;
    const { outcome, state } = await withdrawal.steps.clearDispatch(withdrawal.ref());
    assert.deepEqual([outcome, state.send], [{ kind: 'wait', for: 'operation_suspended', until: null }, 'none']);
  });

  it('a list hit does not cancel what may have left', async () => {
    const withdrawal = new WithdrawalWorld();
    await withdrawal.sentUnheard();
    withdrawal.ruling.dispatch.playerBlocked = true;
    assert.deepEqual((await withdrawal.steps.clearDispatch(withdrawal.ref())).outcome, { kind: 'over' });
    assert.equal(withdrawal.stored.snapshot.status, 'approved');
  });
});

describe('the send', () => {
  it('of a withdrawal without checks, or with old ones, leaves nothing', async () => {
    const withdrawal = await approved();
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'not_cleared' });
    await withdrawal.steps.clearDispatch(withdrawal.ref());
    withdrawal.rows.staleClearances.add(withdrawal.id);
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'not_cleared' });
    assert.equal(withdrawal.payout.sendsThatLeft, 0);
  });

  it('of another environment is refused before the permission', async () => {
    const withdrawal = await cleared({ environment: 'production' });
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'guarded' });
    assert.equal(sendState(withdrawal), 'cleared');
  });

  for (const [refusal, outcome, alerts] of [
    ['not_decided', 'not_in_books', ['payout not_decided']],
    ['other_environment', 'guarded', []],
    ['listed', 'not_cleared', []],
  ] as const)
    it(`whose permission is refused (${refusal}) leaves nothing; staff hear once of what no honest use leads to`, async () => {
      const withdrawal = await cleared();
      withdrawal.rows.refusals.set(withdrawal.id, refusal);
      for (let tries = 0; tries < 2; tries += 1) assert.equal((await outcomeOfSend(withdrawal)).kind, outcome);
      assert.deepEqual([sendState(withdrawal), withdrawal.payout.sendsThatLeft], ['cleared', 0]);
      assert.deepEqual(
        withdrawal.database.alerts.map(({ occasion }) => occasion),
        alerts,
      );
    });

  it('is stored with the reply, passes the look-up on, and a repeat sends nothing', async () => {
    const withdrawal = await cleared({ isKeyInDirectory: true });
    withdrawal.payout.sendAnswers.push('replies_paid');
    const sent = await withdrawal.steps.sendPayout(withdrawal.ref());
    assert.deepEqual([sent.outcome.kind, sent.state.send, sent.state.snapshot.status], ['replied', 'known', 'paid']);
    assert.deepEqual(withdrawal.published, ['withdrawal.approved', 'withdrawal.processing', 'withdrawal.paid']);
    assert.equal(withdrawal.payout.sentWithEndToEndId, 'E-lookup');
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'replied' });
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  it('that was never answered is unknown to every later attempt; no cancel stops it', async () => {
    const withdrawal = new WithdrawalWorld();
    await withdrawal.sentUnheard();
    assert.equal(sendState(withdrawal), 'claimed');
    assert.equal((await outcomeOfSend(withdrawal)).kind, 'unknown');
    assert.equal((await withdrawal.steps.cancelWithdrawal(withdrawal.ref())).outcome, 'invalid_state');
    const actId = withdrawal.act('ana', 'withdrawal.cancel');
    const byStaff = withdrawal.steps.cancelWithdrawalByStaff({ ...withdrawal.ref(), actId });
    assert.equal((await byStaff).outcome, 'invalid_state');
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  it('refused for want of money waits like an account that is short; the next send is the first', async () => {
    const withdrawal = await cleared();
    withdrawal.payout.sendAnswers.push({ kind: 'no_funds' });
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'account_short' });
    assert.deepEqual([sendState(withdrawal), withdrawal.payout.sendsThatLeft], ['not_sent', 0]);
    await withdrawal.steps.clearDispatch(withdrawal.ref());
    assert.equal((await outcomeOfSend(withdrawal)).kind, 'replied');
  });

  it('that provably never left can be sent by a later run, after new checks', async () => {
    const withdrawal = await cleared();
    withdrawal.payout.sendAnswers.push({ kind: 'not_sent', reason: 'refused' });
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'not_sent', reason: 'refused' });
    assert.equal(sendState(withdrawal), 'not_sent');
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'not_cleared' });
    await withdrawal.steps.clearDispatch(withdrawal.ref());
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'replied' });
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  for (const [what, frozen] of [
    ['stood still while the clock was set back', { dayMs: -60_000, steadyMs: 10_001 }],
    ['was suspended with its machine', { dayMs: 10_001, steadyMs: 5 }],
  ] as const)
    it(`of an attempt that ${what} between its permission and the first byte leaves nothing; another may follow`, async () => {
      let passed = { dayMs: 0, steadyMs: 0 };
      const clocks = { dayMs: () => passed.dayMs, steadyMs: () => passed.steadyMs };
      const withdrawal = await cleared({ clocks });
      withdrawal.payout.sendGate.close();
      const sending = outcomeOfSend(withdrawal);
      await eventually(() => withdrawal.payout.sendGate.arrived === 1, 'it has the permission');
      passed = { ...frozen };
      withdrawal.payout.sendGate.open();
      assert.deepEqual(await sending, { kind: 'not_sent', reason: 'too_late' });
      assert.deepEqual([sendState(withdrawal), withdrawal.payout.sendsThatLeft], ['not_sent', 0]);
      await withdrawal.steps.clearDispatch(withdrawal.ref());
      assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'replied' });
    });

  for (const [what, refusal, heldMs, looks, outcome] of [
    ['sent at once looks at nothing again', 'listed', 1_000, 0, { kind: 'replied' }],
    ['held for a second is sent, if nothing forbids it by now', null, 1_001, 1, { kind: 'replied' }],
    [
      'held for a second is not sent, if a list forbids it',
      'listed',
      1_001,
      1,
      { kind: 'not_sent', reason: 'too_late' },
    ],
  ] as const)
    it(`permitted → ${what}`, async () => {
      let passed = 0;
      const withdrawal = await cleared({ clocks: { dayMs: () => passed, steadyMs: () => passed } });
      const { rows, payout, id } = withdrawal;
      let looked = 0;
      const isForbidden = rows.isForbidden.bind(rows);
      rows.isForbidden = (held) => {
        looked += 1;
        return isForbidden(held);
      };
      payout.sendGate.close();
      const sending = outcomeOfSend(withdrawal);
      await eventually(() => payout.sendGate.arrived === 1, 'it has the permission');
      passed = heldMs;
      if (refusal !== null) rows.refusals.set(id, refusal);
      payout.sendGate.open();
      assert.deepEqual([await sending, looked], [outcome, looks]);
      assert.equal(payout.sendsThatLeft, outcome.kind === 'replied' ? 1 : 0);
    });

  it('whose permission could not be given back in time is given back later, by the same process', async () => {
    const withdrawal = await cleared();
    const { rows, database, id } = withdrawal;
    const held = await rows.read(withdrawal.ref());
    await rows.claim(held, { attempt: 'one', environment: 'sandbox' });
    database.breakDown(id, 'refuses', 'not_sent');
    const nothingLeft = createNothingLeft(rows, { atOnce: [1, 1, 1], later: 5 });
    await assert.rejects(nothingLeft({ ref: withdrawal.ref(), row: held, attempt: 'one' }, 'refused'), {
      type: 'DatabaseDown',
    });
    assert.equal(sendState(withdrawal), 'claimed');
    database.repair(id);
    await eventually(() => sendState(withdrawal) === 'not_sent', 'it is given back');
  });

  it('whose permission could not be asked for leaves nothing', async () => {
    const withdrawal = await cleared();
    withdrawal.database.breakDown(withdrawal.id, 'refuses', 'claim');
    assert.deepEqual(await outcomeOfSend(withdrawal), { kind: 'not_sent', reason: 'the database did not answer' });
    assert.deepEqual([sendState(withdrawal), withdrawal.payout.sendsThatLeft], ['cleared', 0]);
  });
});

describe('the look-up of a payout', () => {
  const lookUp = (withdrawal: WithdrawalWorld, at: string = AT, isNoticed = false) =>
    withdrawal.steps.lookUpPayout({ ...withdrawal.ref(at), isNoticed });

  it('is not made while nothing may have left', async () => {
    const withdrawal = await cleared();
    assert.equal((await lookUp(withdrawal)).outcome, 'nothing');
    withdrawal.payout.sendAnswers.push({ kind: 'not_sent', reason: 'refused' });
    await outcomeOfSend(withdrawal);
    assert.equal((await lookUp(withdrawal)).outcome, 'nothing');
    assert.equal(withdrawal.payout.lookups, 0);
  });

  it('finds nothing: counted from the first one, and again after a callback', async () => {
    const withdrawal = new WithdrawalWorld();
    await withdrawal.sentUnheard();
    const series = () => {
      const { lookUps, since } = withdrawal.stored.send?.traceless ?? {};
      return [lookUps, since];
    };
    for (const seconds of [30, 60]) await lookUp(withdrawal, after(seconds));
    assert.deepEqual(series(), [2, after(30)]);
    await lookUp(withdrawal, after(90), true);
    assert.deepEqual(series(), [1, after(90)]);
  });

  it('finds it: every transition that follows, each with its event', async () => {
    const withdrawal = new WithdrawalWorld();
    await withdrawal.sentUnheard();
    withdrawal.payout.arriveLate();
    withdrawal.payout.settle(after(40));
    const found = await lookUp(withdrawal, after(60));
    assert.deepEqual([found.outcome, found.state.snapshot.status, found.state.send], ['found', 'paid', 'known']);
    assert.deepEqual(withdrawal.published, ['withdrawal.approved', 'withdrawal.processing', 'withdrawal.paid']);
    withdrawal.payout.giveBack();
    assert.equal((await lookUp(withdrawal, after(90))).state.snapshot.status, 'returned');
  });

  it('of a cancelled withdrawal that the provider has after all raises an alert and changes nothing', async () => {
    const withdrawal = await approved();
    await withdrawal.steps.cancelWithdrawal(withdrawal.ref());
    withdrawal.payout.arriveLate();
    await lookUp(withdrawal);
    await lookUp(withdrawal);
    assert.deepEqual(
      withdrawal.database.alerts.map(({ kind, occasion }) => [kind, occasion]),
      [['PAYOUT_CONTRADICTION', 'processing while cancelled']],
    );
    assert.equal(withdrawal.stored.snapshot.status, 'cancelled');
  });
});

describe('a write-off', () => {
  const DAY = 86_400;
  const EVIDENCE = 'ticket 4711';

  /** Sent, and not found by so many look-ups over a day. */
  async function traceless(lookUps = 10): Promise<WithdrawalWorld> {
    const withdrawal = new WithdrawalWorld();
    await withdrawal.sentUnheard();
    for (let count = 0; count < lookUps; count += 1)
      await withdrawal.steps.lookUpPayout(withdrawal.ref(after(count * 60)));
    return withdrawal;
  }
  const decide = (
    withdrawal: WithdrawalWorld,
    person: string,
    {
      id,
      evidence = EVIDENCE,
      isLookedUp = false,
      at = after(DAY),
    }: Partial<Record<'id' | 'evidence' | 'at', string>> & {
      isLookedUp?: boolean;
    } = {},
  ) => {
    const actId = withdrawal.act(person, 'withdrawal.write_off', { evidence, ...(id === undefined ? {} : { id }) });
    return withdrawal.steps.decideWriteOff({ ...withdrawal.ref(at), actId, isLookedUp });
  };

  it('is two people’s: a request, a last look, and a withdrawal that failed', async () => {
    const withdrawal = await traceless();
    const asked = await decide(withdrawal, 'ana', { id: 'u-1' });
    assert.deepEqual(asked.outcome, { kind: 'requested', lapsesAt: after(2 * DAY) });
    assert.equal(asked.state.writeOffLapsesAt, after(2 * DAY));
    assert.deepEqual((await decide(withdrawal, 'ana', { id: 'u-1' })).outcome, asked.outcome, 'a repeat');
    assert.deepEqual((await decide(withdrawal, 'Ána')).outcome, { kind: 'same_person' });
    assert.deepEqual((await decide(withdrawal, 'ben', { evidence: 'ticket 9' })).outcome, { kind: 'other_evidence' });
    assert.deepEqual((await decide(withdrawal, 'ben')).outcome, { kind: 'look_once_more' });
    assert.equal(withdrawal.stored.snapshot.status, 'approved');
    const done = await decide(withdrawal, 'ben', { isLookedUp: true });
    assert.deepEqual(done.outcome, { kind: 'written_off' });
    const { status, failureCode } = withdrawal.stored.snapshot;
    assert.deepEqual([status, failureCode], ['failed', 'psp_never_accepted']);
    assert.equal(withdrawal.database.balance(withdrawal.order.operationId, 'pending_out'), 0n);
    assert.ok(!('writeOffs' in done.state.snapshot) && !writeJson(done).includes('ben'));
  });

  it('the second person is nobody who is close to the first one, and breaks no glass', async () => {
    const withdrawal = await traceless();
    await decide(withdrawal, 'ana');
    for (const [change, kind] of [
      [{ closeTo: ['ana'] }, 'too_close'],
      [{ means: 'break_glass' }, 'never_second'],
    ] as const) {
      const actId = withdrawal.act('ben', 'withdrawal.write_off', { evidence: EVIDENCE });
      withdrawal.database.acts.change(actId, change);
      const decided = await withdrawal.steps.decideWriteOff({ ...withdrawal.ref(after(DAY)), actId, isLookedUp: true });
      assert.deepEqual(decided.outcome, { kind });
    }
    assert.equal(withdrawal.stored.snapshot.status, 'approved');
  });

  it('a decision that is not the second one any more when the last look is over lapses, and requests nothing', async () => {
    const withdrawal = await traceless();
    await decide(withdrawal, 'ana');
    for (const [person, evidence] of [
      ['ana', EVIDENCE],
      ['ana', 'ticket 9'],
      ['ben', 'ticket 9'],
    ] as const)
      assert.deepEqual((await decide(withdrawal, person, { evidence, isLookedUp: true })).outcome, { kind: 'lapsed' });
    assert.equal(withdrawal.stored.snapshot.writeOffs?.length, 1);
    assert.deepEqual((await decide(withdrawal, 'ben', { isLookedUp: true })).outcome, { kind: 'written_off' });
  });

  describe('of a payout that stays processing', () => {
    /** Accepted a day and a half ago, and still processing. */
    async function processing(): Promise<WithdrawalWorld> {
      const withdrawal = await cleared();
      await withdrawal.steps.sendPayout(withdrawal.ref());
      const { send } = withdrawal.stored;
      assert.ok(send?.state === 'known');
      withdrawal.rows.leaveSend(withdrawal.id, { ...send, claimedAt: AT });
      return withdrawal;
    }

    it('is possible a day after its send, by two people and a last look that brings nothing new', async () => {
      const withdrawal = await processing();
      const early = await decide(withdrawal, 'ana', { at: after(DAY - 1) });
      assert.deepEqual(early.outcome, { kind: 'too_early', lookUps: null, notBefore: after(DAY) });
      assert.equal((await decide(withdrawal, 'ana')).state.writeOffLapsesAt, after(2 * DAY));
      assert.deepEqual((await decide(withdrawal, 'ana')).outcome, { kind: 'same_person' });
      assert.deepEqual((await decide(withdrawal, 'ben')).outcome, { kind: 'look_once_more' });
      const unproven = await decide(withdrawal, 'ben', { isLookedUp: true });
      assert.deepEqual(unproven.outcome, { kind: 'look_once_more' }, 'the row shows no look-up');
      await withdrawal.steps.lookUpPayout(withdrawal.ref(after(DAY)));
      assert.deepEqual((await decide(withdrawal, 'ben', { isLookedUp: true })).outcome, { kind: 'written_off' });
      const { status, failureCode } = withdrawal.stored.snapshot;
      assert.deepEqual([status, failureCode], ['failed', 'psp_never_paid']);
      assert.deepEqual(withdrawal.published, ['withdrawal.approved', 'withdrawal.processing', 'withdrawal.failed']);
      assert.equal(withdrawal.database.balance(withdrawal.order.operationId, 'pending_out'), 0n);
    });

    it('lapses when the last look finds its result: the provider’s word counts, not that of people', async () => {
      const withdrawal = await processing();
      await decide(withdrawal, 'ana');
      withdrawal.payout.settle(after(DAY));
      await withdrawal.steps.lookUpPayout(withdrawal.ref(after(DAY)));
      assert.deepEqual((await decide(withdrawal, 'ben', { isLookedUp: true })).outcome, { kind: 'lapsed' });
      assert.equal(withdrawal.stored.snapshot.status, 'paid');
    });

    it('ordinary look-ups of it store nothing', async () => {
      const withdrawal = await processing();
      const { revision } = withdrawal.stored;
      await withdrawal.steps.lookUpPayout(withdrawal.ref(after(DAY)));
      assert.equal(withdrawal.stored.revision, revision);
    });
  });
});
