// A proposed change of rules: decided by two different people, refused by one, superseded, or expired.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import {
  decideRuleChange,
  type RuleChangeDecisionInput,
  ruleChangeQuery,
} from '../../contract/temporal/rule-change.js';
import { SEARCH_ATTRIBUTES } from '../../contract/temporal/search-attributes.js';
import { eventually } from '../../tools/harness/eventually.js';
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
    assert.deepEqual(
      attempts.map(({ type, workflowId }) => [type, workflowId]),
      [['rules.updated', change.input.changeId]],
      'delivered, before the workflow ended',
    );
  });

  it('pending_approval → pending_approval: the same person again, however the name is spelled', async () => {
    const change = await proposal();
    await change.decide({ person: 'João' });
    for (const person of ['João', 'joão', ' JOA\u0303O '])
      assert.equal((await change.decide({ person })).kind, 'same_person', person);
    assert.deepEqual(
      [change.row().status, change.row().decisions.length, change.version()],
      ['pending_approval', 1, 1],
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
          args: [{ decision: 'approve', person: 'ben', reason: '', digest: null }],
        }),
      WorkflowNotFoundError,
    );
  });

  it('pending_approval → superseded: another version came into force in between', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    change.books.versions.set(change.input.operationId, 2);
    const outcome = await change.decide({ person: 'ben' });
    assert.deepEqual(
      [outcome.kind, outcome.change.status, outcome.change.appliedVersion],
      ['done', 'superseded', null],
    );
    assert.deepEqual([change.row().status, change.version(), change.events().length], ['superseded', 2, 0]);
  });

  it('pending_approval → expired: after thirty days, not before', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    await gateway.sleepUntil(change.row().createdAt, 30 * 86_400 - 60);
    assert.equal(change.row().status, 'pending_approval');
    await gateway.sleep(120);
    assert.equal(await change.handle.result(), 'expired');
    assert.deepEqual([change.row().status, change.version()], ['expired', 1]);
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
    const refusal = (type: string) => (error: unknown) =>
      error instanceof WorkflowUpdateFailedError &&
      error.cause instanceof ApplicationFailure &&
      error.cause.type === type;

    it('is computed once, before anybody can approve; a rejection does not wait for it', async () => {
      const { books } = gateway.world;
      books.proofGate.close();
      const [change, rejected] = [await proposal({ isProven: false }), await proposal({ isProven: false })];
      await eventually(() => books.proofGate.queue === 2, 'both are being computed');
      await assert.rejects(change.decide({ digest: 'f'.repeat(64) }), refusal('ProofNotReady'));
      assert.equal((await rejected.decide({ decision: 'reject' })).change.status, 'rejected');
      assert.match(
        JSON.stringify(await change.handle.query('__temporal_workflow_metadata')),
        /rule change proof.*decided again under the proposed rules/,
      );
      books.proofGate.open();
      await change.proven();
      await change.decide({});
      assert.deepEqual(
        books.proofs.filter(({ changeId }) => changeId === change.input.changeId),
        [{ changeId: change.input.changeId, number: 1, person: null }],
      );
    });

    it('is what people approve: another digest, or none, is refused before it is written into the history', async () => {
      const change = await proposal();
      for (const digest of ['f'.repeat(64), '', null])
        await assert.rejects(change.decide({ digest }), refusal('OtherProof'), String(digest));
      const { events } = await change.handle.fetchHistory();
      assert.ok(!events?.some(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted != null));
      assert.deepEqual([change.row().decisions.length, change.version()], [0, 1]);
    });

    it('computed anew voids earlier approvals: two people must approve the new one', async () => {
      const change = await proposal();
      const old = change.row().proof?.digest;
      await change.decide({ person: 'ana' });
      const outcome = await change.recompute('cleo');
      assert.deepEqual([outcome.kind, outcome.change.proof?.number], ['done', 2]);
      assert.notEqual(outcome.change.proof?.digest, old);
      await assert.rejects(change.decide({ person: 'ben', digest: old ?? null }), refusal('OtherProof'));
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
        change.books.proofs
          .filter(({ changeId }) => changeId === change.input.changeId)
          .map(({ number, person }) => [number, person]),
        [
          [1, null],
          [2, 'cleo'],
        ],
      );
    });

    it('asked for twice at once is computed once, and both get it; while it is computed nobody can approve the earlier one', async () => {
      const change = await proposal();
      const old = change.row().proof?.digest ?? null;
      change.books.proofGate.close();
      const [one, other] = [change.recompute('cleo'), change.recompute('dora')];
      await eventually(() => change.books.proofGate.queue > 0, 'it is computed');
      await assert.rejects(change.decide({ digest: old }), refusal('ProofNotReady'));
      change.books.proofGate.open();
      assert.deepEqual([(await one).change.proof?.number, (await other).change.proof?.number], [2, 2]);
    });

    it('is not computed again by a workflow that goes on from the row', async () => {
      const change = await proposal();
      await change.handle.terminate('by hand');
      assert.equal((await change.decide({ person: 'ana' })).kind, 'done');
      assert.equal(change.books.proofs.filter(({ changeId }) => changeId === change.input.changeId).length, 1);
    });
  });

  it('a workflow that was terminated goes on from the row: approvals are not forgotten', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    await change.handle.terminate('by hand');
    assert.equal((await change.decide({ person: 'ana' })).kind, 'same_person');
    assert.equal((await change.decide({ person: 'ben' })).change.status, 'approved');
  });

  it('answers of the database that are lost change nothing twice', async () => {
    const change = await proposal();
    change.books.answersLost = 1;
    const first = change.decide({ person: 'ana' });
    await eventually(() => change.row().decisions.length === 1, 'the first approval is stored');
    await gateway.sleep(2);
    await first;
    change.books.answersLost = 1;
    const second = change.decide({ person: 'ben' });
    await eventually(() => change.version() === 2, 'the version is stored');
    await gateway.sleep(2);
    assert.deepEqual([(await second).change.status, change.version(), change.events().length], ['approved', 2, 1]);
  });

  it('refuses a decision that is none before it is written into the history', async () => {
    const change = await proposal();
    const malformed: Partial<RuleChangeDecisionInput>[] = [
      { person: ' ' },
      { person: 'x'.repeat(65) },
      { reason: 'x'.repeat(501) },
      { decision: 'maybe' as never },
    ];
    for (const order of malformed)
      await assert.rejects(() => change.decide(order), WorkflowUpdateFailedError, JSON.stringify(order));
    const { events } = await change.handle.fetchHistory();
    assert.ok(
      !events?.some(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted != null),
      'nothing was accepted',
    );
    assert.equal(change.row().decisions.length, 0);
  });

  it('says in the Temporal UI what it waits for, and can be searched for', async () => {
    const change = await proposal();
    await change.decide({ person: 'ana' });
    const { typedSearchAttributes: found } = await change.handle.describe();
    assert.deepEqual(
      [
        SEARCH_ATTRIBUTES.OperationId,
        SEARCH_ATTRIBUTES.PaymentKind,
        SEARCH_ATTRIBUTES.PaymentStatus,
        SEARCH_ATTRIBUTES.WaitingFor,
      ].map((key) => found.get(key)),
      [change.input.operationId, 'rule_change', 'pending_approval', 'approval'],
    );
    assert.match(
      String(await change.handle.query('__temporal_workflow_metadata').then((value) => JSON.stringify(value))),
      /1 more person approves.*expires/,
    );
    await change.decide({ person: 'ben' });
    await change.handle.result();
    const ended = (await change.handle.describe()).typedSearchAttributes;
    assert.deepEqual(
      [ended.get(SEARCH_ATTRIBUTES.PaymentStatus), ended.get(SEARCH_ATTRIBUTES.WaitingFor)],
      ['approved', 'nothing'],
    );
    assert.equal((await change.handle.query(ruleChangeQuery))?.status, 'approved');
  });
});
