// Nothing leaves that the rules never judged: what they say later binds, and people decide within it.
import assert from 'node:assert/strict';
import { createWithdrawalSteps } from '../../../activities/payments/index.js';
import { writeJson } from '../../../domain/money.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { after, AT, WithdrawalWorld } from './withdrawal-world.js';

/** Under review because the rules were away. */
async function unjudged(settings: ConstructorParameters<typeof WithdrawalWorld>[0] = {}): Promise<WithdrawalWorld> {
  const withdrawal = new WithdrawalWorld(settings);
  await withdrawal.open('silent');
  return withdrawal;
}

const judge = (withdrawal: WithdrawalWorld, isKeyAsked = false) =>
  withdrawal.steps.judgeReviewed({ ...withdrawal.ref(after(600)), isKeyAsked });
const approve = async (withdrawal: WithdrawalWorld, person: string) =>
  (await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(after(700)), actId: withdrawal.act(person) })).outcome;

describe('a withdrawal that the rules have not judged', () => {
  it('cannot be approved, only refused or cancelled', async () => {
    const withdrawal = await unjudged();
    assert.equal(await approve(withdrawal, 'ana'), 'not_judged');
    const actId = withdrawal.act('ana', 'withdrawal.refuse');
    const refused = await withdrawal.steps.refuseWithdrawal({ ...withdrawal.ref(), actId });
    assert.deepEqual([refused.outcome, refused.state.snapshot.status], ['done', 'rejected']);
  });

  it('judged later it stays under review, with the real reasons after the old one', async () => {
    const withdrawal = await unjudged();
    withdrawal.ruling.withdrawal.ipListed = true;
    const judged = await judge(withdrawal);
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE', 'IP_LISTED'], 'passed']);
    const { version, decision } = withdrawal.stored.snapshot;
    assert.deepEqual([version, decision.ruleSetVersion, judged.outcome], [1, 7, 'decided']);
    assert.equal(await approve(withdrawal, 'ana'), 'done');
    assert.equal(withdrawal.stored.snapshot.status, 'approved');
  });

  it('two people approve what the rules want two people for', async () => {
    const withdrawal = await unjudged();
    withdrawal.ruling.thresholds.dualApprovalAboveMinor = 2999n;
    await judge(withdrawal);
    assert.ok(withdrawal.stored.snapshot.decision.reasons.includes('DUAL_APPROVAL_REQUIRED'));
    assert.deepEqual([await approve(withdrawal, 'ana'), await approve(withdrawal, 'Ána')], ['done', 'same_person']);
    assert.equal(withdrawal.stored.snapshot.status, 'under_review');
    assert.equal(await approve(withdrawal, 'ben'), 'done');
    assert.equal(withdrawal.stored.snapshot.status, 'approved');
  });

  for (const [what, refuse] of [
    ['a block', (withdrawal: WithdrawalWorld) => (withdrawal.ruling.withdrawal.playerBlocked = true)],
    [
      'an amount above the maximum',
      (withdrawal: WithdrawalWorld) => (withdrawal.ruling.thresholds.withdrawalMaxMinor = 2999n),
    ],
    ['another document', (withdrawal: WithdrawalWorld) => (withdrawal.ruling.withdrawal.document = 'changed')],
  ] as const)
    it(`${what} makes the approval impossible`, async () => {
      const withdrawal = await unjudged();
      refuse(withdrawal);
      await judge(withdrawal);
      assert.equal(withdrawal.stored.judgement, 'refused');
      assert.equal(await approve(withdrawal, 'ana'), 'refused_by_rules');
      assert.equal(withdrawal.stored.snapshot.status, 'under_review');
    });

  it('a key of the directory is looked up first; without an answer the rules judge it so', async () => {
    const withdrawal = await unjudged({ isKeyInDirectory: true });
    assert.equal((await judge(withdrawal)).outcome, 'key_check_needed');
    assert.equal(withdrawal.stored.judgement, 'none');
    await judge(withdrawal, true);
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE', 'DICT_UNAVAILABLE'], 'passed']);
  });

  it('the holder of the key is stored and judged', async () => {
    const withdrawal = await unjudged({ isKeyInDirectory: true });
    const looked = await withdrawal.steps.lookUpKeyOwner(withdrawal.ref());
    assert.deepEqual([looked.finding, looked.state.judgement], ['match', 'none']);
    await judge(withdrawal);
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE'], 'passed']);
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref());
    assert.equal(withdrawal.payout.keyOwnerLookups, 1, 'an answer is not asked for again');
  });

  it('another holder ends it: only a refusal is left', async () => {
    const withdrawal = await unjudged({ isKeyInDirectory: true });
    withdrawal.payout.keyOwner = 'mismatch';
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref());
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE', 'DOCUMENT_MISMATCH'], 'refused']);
    assert.equal(await approve(withdrawal, 'ana'), 'refused_by_rules');
  });

  it('is judged in the windows of its request, by a decision of that moment', async () => {
    const asked: string[] = [];
    const withdrawal = new WithdrawalWorld();
    const { engine } = withdrawal.world.rules;
    const decideWithdrawal: typeof engine.decideWithdrawal = async (question) => {
      asked.push(question.at);
      const { verdict } = await engine.decideWithdrawal(question);
      return { verdict, record: { objectId: withdrawal.id, at: question.at } as DecisionRecord };
    };
    await withdrawal.open('silent');
    const steps = createWithdrawalSteps({ ...withdrawal.dependencies, rules: { ...engine, decideWithdrawal } });
    await steps.judgeReviewed({ ...withdrawal.ref(after(600)), isKeyAsked: false });
    assert.deepEqual(asked, [AT]);
    assert.deepEqual(
      withdrawal.rows.decisions.map(({ at }) => at),
      [after(600)],
    );
  });

  it('rules that are still away leave it as it is', async () => {
    const withdrawal = await unjudged();
    withdrawal.ruling.down.add('review');
    await assert.rejects(judge(withdrawal), { type: 'RulesDown' });
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE'], 'none']);
  });
});

describe('a requested withdrawal', () => {
  async function requested(): Promise<WithdrawalWorld> {
    const withdrawal = new WithdrawalWorld({ isKeyInDirectory: true });
    withdrawal.payout.keyOwnerAnswers.push('no_answer');
    await withdrawal.open();
    return withdrawal;
  }
  const decide = (withdrawal: WithdrawalWorld, rules: 'asked' | 'silent' = 'asked', isBudgetSpent = false) =>
    withdrawal.steps.decideRequested({ ...withdrawal.ref(after(60)), rules, isBudgetSpent });

  it('whose key belongs to another is rejected, whatever the rules do', async () => {
    const withdrawal = await requested();
    withdrawal.ruling.down.add('dict');
    withdrawal.payout.keyOwner = 'mismatch';
    const looked = await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    assert.equal(looked.finding, 'mismatch');
    assert.deepEqual(withdrawal.judged, ['rejected', ['DOCUMENT_MISMATCH'], 'refused']);
    assert.deepEqual(withdrawal.published, ['withdrawal.rejected']);
    assert.equal(withdrawal.database.balance(withdrawal.order.operationId, 'pending_out'), 0n);
  });

  it('a silent directory stores nothing', async () => {
    const withdrawal = await requested();
    withdrawal.payout.keyOwnerAnswers.push('unavailable');
    const looked = await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    assert.deepEqual([looked.finding, looked.reason, withdrawal.stored.revision], ['unavailable', 'http_503', 1]);
    assert.equal((await decide(withdrawal)).outcome, 'key_check_needed');
  });

  it('its holder is known: the rules decide, and the decision is theirs', async () => {
    const withdrawal = await requested();
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    await decide(withdrawal);
    assert.deepEqual(withdrawal.judged, ['approved', [], 'passed']);
    assert.equal(withdrawal.stored.snapshot.decision.decidedAt, after(60));
  });

  it('the budget is spent: under review, and judged', async () => {
    const withdrawal = await requested();
    await decide(withdrawal, 'asked', true);
    assert.deepEqual(withdrawal.judged, ['under_review', ['DICT_UNAVAILABLE'], 'passed']);
  });

  it('the rules are silent: under review, and not judged', async () => {
    const withdrawal = await requested();
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    await decide(withdrawal, 'silent');
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE'], 'none']);
  });

  it('a block rejects it', async () => {
    const withdrawal = await requested();
    withdrawal.ruling.withdrawal.destinationBlocked = true;
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    await decide(withdrawal);
    assert.deepEqual(withdrawal.judged, ['rejected', ['DESTINATION_BLOCKED'], 'refused']);
  });

  it('above the operation’s automatic cap it is decided again, on facts that show it', async () => {
    const withdrawal = await requested();
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    withdrawal.database.capReached.add(withdrawal.id);
    let verdicts = 0;
    withdrawal.ruling.afterVerdict = () => {
      verdicts += 1;
      withdrawal.ruling.withdrawal.ipListed = true;
    };
    await decide(withdrawal);
    assert.deepEqual([verdicts, ...withdrawal.judged], [2, 'under_review', ['IP_LISTED'], 'passed']);
  });
});

describe('a person’s act', () => {
  it('repeat of a stored act → no effect', async () => {
    const withdrawal = await unjudged();
    withdrawal.ruling.thresholds.dualApprovalAboveMinor = 2999n;
    await judge(withdrawal);
    const actId = withdrawal.act('ana');
    const approveOnce = () => withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId });
    assert.deepEqual([(await approveOnce()).outcome, (await approveOnce()).outcome], ['done', 'done']);
    assert.equal(withdrawal.stored.snapshot.decision.decidedBy.length, 1);
    await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId: withdrawal.act('ben') });
    const again = await approveOnce();
    assert.deepEqual([again.outcome, again.state.snapshot.status, again.state.approvals], ['done', 'approved', 2]);
  });

  it('never comes back with a name', async () => {
    const withdrawal = await unjudged();
    await judge(withdrawal);
    const acted = await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId: withdrawal.act('ana') });
    assert.deepEqual(acted.state.snapshot.decision.decidedBy, []);
    assert.ok(!writeJson(acted).includes('ana'));
    assert.equal(withdrawal.stored.snapshot.decision.decidedBy[0]?.person, 'ana');
  });

  for (const [refusal, change] of [
    ['used_act', { isUsed: true }],
    ['expired_act', { isExpired: true }],
    ['not_permitted', { isPermitted: false }],
    ['not_permitted', { isMeansEnough: false }],
    ['subject_changed', { subjectVersion: 7 }],
    ['other_subject', { subjectId: 'wdr_2' }],
    ['other_subject', { operationId: 'op_2' }],
    ['other_subject', { kind: 'withdrawal.refuse' }],
  ] as const)
    it(`with ${JSON.stringify(change)} is refused: ${refusal}`, async () => {
      const withdrawal = await unjudged();
      await judge(withdrawal);
      const actId = withdrawal.act('ana');
      withdrawal.database.acts.change(actId, change);
      const { revision } = withdrawal.stored;
      assert.equal((await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId })).outcome, refusal);
      assert.deepEqual([withdrawal.stored.snapshot.status, withdrawal.stored.revision], ['under_review', revision]);
    });

  it('that nobody stored is refused', async () => {
    const withdrawal = await unjudged();
    await judge(withdrawal);
    for (const step of ['approveWithdrawal', 'refuseWithdrawal'] as const)
      assert.equal((await withdrawal.steps[step]({ ...withdrawal.ref(), actId: 'act_none' })).outcome, 'unknown_act');
  });

  it('lost to another write is decided on the new row', async () => {
    const withdrawal = await unjudged();
    await judge(withdrawal);
    const { rows } = withdrawal;
    let reads = 0;
    const world = new WithdrawalWorld({
      withdrawals: new Proxy(rows, {
        get(target, name) {
          if (name !== 'read') return (target[name as keyof typeof target] as CallableFunction).bind(target);
          return async (ref: Parameters<typeof rows.read>[0]) => {
            const held = await target.read(ref);
            if ((reads += 1) <= 2) target.touch(withdrawal.id);
            return held;
          };
        },
      }),
      sealer: withdrawal.world.sealer,
    });
    const acted = await world.steps.approveWithdrawal({ ...withdrawal.ref(), actId: withdrawal.act('ana') });
    assert.deepEqual([acted.outcome, reads], ['done', 3]);
    reads = -100;
    const cancelled = world.steps.cancelWithdrawal(withdrawal.ref());
    await assert.rejects(cancelled, { type: 'RowContended', nonRetryable: false });
  });
});

describe('a withdrawal that does not exist', () => {
  it('is said so by every step: no retry helps (intercepted.ts)', async () => {
    const withdrawal = new WithdrawalWorld();
    await assert.rejects(withdrawal.steps.cancelWithdrawal(withdrawal.ref()), {
      name: 'MissingRowError',
      row: 'Withdrawal',
    });
  });
});

describe('loading a withdrawal', () => {
  it('answers what its page shows, and the number of the operator’s reasons without their words', async () => {
    const withdrawal = await unjudged();
    const loaded = await withdrawal.steps.loadWithdrawal(withdrawal.ref());
    const { id } = withdrawal;
    const { operationId } = withdrawal.order;
    assert.deepEqual(loaded.context, {
      id,
      operationId,
      operationName: 'acme',
      provider: 'simulator',
      amountMinor: 3000n,
      operatorReasons: 1,
    });
    assert.ok(!writeJson(loaded).includes('large win'));
  });
});
