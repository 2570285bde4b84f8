// Versions of the rules: how an approved change is applied, `rules set`, and how versions are numbered.
import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRuleChangeProof, createRuleChangeStore } from '../../../activities/operations/rule-changes.js';
import { newId } from '../../../domain/identifiers.js';
import { setAndPublishRules } from '../../../store/rules/engine-rules.js';
import { replaceRuleSet } from '../../../store/rules/rule-set-replacement.js';
import { runWith, testSealer } from './support.js';
import { PROPOSED, RuleChangeWorld } from './rule-change-world.js';

describe('gateway rules: versions', function () {
  this.timeout(60_000);
  let world: RuleChangeWorld;
  before(async () => (world = await RuleChangeWorld.start()));
  after(() => world.close());

  it('applying twice is once; of many replacements at once exactly one is stored, with one event', async () => {
    const { id, operationId } = await world.proposal({ isStarted: false });
    const { applyRuleChange, loadRuleChange, storeRuleChange } = createRuleChangeStore(world.database, testSealer);
    const { proveRuleChange } = createRuleChangeProof(world.database);
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
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => replaceRuleSet(world.database, testSealer, order())),
    );
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), [...Array(7).fill('stale'), 'stored']);
    assert.deepEqual(
      (await world.eventsOf(operationId)).map(({ row }) => [row.objectVersion, Number(row.sequence)]),
      [
        [2, 1],
        [3, 2],
      ],
    );
  });

  it('rules set: the version, its event and the delivery; without Temporal the event waits in GET /events', async () => {
    const operationId = (await world.gateway.operation())['operation_id'] as string;
    const file = world.gateway.file(JSON.stringify({ currencies: { BRL: { auto_multiplier: '3' } } }));
    assert.equal(
      (await world.gateway.json('rules', 'set', '--operation', operationId, file, '--as', 'ana'))['version'],
      2,
    );
    const [event] = await world.eventsOf(operationId);
    assert.deepEqual(
      [
        event?.body.type,
        event?.body.object_id,
        event?.body.object_version,
        event?.body.data.object.currencies.BRL.auto_multiplier,
      ],
      ['rules.updated', operationId, 2, '3'],
    );
    await world.temporal.client.getHandle(event?.row.id ?? '').result();
    assert.equal(world.delivered.filter((id) => id === event?.row.id).length, 1);

    const { TEMPORAL_ADDRESS: address, ...without } = world.gateway.environment;
    assert.notEqual(address, undefined);
    const { exitCode, stderr } = await runWith(without, ['rules', 'set', '--operation', operationId, file]);
    assert.equal(exitCode, 0);
    assert.match(stderr, /was not sent; the operator finds it in GET \/events/);
    assert.deepEqual(
      (await world.eventsOf(operationId)).map(({ row }) => row.objectVersion),
      [2, 3],
    );
  });

  it('rules set in production: the first rules at once, later ones as a change that two people approve, engine included', async () => {
    const { operation_id: operationId } = await world.gateway.json(
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
      world.gateway.file(
        JSON.stringify({
          currencies: { BRL: { auto_multiplier: multiplier } },
          ...(engine === undefined ? {} : { engine }),
        }),
      );
    const set = (path: string) =>
      world.gateway.json('rules', 'set', '--operation', operationId, path, '--as', 'ana', '--reason', 'quieter nights');
    assert.equal((await set(file('2')))['version'], 2);
    const { version, requests } = await set(file('3', { auto_suspended: true }));
    assert.equal(version, 2);
    assert.equal(
      (await world.gateway.json('rules', 'show', '--operation', operationId))['version'],
      2,
      'nothing has changed',
    );
    const id = requests[0].id as string;
    const digest = await world.digestOf(id);
    const shown = await world.gateway.json('rules', 'changes', 'show', id, '--json');
    assert.deepEqual([shown['requested_by'], shown['justification']], ['ana', 'quieter nights']);
    assert.deepEqual(
      (shown['changes'] as { path: string }[]).map(({ path }) => path),
      ['currencies.BRL.auto_multiplier', 'engine.auto_suspended'],
    );
    assert.equal(shown['proof'].proposal.engine.auto_suspended, true);
    await world.gateway.json('rules', 'changes', 'approve', id, '--as', 'ana', '--digest', digest);
    await world.gateway.fails(
      1,
      /another person must/,
      'rules',
      'changes',
      'approve',
      id,
      '--as',
      'Ana',
      '--digest',
      digest,
    );
    assert.equal(
      (await world.gateway.json('rules', 'changes', 'approve', id, '--as', 'ben', '--digest', digest))[
        'applied_version'
      ],
      3,
    );
    const inForce = await world.gateway.json('rules', 'show', '--operation', operationId);
    assert.deepEqual(
      [inForce['version'], inForce['rules'].currencies.BRL.auto_multiplier, inForce['engine'].auto_suspended],
      [3, '3', true],
    );
    const audit = (await world.gateway.json('audit', 'list', '--subject', id))['entries'] as {
      person: string;
      action: string;
    }[];
    assert.deepEqual(audit.map(({ person, action }) => [person, action]).at(-1), ['ana', 'rule_change.request']);
  });

  it('versions set by hand and by approval, all at once, are numbered without a gap, each with its event', async () => {
    const operationId = (await world.gateway.operation())['operation_id'] as string;
    const set = () =>
      setAndPublishRules(world.database, testSealer, {
        operationId,
        rules: PROPOSED,
        engine: null,
        createdBy: 'ana',
        eventId: newId('event'),
        at: new Date().toISOString(),
      });
    const replace = (baseVersion: number) =>
      replaceRuleSet(world.database, testSealer, {
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
    const versions = await world.gateway.rows(
      'SELECT version FROM rule_set_version WHERE operation_id = $1 ORDER BY 1',
      operationId,
    );
    const events = (await world.eventsOf(operationId)).map(({ row }) => row.objectVersion);
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
});
