// A proposed change of rules from the request to the event, through the real workflow and the real database, decided by the
// `gateway` command.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import canonicalize from 'canonicalize';
import { createRuleChangeStore } from '../../../activities/rule-changes.js';
import { RULE_CHANGE_WORKFLOW, type RuleChangeInput, ruleChangeStart } from '../../../contract/temporal/rule-change.js';
import { newId } from '../../../domain/identifiers.js';
import { defaultRuleSet, parseRuleSet, type RuleSet } from '../../../domain/rules/rule-set.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { setAndPublishRules } from '../../../store/rules/engine-rules.js';
import { insertRuleChange } from '../../../store/rules/rule-changes.js';
import { currentRuleSet, insertRuleSet, replaceRuleSet } from '../../../store/rules/rule-sets.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { startTimeSkippingTemporal, type TimeSkippingTemporal } from '../../support/temporal.js';
import { createTestGateway, runWith, type TestGateway, testSealer } from './support.js';

const PROPOSED: RuleSet = parseRuleSet({
  version: 7,
  currencies: { BRL: { auto_multiplier: '2.5', deposit_max: '900000' } },
});

describe('gateway rules changes', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let temporal: TimeSkippingTemporal;
  let database: Database;
  const delivered: string[] = [];

  before(async () => {
    const address: { TEMPORAL_ADDRESS?: string; TEMPORAL_NAMESPACE: string } = { TEMPORAL_NAMESPACE: 'default' };
    gateway = await createTestGateway(address);
    database = createDatabase({
      url: gateway.environment['DATABASE_URL'] ?? '',
      poolSize: 8,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 5_000,
    });
    const doubles = new FakeWorld().activities();
    const deliverEvent = async ({ eventId }: { eventId: string }) => {
      delivered.push(eventId);
      return { kind: 'delivered', status: 200 } as const;
    };
    temporal = await startTimeSkippingTemporal({
      ...doubles,
      payments: { ...doubles.payments, ...createRuleChangeStore(database, testSealer) },
      webhooks: { deliverEvent, raiseDeliveryAlert: async () => undefined },
    });
    gateway.environment['TEMPORAL_ADDRESS'] = temporal.environment.address;
  });
  after(async () => {
    await temporal.close();
    await database.$disconnect();
    await gateway.close();
  });

  /** An operation with rule set version 1, and a change proposed from it. */
  async function proposal({ isStarted = true } = {}) {
    const operationId = (await gateway.operation())['operation_id'] as string;
    const id = newId('ruleChange');
    await insertRuleChange(database, {
      id,
      operationId,
      baseVersion: 1,
      rules: PROPOSED,
      engine: null,
      justification: 'more players',
      requestedBy: 'key_test_1',
    });
    const input = { changeId: id, operationId };
    if (isStarted)
      await temporal.client.start<(input: RuleChangeInput) => Promise<unknown>>(
        RULE_CHANGE_WORKFLOW,
        ruleChangeStart(input, 'Acme'),
      );
    return { id, operationId };
  }
  /** The digest of the report, once it is there. */
  async function digestOf(id: string): Promise<string> {
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
      const { digest } = await gateway.json('rules', 'changes', 'show', id);
      if (digest !== null) return digest as string;
    }
    throw new Error(`no report of ${id}`);
  }
  const approval = async (id: string, person: string) => [
    'rules',
    'changes',
    'approve',
    id,
    '--as',
    person,
    '--digest',
    await digestOf(id),
  ];
  async function decide(decision: 'approve' | 'reject', id: string, person: string, ...more: string[]) {
    const command =
      decision === 'approve' ? await approval(id, person) : ['rules', 'changes', 'reject', id, '--as', person];
    return gateway.json(...command, ...more);
  }
  const eventsOf = async (operationId: string) => {
    const rows = await database.event.findMany({ where: { operationId }, orderBy: { sequence: 'asc' } });
    return rows.map((row) => ({ row, body: JSON.parse(testSealer.openBytes(row.bodySealed).toString('utf8')) }));
  };
  const acts = (id: string) =>
    gateway.rows('SELECT person, action FROM audit_entry WHERE subject = $1 ORDER BY sequence', id);

  it('list and show: who asked, why, what would change, and how many must approve', async () => {
    const { id, operationId } = await proposal();
    const { changes } = await gateway.json('rules', 'changes', 'list', '--operation', operationId);
    assert.deepEqual(
      changes.map((change: { id: string; approvals: unknown }) => [change.id, change.approvals]),
      [[id, { given: [], needed: 2 }]],
    );
    const shown = await gateway.json('rules', 'changes', 'show', id);
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
    const { id, operationId } = await proposal();
    assert.deepEqual(await decide('approve', id, 'ana', '--reason', 'agreed'), {
      id,
      status: 'pending_approval',
      applied_version: null,
      decided_by: ['ana'],
      approvals_missing: 1,
    });
    assert.equal((await currentRuleSet(database, operationId))?.version, 1);
    await gateway.fails(1, /: ana has approved already; another person must/, ...(await approval(id, 'ANA')));
    assert.deepEqual(await decide('approve', id, 'ben'), {
      id,
      status: 'approved',
      applied_version: 2,
      decided_by: ['ana', 'ben'],
      approvals_missing: 0,
    });

    const current = await currentRuleSet(database, operationId);
    assert.deepEqual(
      [current?.version, current?.rules, current?.createdBy],
      [2, { ...PROPOSED, version: 2 }, `${id} (ana, ben)`],
    );
    const [event, ...others] = await eventsOf(operationId);
    assert.equal(others.length, 0);
    assert.deepEqual(event?.body, {
      id: event?.row.id,
      type: 'rules.updated',
      created_at: event?.row.createdAt.toISOString(),
      operation_id: operationId,
      object_id: operationId,
      object_version: 2,
      data: { object: { ...PROPOSED, version: 2 } },
    });
    await temporal.client.getHandle(id).result();
    assert.deepEqual(delivered.filter((eventId) => eventId === event?.row.id).length, 1);
    assert.deepEqual(await acts(id), [
      { person: 'ana', action: 'rule_change.approve' },
      { person: 'ben', action: 'rule_change.approve' },
    ]);
    const [{ detail }] = (await gateway.rows(
      'SELECT detail FROM audit_entry WHERE subject = $1 ORDER BY sequence',
      id,
    )) as [{ detail: string }];
    assert.deepEqual(JSON.parse(detail), { reason: 'agreed', digest: await digestOf(id) });
    const shown = await gateway.json('rules', 'changes', 'show', id);
    assert.deepEqual(
      [shown['status'], shown['applied_version'], shown['decisions'].map(({ reason }: { reason: string }) => reason)],
      ['approved', 2, ['agreed', '']],
    );
    await gateway.fails(1, /is approved; only what is pending_approval/, ...(await approval(id, 'cleo')));
  });

  it('reject: one person, no version, no event', async () => {
    const { id, operationId } = await proposal();
    assert.equal((await decide('reject', id, 'ana', '--reason', 'too high'))['status'], 'rejected');
    assert.deepEqual(
      [(await currentRuleSet(database, operationId))?.version, (await eventsOf(operationId)).length],
      [1, 0],
    );
    assert.deepEqual(await acts(id), [{ person: 'ana', action: 'rule_change.reject' }]);
  });

  it('superseded: said clearly, exit code 1, nothing changed', async () => {
    const { id, operationId } = await proposal();
    await decide('approve', id, 'ana');
    await insertRuleSet(database, { operationId, rules: defaultRuleSet(1), createdBy: 'dora' });
    await gateway.fails(
      1,
      /superseded: it was made from version 1, which is not in force any more; nothing changed/,
      ...(await approval(id, 'ben')),
    );
    assert.deepEqual(
      [(await currentRuleSet(database, operationId))?.version, (await eventsOf(operationId)).length],
      [2, 0],
    );
    assert.equal((await gateway.json('rules', 'changes', 'show', id))['status'], 'superseded');
    assert.equal((await acts(id)).length, 2, 'the second approval is on record all the same');
  });

  it('a change whose workflow was never started is approved all the same', async () => {
    const { id } = await proposal({ isStarted: false });
    assert.match((await gateway.run('rules', 'changes', 'show', id)).stderr, /gateway rules changes recompute/);
    assert.equal(
      (await gateway.json('rules', 'changes', 'recompute', id, '--as', 'ana'))['digest'],
      await digestOf(id),
    );
    await decide('approve', id, 'ana');
    assert.equal((await decide('approve', id, 'ben'))['applied_version'], 2);
  });

  it('of two changes made from one version the first wins and the second is superseded', async () => {
    const first = await proposal();
    const second = newId('ruleChange');
    await insertRuleChange(database, {
      id: second,
      operationId: first.operationId,
      baseVersion: 1,
      rules: PROPOSED,
      engine: null,
      justification: '',
      requestedBy: 'key_test_1',
    });
    await gateway.json('rules', 'changes', 'recompute', second, '--as', 'ana');
    for (const id of [first.id, second]) await decide('approve', id, 'ana');
    assert.equal((await decide('approve', first.id, 'ben'))['status'], 'approved');
    await gateway.fails(1, /superseded/, ...(await approval(second, 'ben')));
    assert.equal((await eventsOf(first.operationId)).length, 1);
  });

  it('applying twice is once; of many replacements at once exactly one is stored, with one event', async () => {
    const { id, operationId } = await proposal({ isStarted: false });
    const { applyRuleChange, loadRuleChange, proveRuleChange, storeRuleChange } = createRuleChangeStore(
      database,
      testSealer,
    );
    const proof = await new MockActivityEnvironment().run<
      [Parameters<typeof proveRuleChange>[0]],
      Awaited<ReturnType<typeof proveRuleChange>>,
      typeof proveRuleChange
    >(proveRuleChange, { changeId: id, operationId, number: 1, through: '2026-11-21T12:00:00.000Z', person: null });
    const decisions = ['ana', 'ben'].map(
      (person) =>
        ({ person, decision: 'approve', reason: '', digest: proof.digest, at: '2026-11-21T12:00:00.000Z' }) as const,
    );
    const change = {
      ...(await loadRuleChange({ changeId: id, operationId })),
      decisions,
      decidedAt: '2026-11-21T12:00:00.000Z',
    };
    const otherProof = { ...change, proof: { ...proof, digest: 'f'.repeat(64) } };
    await assert.rejects(
      applyRuleChange({ change: otherProof, eventId: newId('event') }),
      /could not be stored/,
      'only the stored report can come into force',
    );
    const eventId = newId('event');
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(await applyRuleChange({ change, eventId }), { kind: 'applied', version: 2 });
    await storeRuleChange({ change: { ...change, status: 'rejected' } });
    assert.equal(
      (await loadRuleChange({ changeId: id, operationId })).status,
      'approved',
      'what has ended stays as it is',
    );
    const order = () => ({
      operationId,
      rules: PROPOSED,
      engine: null,
      createdBy: 'x',
      baseVersion: 2,
      at: '2026-11-21T13:00:00.000Z',
      eventId: newId('event'),
      request: null,
    });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => replaceRuleSet(database, testSealer, order())));
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [...Array(7).fill('stale'), 'stored']);
    assert.deepEqual(
      (await eventsOf(operationId)).map(({ row }) => [row.objectVersion, Number(row.sequence)]),
      [
        [2, 1],
        [3, 2],
      ],
    );
  });

  it('rules set: the version, its event and the delivery; without Temporal the event waits in GET /events', async () => {
    const operationId = (await gateway.operation())['operation_id'] as string;
    const file = gateway.file(JSON.stringify({ currencies: { BRL: { auto_multiplier: '3' } } }));
    assert.equal((await gateway.json('rules', 'set', '--operation', operationId, file, '--as', 'ana'))['version'], 2);
    const [event] = await eventsOf(operationId);
    assert.deepEqual(
      [
        event?.body.type,
        event?.body.object_id,
        event?.body.object_version,
        event?.body.data.object.currencies.BRL.auto_multiplier,
      ],
      ['rules.updated', operationId, 2, '3'],
    );
    await temporal.client.getHandle(event?.row.id ?? '').result();
    assert.equal(delivered.filter((id) => id === event?.row.id).length, 1);

    const { TEMPORAL_ADDRESS: address, ...without } = gateway.environment;
    assert.notEqual(address, undefined);
    const { exitCode, stderr } = await runWith(without, ['rules', 'set', '--operation', operationId, file]);
    assert.equal(exitCode, 0);
    assert.match(stderr, /was not sent; the operator finds it in GET \/events/);
    assert.deepEqual(
      (await eventsOf(operationId)).map(({ row }) => row.objectVersion),
      [2, 3],
    );
  });

  it('rules set in production: the first rules at once, later ones as a change that two people approve, engine included', async () => {
    const { operation_id: operationId } = await gateway.json(
      'operation',
      'create',
      '--name',
      'P',
      '--environment',
      'production',
      '--provider',
      'a',
      '--as',
      'ana',
    );
    const file = (multiplier: string, engine?: object) =>
      gateway.file(
        JSON.stringify({
          currencies: { BRL: { auto_multiplier: multiplier } },
          ...(engine === undefined ? {} : { engine }),
        }),
      );
    const set = (path: string) =>
      gateway.json('rules', 'set', '--operation', operationId, path, '--as', 'ana', '--reason', 'quieter nights');
    assert.equal((await set(file('2')))['version'], 2);
    const { version, requests } = await set(file('3', { auto_suspended: true }));
    assert.equal(version, 2);
    assert.equal(
      (await gateway.json('rules', 'show', '--operation', operationId))['version'],
      2,
      'nothing has changed',
    );
    const id = requests[0].id as string;
    const digest = await digestOf(id);
    const shown = await gateway.json('rules', 'changes', 'show', id, '--json');
    assert.deepEqual([shown['requested_by'], shown['justification']], ['ana', 'quieter nights']);
    assert.deepEqual(
      (shown['changes'] as { path: string }[]).map(({ path }) => path),
      ['currencies.BRL.auto_multiplier', 'engine.auto_suspended'],
    );
    assert.equal(shown['proof'].proposal.engine.auto_suspended, true);
    await gateway.json('rules', 'changes', 'approve', id, '--as', 'ana', '--digest', digest);
    await gateway.fails(1, /another person must/, 'rules', 'changes', 'approve', id, '--as', 'Ana', '--digest', digest);
    assert.equal(
      (await gateway.json('rules', 'changes', 'approve', id, '--as', 'ben', '--digest', digest))['applied_version'],
      3,
    );
    const inForce = await gateway.json('rules', 'show', '--operation', operationId);
    assert.deepEqual(
      [inForce['version'], inForce['rules'].currencies.BRL.auto_multiplier, inForce['engine'].auto_suspended],
      [3, '3', true],
    );
    const audit = (await gateway.json('audit', 'list', '--subject', id))['entries'] as {
      person: string;
      action: string;
    }[];
    assert.deepEqual(audit.map(({ person, action }) => [person, action]).at(-1), ['ana', 'rule_change.request']);
  });

  it('versions set by hand and by approval, all at once, are numbered without a gap, each with its event', async () => {
    const operationId = (await gateway.operation())['operation_id'] as string;
    const set = () =>
      setAndPublishRules(database, testSealer, {
        operationId,
        rules: PROPOSED,
        engine: null,
        createdBy: 'ana',
        eventId: newId('event'),
        at: new Date().toISOString(),
      });
    const replace = (baseVersion: number) =>
      replaceRuleSet(database, testSealer, {
        operationId,
        rules: PROPOSED,
        engine: null,
        createdBy: 'x',
        baseVersion,
        at: new Date().toISOString(),
        eventId: newId('event'),
        request: null,
      });
    await Promise.all([set(), replace(1), set(), replace(2), set(), replace(3), set()]);
    const versions = await gateway.rows(
      'SELECT version FROM rule_set_version WHERE operation_id = $1 ORDER BY 1',
      operationId,
    );
    const events = (await eventsOf(operationId)).map(({ row }) => row.objectVersion);
    assert.deepEqual(
      versions.map(({ version }) => version),
      versions.map((_, index) => index + 1),
    );
    assert.deepEqual(
      [...events].sort((a, b) => a - b),
      versions.slice(1).map(({ version }) => version),
    );
    assert.ok(versions.length >= 5);
  });

  it('the report: approved by its digest only, the same again from the same decisions, and void once it is computed anew', async () => {
    const { id } = await proposal();
    const digest = await digestOf(id);
    await gateway.fails(
      2,
      /--digest: is needed: the digest of the report that you approve/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'ana',
    );
    await gateway.fails(
      2,
      /--digest: must be 64/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'ana',
      '--digest',
      digest.slice(0, 12),
    );
    await gateway.fails(
      1,
      /the digest is not that of its report/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'ana',
      '--digest',
      'f'.repeat(64),
    );
    const { proof } = await gateway.json('rules', 'changes', 'show', id, '--json');
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

    await decide('approve', id, 'ana');
    const again = await gateway.json('rules', 'changes', 'recompute', id, '--as', 'cleo');
    assert.notEqual(again['digest'], digest, 'another window');
    assert.equal(again['approvals_missing'], 2);
    await gateway.fails(
      1,
      /the digest is not that of its report/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'ben',
      '--digest',
      digest,
    );
    assert.equal((await decide('approve', id, 'ben'))['status'], 'pending_approval');
    const { stderr } = await gateway.run('rules', 'changes', 'show', id);
    assert.match(stderr, /approved by ben, 2 needed \(1 earlier of another report: void\)/);
    assert.equal((await decide('approve', id, 'ana'))['status'], 'approved');
    assert.deepEqual(
      (await acts(id)).map(({ person, action }) => `${String(person)} ${String(action)}`),
      ['ana rule_change.approve', 'cleo rule_change.recompute', 'ben rule_change.approve', 'ana rule_change.approve'],
    );
  });

  it('a report that was changed behind its digest is shown as such', async () => {
    const { id } = await proposal();
    await digestOf(id);
    await gateway.rows(
      `UPDATE rule_change_request SET proof = jsonb_set(proof, '{report,compared}', '7') WHERE id = $1`,
      id,
    );
    const { stderr, stdout } = await gateway.run('rules', 'changes', 'show', id);
    assert.match(stderr, /DOES NOT HAVE ITS DIGEST/);
    assert.equal((JSON.parse(stdout) as { proof: { is_intact: boolean } }).proof.is_intact, false);
  });

  it('refuses bad input by one line', async () => {
    const { id } = await proposal({ isStarted: false });
    await gateway.fails(1, /there is no such change/, 'rules', 'changes', 'show', newId('ruleChange'));
    await gateway.fails(
      2,
      /ID: must be the id of a rule change/,
      'rules',
      'changes',
      'approve',
      'dep_1',
      '--as',
      'ana',
    );
    await gateway.fails(
      2,
      /--as: give a name/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'ana@example.test',
      '--digest',
      'f'.repeat(64),
    );
    await gateway.fails(
      2,
      /--reason: holds what looks like/,
      'rules',
      'changes',
      'reject',
      id,
      '--as',
      'ana',
      '--reason',
      'see ana@example.test',
    );
  });
});
