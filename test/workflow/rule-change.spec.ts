// A proposed change of rules: decided by two different people, refused by one, superseded, or expired.
import assert from 'node:assert/strict';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { decideRuleChange } from '../../contract/temporal/rule-change.js';
import { newId as newActId } from '../../domain/identifiers.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import { proposeRuleChange } from './harness/rule-change-case.js';

describe('a rule change', () => {
  const gateway = useGateway();

  const proposal = (options: Parameters<typeof proposeRuleChange>[1] = {}) => proposeRuleChange(gateway, options);

  it('pending_approval → approved: two different people', async () => {
    const change = await proposal();
    const first = await change.decide({ person: 'ana', reason: 'seen' });
    assert.deepEqual(
      [first.kind, first.change.status, change.row().decisions.length, change.version()],
      ['done', 'pending_approval', 1, 1],
    );
    const second = await change.decide({ person: 'ben' });
    assert.deepEqual([second.kind, second.change.status, second.change.appliedVersion], ['done', 'approved', 2]);
    assert.equal(await change.handle.result(), 'approved');
    assert.deepEqual([change.row().status, change.version()], ['approved', 2]);
    assert.deepEqual(
      change.row().decisions.map(({ person, reason }) => [person, reason]),
      [
        ['ana', 'seen'],
        ['ben', ''],
      ],
    );
    assert.deepEqual(
      change.events().map(({ type, objectId, version }) => [type, objectId, version]),
      [['rules.updated', change.input.operationId, 2]],
    );
    const { attempts } = gateway.world.receiver.of(change.input.operationId);
    await eventually(() => attempts.length > 0, 'the delivery');
    assert.deepEqual(
      attempts.map(({ type }) => type),
      ['rules.updated'],
    );
  });

  it('two people at the same moment are two approvals, and one person twice at the same moment is one', async () => {
    const [two, one] = [await proposal(), await proposal()];
    await Promise.all([two.decide({ person: 'ana' }), two.decide({ person: 'ben' })]);
    assert.deepEqual([two.row().status, two.version()], ['approved', 2]);
    const kinds = (await Promise.all([one.decide({}), one.decide({})])).map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ['done', 'same_person']);
    assert.deepEqual([one.row().status, one.version()], ['pending_approval', 1]);
  });

  it('pending_approval → rejected: one person, also one who has approved before', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    const outcome = await change.decide({ person: 'ana', decision: 'reject', reason: 'too high' });
    assert.deepEqual([outcome.kind, outcome.change.status], ['done', 'rejected']);
    assert.equal(await change.handle.result(), 'rejected');
    assert.deepEqual([change.row().status, change.version(), change.events().length], ['rejected', 1, 0]);
    await assert.rejects(
      () =>
        change.handle.executeUpdate(decideRuleChange, {
          args: [{ decision: 'approve', actId: newActId('staffAct') }],
        }),
      WorkflowNotFoundError,
    );
  });

  it('pending_approval → superseded: another version came into force in between', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    change.operations.versions.set(change.input.operationId, 2);
    const outcome = await change.decide({ person: 'ben' });
    assert.deepEqual(
      [outcome.kind, outcome.change.status, outcome.change.appliedVersion],
      ['done', 'superseded', null],
    );
    assert.deepEqual([change.row().status, change.version(), change.events().length], ['superseded', 2, 0]);
  });

  it('a request whose workflow was never started is started by the first who comes, and one that is too old expires then', async () => {
    const change = await proposal({ isStarted: false });
    assert.equal((await change.decide({ person: 'ana' })).kind, 'other_proof', 'nobody can have read its report');
    await change.proven();
    await change.decide({ person: 'ana' });
    assert.equal((await change.decide({ person: 'ben' })).change.status, 'approved');
    const old = await proposal({ isStarted: false });
    await gateway.sleep(31 * 86_400);
    assert.equal((await old.decide({ person: 'ana' })).kind, 'not_pending');
    assert.equal(old.row().status, 'expired');
  });

  describe('and its report', () => {
    it('is computed once, before anybody can approve; a rejection does not wait for it', async () => {
      const { operations } = gateway.world;
      operations.proofGate.close();
      const [change, rejected] = [await proposal({ isProven: false }), await proposal({ isProven: false })];
      await eventually(() => operations.proofGate.queue === 2, 'both are being computed');
      assert.equal((await change.decide({ digest: 'f'.repeat(64) })).kind, 'other_proof');
      assert.equal((await rejected.decide({ decision: 'reject' })).change.status, 'rejected');
      assert.match(
        JSON.stringify(await change.handle.query('__temporal_workflow_metadata')),
        /rule change proof.*decided again under the proposed rules/,
      );
      operations.proofGate.open();
      await change.proven();
      await change.decide({});
      assert.deepEqual(
        operations.proofs.filter(({ changeId }) => changeId === change.input.changeId),
        [{ changeId: change.input.changeId, number: 1 }],
      );
    });

    it('computed again voids earlier approvals: two people must approve the new one', async () => {
      const change = await proposal();
      const old = change.row().proof?.digest;
      await change.decide({ person: 'ana' });
      const outcome = await change.recompute('cleo');
      assert.deepEqual([outcome.kind, outcome.change.proof?.number], ['done', 2]);
      assert.notEqual(outcome.change.proof?.digest, old);
      assert.equal((await change.decide({ person: 'ben', digest: old ?? null })).kind, 'other_proof');
      assert.equal(
        (await change.decide({ person: 'ben' })).change.status,
        'pending_approval',
        'one approval of the new report, one of the old',
      );
      assert.equal((await change.decide({ person: 'ben' })).kind, 'same_person');
      assert.equal(
        (await change.decide({ person: 'ana' })).change.status,
        'approved',
        'who approved the old one may approve the new one',
      );
      assert.deepEqual(
        change.operations.proofs
          .filter(({ changeId }) => changeId === change.input.changeId)
          .map(({ number }) => number),
        [1, 2],
      );
    });

    it('asked for twice at once is computed once, and both get it; while it is computed nobody can approve the earlier one', async () => {
      const change = await proposal();
      const old = change.row().proof?.digest ?? null;
      change.operations.proofGate.close();
      const [one, other] = [change.recompute('cleo'), change.recompute('dora')];
      await eventually(() => change.operations.proofGate.queue > 0, 'it is computed');
      assert.equal((await change.decide({ digest: old })).kind, 'other_proof');
      change.operations.proofGate.open();
      assert.deepEqual([(await one).change.proof?.number, (await other).change.proof?.number], [2, 2]);
    });
  });

  it('refuses a decision without an act before it is written into the history', async () => {
    const change = await proposal();
    const actId = newActId('staffAct');
    for (const order of [{ decision: 'approve', actId: 'ana' }, { decision: 'maybe', actId }, { decision: 'reject' }])
      await assert.rejects(() => change.send(order as never), WorkflowUpdateFailedError, JSON.stringify(order));
    const { events } = await change.handle.fetchHistory();
    assert.ok(
      !events?.some(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted != null),
      'nothing was accepted',
    );
    assert.equal(change.row().decisions.length, 0);
  });
});
