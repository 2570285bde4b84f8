// Decisions on a proposed change of rules: who approves or rejects it, the report they approve, and what becomes of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { actOnChange } from '../../../staff/acts/rule-changes.js';
import { currentRuleSet, insertRuleSet } from '../../../store/rules/rule-sets.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { losingAnswers } from '../../support/lost-answers.js';
import { PROPOSED, RuleChangeWorld } from './rule-change-world.js';

describe('gateway rules changes', function () {
  this.timeout(60_000);
  let world: RuleChangeWorld;
  before(async () => (world = await RuleChangeWorld.start()));
  after(() => world.close());

  it('list and show: who asked, why, what would change, and how many must approve', async () => {
    const { id, operationId } = await world.proposal();
    const { changes } = await world.gateway.json('rules', 'changes', 'list', '--operation', operationId);
    assert.deepEqual(
      changes.map((change: { id: string; approvals: unknown }) => [change.id, change.approvals]),
      [[id, { given: [], needed: 2 }]],
    );
    const shown = await world.gateway.json('rules', 'changes', 'show', id);
    assert.deepEqual(
      [shown['status'], shown['base_version'], shown['current_version'], shown['justification'], shown['requested_by']],
      ['pending_approval', 1, 1, 'more players', 'key_test_1'],
    );
    assert.deepEqual(shown['changes'], [
      { path: 'currencies.BRL.auto_multiplier', from: '1', to: '2.5' },
      { path: 'currencies.BRL.deposit_max', from: null, to: '900000' },
    ]);
  });

  it('two approvals put the next version in force, with rules.updated and the audit entries, all together', async () => {
    const { id, operationId } = await world.proposal();
    assert.deepEqual(await world.decide('approve', id, 'ana', '--reason', 'agreed'), {
      id,
      status: 'pending_approval',
      applied_version: null,
      decided_by: ['ana'],
      approvals_missing: 1,
    });
    assert.equal((await currentRuleSet(world.database, operationId))?.version, 1);
    await world.gateway.fails(
      1,
      /: ana has approved already; another person must/,
      ...(await world.approval(id, 'ANA')),
    );
    assert.deepEqual(await world.decide('approve', id, 'ben'), {
      id,
      status: 'approved',
      applied_version: 2,
      decided_by: ['ana', 'ben'],
      approvals_missing: 0,
    });

    const current = await currentRuleSet(world.database, operationId);
    assert.deepEqual(
      [current?.version, current?.rules, current?.createdBy],
      [2, { ...PROPOSED, version: 2 }, `${id} (ana, ben)`],
    );
    const [event, ...others] = await world.eventsOf(operationId);
    assert.ok(event);
    assert.equal(others.length, 0);
    assert.deepEqual(event.body, {
      id: event.row.id,
      type: 'rules.updated',
      created_at: event.row.createdAt.toISOString(),
      operation_id: operationId,
      object_id: operationId,
      object_version: 2,
      data: { object: { ...PROPOSED, version: 2 } },
    });
    await world.temporal.client.getHandle(id).result();
    assert.equal(await world.timesOutboxed(event.row.id), 1);
    assert.deepEqual(await world.acts(id), [
      { person: 'ana', action: 'rule_change.approve' },
      { person: 'ben', action: 'rule_change.approve' },
    ]);
    const [{ detail }] = (await world.gateway.rows(
      'SELECT detail FROM audit_entry WHERE subject = $1 ORDER BY sequence',
      id,
    )) as [{ detail: string }];
    const [act] = await world.gateway.rows('SELECT id FROM staff_act WHERE subject_id = $1 ORDER BY created_at', id);
    const expected = { reason: 'agreed', digest: await world.digestOf(id), means: 'claim', act_id: act?.['id'] };
    assert.deepEqual(JSON.parse(detail), expected);
    const shown = await world.gateway.json('rules', 'changes', 'show', id);
    assert.deepEqual(
      [shown['status'], shown['applied_version'], shown['decisions'].map(({ reason }: { reason: string }) => reason)],
      ['approved', 2, ['agreed', '']],
    );
    await world.gateway.fails(1, /is approved; only what is pending_approval/, ...(await world.approval(id, 'cleo')));
  });

  it('reject: one person, no version, no event', async () => {
    const { id, operationId } = await world.proposal();
    assert.equal((await world.decide('reject', id, 'ana', '--reason', 'too high'))['status'], 'rejected');
    assert.deepEqual(
      [(await currentRuleSet(world.database, operationId))?.version, (await world.eventsOf(operationId)).length],
      [1, 0],
    );
    assert.deepEqual(await world.acts(id), [{ person: 'ana', action: 'rule_change.reject' }]);
  });

  it('a connection that broke after the decision: the change as the books have it', async () => {
    const { id } = await world.proposal();
    const digest = await world.digestOf(id);
    const isDone = async (actId: string) =>
      (await world.gateway.rows('SELECT outcome FROM staff_act WHERE id = $1', actId))[0]?.['outcome'] === 'done';
    const client = losingAnswers(world.temporal.environment.connection, isDone);
    const ask = async (name: string, act: Parameters<typeof actOnChange>[2]) =>
      actOnChange(
        { database: world.database, withTemporal: (work) => work(client) },
        { handle: await ensureClaimedPerson(world.database, name), means: 'claim', sessionId: null },
        act,
      );
    const first = await ask('ana', { kind: 'rule_change.approve', id, reason: '', digest });
    assert.ok(first.kind === 'done', first.kind);
    assert.deepEqual([first.change.status, first.change.decisions.length], ['pending_approval', 1]);
    const second = await ask('ben', { kind: 'rule_change.reject', id, reason: '' });
    assert.ok(second.kind === 'done', second.kind);
    assert.equal(second.change.status, 'rejected');
  });

  it('superseded: said clearly, exit code 1, nothing changed', async () => {
    const { id, operationId } = await world.proposal();
    await world.decide('approve', id, 'ana');
    await insertRuleSet(world.database, { operationId, rules: defaultRuleSet(1), createdBy: 'dora' });
    await world.gateway.fails(
      1,
      /superseded: it was made from version 1, which is not in force any more; nothing changed/,
      ...(await world.approval(id, 'ben')),
    );
    assert.deepEqual(
      [(await currentRuleSet(world.database, operationId))?.version, (await world.eventsOf(operationId)).length],
      [2, 0],
    );
    assert.equal((await world.gateway.json('rules', 'changes', 'show', id))['status'], 'superseded');
    assert.equal((await world.acts(id)).length, 2, 'the second approval is on record all the same');
  });

  it('a change whose workflow was never started is approved all the same', async () => {
    const { id } = await world.proposal({ isStarted: false });
    assert.match((await world.gateway.run('rules', 'changes', 'show', id)).stderr, /gateway rules changes recompute/);
    assert.equal(
      (await world.gateway.json('rules', 'changes', 'recompute', id, '--as', 'ana'))['digest'],
      await world.digestOf(id),
    );
    await world.decide('approve', id, 'ana');
    assert.equal((await world.decide('approve', id, 'ben'))['applied_version'], 2);
  });

  it('the report: approved by its digest only, the same from the same decisions, and void once it is computed again', async () => {
    const { id } = await world.proposal();
    const digest = await world.digestOf(id);
    const approve = `rules changes approve ${id} --as ana`;
    await world.gateway.fails(2, /--digest: is needed: the digest of the report that you approve/, approve);
    const another = `${approve} --digest ${'f'.repeat(64)}`;
    await world.gateway.fails(1, /the digest is not that of its report/, another);
    const { proof } = await world.gateway.json('rules', 'changes', 'show', id, '--json');
    assert.deepEqual(
      [proof.digest, proof.is_intact, proof.proposal.rules.currencies.BRL.auto_multiplier],
      [digest, true, '2.5'],
    );
    assert.equal(
      digest,
      createHash('sha256')
        .update(String(canonicalize({ proposal: proof.proposal, report: proof.report })))
        .digest('hex'),
      'anybody can compute it',
    );

    await world.decide('approve', id, 'ana');
    const again = await world.gateway.json('rules', 'changes', 'recompute', id, '--as', 'cleo');
    assert.notEqual(again['digest'], digest, 'another window');
    assert.equal(again['approvals_missing'], 2);
    await world.gateway.fails(
      1,
      /the digest is not that of its report/,
      `rules changes approve ${id} --as ben --digest ${digest}`,
    );
    assert.equal((await world.decide('approve', id, 'ben'))['status'], 'pending_approval');
    const { stderr } = await world.gateway.run('rules', 'changes', 'show', id);
    assert.match(stderr, /approved by ben, 2 needed \(1 earlier of another report: void\)/);
    assert.equal((await world.decide('approve', id, 'ana'))['status'], 'approved');
    assert.deepEqual(
      (await world.acts(id)).map(({ person, action }) => `${String(person)} ${String(action)}`),
      ['ana rule_change.approve', 'cleo rule_change.recompute', 'ben rule_change.approve', 'ana rule_change.approve'],
    );
  });
});
