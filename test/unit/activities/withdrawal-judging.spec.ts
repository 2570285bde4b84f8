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

  it('a silent directory stores nothing', async () => {
    const withdrawal = await requested();
    withdrawal.payout.keyOwnerAnswers.push('unavailable');
    const looked = await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    assert.deepEqual([looked.finding, looked.reason, withdrawal.stored.revision], ['unavailable', 'http_503', 1]);
    assert.equal((await decide(withdrawal)).outcome, 'key_check_needed');
  });

  it('the rules are silent: under review, and not judged', async () => {
    const withdrawal = await requested();
    await withdrawal.steps.lookUpKeyOwner(withdrawal.ref(after(5)));
    await decide(withdrawal, 'silent');
    assert.deepEqual(withdrawal.judged, ['under_review', ['RULES_UNAVAILABLE'], 'none']);
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
  it('never comes back with a name', async () => {
    const withdrawal = await unjudged();
    await judge(withdrawal);
    const acted = await withdrawal.steps.approveWithdrawal({ ...withdrawal.ref(), actId: withdrawal.act('ana') });
    assert.deepEqual(acted.state.snapshot.decision.decidedBy, []);
    assert.ok(!writeJson(acted).includes('ana'));
    assert.equal(withdrawal.stored.snapshot.decision.decidedBy[0]?.person, 'ana');
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
