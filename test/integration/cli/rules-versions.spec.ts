// Versions of the rules: how an approved change is applied, `rules set`, and how versions are numbered.
import assert from 'node:assert/strict';
import { createRuleChangeSteps, createRuleChangeStore } from '../../../activities/operations/rule-changes.js';
import { newId } from '../../../domain/identifiers.js';
import { currentRuleSet, replaceRuleSet, setAndPublishRules } from '../../../store/rules/rule-sets.js';
import { storeDecision } from '../../../store/rules/rule-change-decisions.js';
import { ruleChangeOf, ruleChangeSnapshot } from '../../../store/rules/rule-changes.js';
import { closeAct, insertAct } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { insertDeposit } from './payments.js';
import { runWith, testSealer } from './support.js';
import { PROPOSED, RuleChangeWorld } from './rule-change-world.js';

describe('gateway rules: versions', function () {
  this.timeout(60_000);
  let world: RuleChangeWorld;
  before(async () => (world = await RuleChangeWorld.start()));
  after(() => world.close());

  it('the last approval twice is once, even at once; of many replacements at once exactly one is stored, with one event', async () => {
    const { id, operationId } = await world.proposal();
    const digest = await world.digestOf(id);
    await world.decide('approve', id, 'ana');
    const { decideRuleChange, expireRuleChange, loadRuleChange } = createRuleChangeSteps(
      createRuleChangeStore(world.database, testSealer, () => Promise.resolve()),
    );
    const at = new Date().toISOString();
    const approval = async (person: string, subjectDigest: string) => {
      const handle = await ensureClaimedPerson(world.database, person);
      const actor = { handle, means: 'claim', sessionId: null } as const;
      const act = { actor, operationId, subjectId: id, subjectVersion: 1, subjectDigest, reason: '' };
      const actId = await insertAct(world.database, { ...act, kind: 'rule_change.approve' });
      return { changeId: id, operationId, decision: 'approve', actId, eventId: newId('event'), at } as const;
    };
    const other = await decideRuleChange(await approval('ben', 'f'.repeat(64)));
    assert.deepEqual([other.kind, other.change.status], ['other_proof', 'pending_approval']);
    const [bens, again] = [await approval('ben', digest), await approval('ana', digest)];
    assert.equal((await decideRuleChange(again)).kind, 'same_person');
    const round = await Promise.all([decideRuleChange(bens), decideRuleChange(bens)]);
    round.push(await decideRuleChange(bens));
    assert.deepEqual(
      round.map(({ kind, change }) => [kind, change.appliedVersion]),
      Array(3).fill(['done', 2]),
    );
    await expireRuleChange({ changeId: id, operationId, at });
    assert.equal((await loadRuleChange({ changeId: id, operationId })).status, 'approved', 'what has ended stays');
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

  it('rules set: the version and its event, in the outbox; Temporal is not needed', async () => {
    const hooks = ['--webhook-url', 'http://127.0.0.1:9000/hooks'];
    const operationId = String((await world.gateway.operation(...hooks))['operation_id']);
    const file = world.gateway.file(JSON.stringify({ currencies: { BRL: { auto_multiplier: '3' } } }));
    const set = await world.gateway.json('rules', 'set', '--operation', operationId, file, '--as', 'ana');
    assert.equal(set['version'], 2);
    const [event] = await world.eventsOf(operationId);
    const { type, object_id: object, object_version: version, data } = event?.body ?? {};
    assert.deepEqual([type, object, version], ['rules.updated', operationId, 2]);
    assert.equal(data.object.currencies.BRL.auto_multiplier, '3');
    assert.equal(await world.timesOutboxed(event?.row.id ?? ''), 1);

    const { TEMPORAL_ADDRESS: address, ...without } = world.gateway.environment;
    assert.notEqual(address, undefined);
    const { exitCode, stderr } = await runWith(without, ['rules', 'set', '--operation', operationId, file]);
    assert.deepEqual([exitCode, stderr], [0, '']);
    assert.deepEqual(
      (await world.eventsOf(operationId)).map(({ row }) => row.objectVersion),
      [2, 3],
    );
  });

  it('rules set in production: the first rules at once, later ones as a change that two people approve, engine included', async () => {
    const operationId = await world.gateway.production();
    const ana = await world.gateway.signedIn('ana');
    await world.gateway.signedIn('ben');
    const file = (multiplier: string, engine?: object) =>
      world.gateway.file(
        JSON.stringify({
          currencies: { BRL: { auto_multiplier: multiplier } },
          ...(engine === undefined ? {} : { engine }),
        }),
      );
    const set = (path: string) =>
      ana.json('rules', 'set', '--operation', operationId, path, '--reason', 'quieter nights');
    await world.gateway.fails(
      1,
      /eva: has no role that may do this \(rules\.set\)/,
      ...['rules', 'set', '--operation', operationId, file('9'), '--as', 'eva', '--reason', 'in production'],
    );
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
    const approve = ['rules', 'changes', 'approve', id, '--digest', digest];
    // In production a name proves nothing.
    await world.gateway.fails(1, /eva: has no role that may do this/, ...[...approve, '--as', 'eva']);
    await ana.fails(1, /in production a passkey signs it, in the panel/, ...approve);
    const cleo = await world.gateway.signedIn('cleo');
    await cleo.json('staff', 'break-glass', '--ticket', 'INC-4711', '--reason', 'the panel is down');
    await cleo.fails(1, /in production a passkey signs it, in the panel/, ...approve);
    assert.equal((await world.approveInPanel(id, 'ana', digest)).kind, 'done');
    await ana.fails(1, /ana has approved already; another person must/, ...approve);
    const applied = await world.approveInPanel(id, 'ben', digest);
    assert.equal(applied.kind === 'done' && applied.change.status, 'approved');
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

  it('rules set in production, once there is a payment: the first rules, too, are a change', async () => {
    const operationId = await world.gateway.production();
    await insertDeposit(world.gateway, operationId, { status: 'pending', movements: [] });
    const file = world.gateway.file(JSON.stringify({ currencies: { BRL: { auto_multiplier: '2' } } }));
    const ana = await world.gateway.signedIn('ana');
    const set = await ana.json('rules', 'set', '--operation', operationId, file);
    assert.deepEqual([set['version'], set['requests'][0].kind], [1, 'rule_change']);
    assert.equal((await currentRuleSet(world.database, operationId))?.version, 1);
  });

  it('a decision is stored with the use of its act, or not at all', async () => {
    const { id, operationId } = await world.proposal();
    const digest = await world.digestOf(id);
    const actor = {
      handle: await ensureClaimedPerson(world.database, 'fay'),
      means: 'claim',
      sessionId: null,
    } as const;
    const act = {
      actor,
      operationId,
      subjectId: id,
      subjectVersion: 1,
      reason: '',
      kind: 'rule_change.reject',
    } as const;
    const before = ruleChangeSnapshot(await ruleChangeOf(world.database, id, operationId));
    const rejection = async (actId: string, from = before) => {
      const decision = {
        actId,
        means: 'claim',
        address: null,
        person: 'fay',
        decision: 'reject',
        reason: '',
        digest: null,
        at: before.createdAt,
      } as const;
      return storeDecision(world.database, { before: from, decision, status: 'rejected' });
    };
    const closed = await insertAct(world.database, act);
    await closeAct(world.database, closed);
    assert.equal(await rejection(closed), false, 'the person was answered that it is not done');
    const actId = await insertAct(world.database, act);
    assert.equal(await rejection(actId, { ...before, proof: null }), false, 'the request has a report by now');
    await world.gateway.rows(`DELETE FROM staff_role WHERE staff_handle = 'fay' AND role <> 'admin'`);
    assert.equal(await rejection(actId), false, 'the role was taken since');
    assert.equal((await world.database.staffAct.findUniqueOrThrow({ where: { id: actId } })).consumedAt, null);
    assert.deepEqual(ruleChangeSnapshot(await ruleChangeOf(world.database, id, operationId)), before);
    assert.deepEqual(await world.acts(id), []);
    await world.gateway.fails(
      1,
      /fay: has no role that may do this \(rule_change.approve\)/,
      ...['rules', 'changes', 'approve', id, '--as', 'fay', '--digest', digest],
    );
    await world.gateway.rows(
      `INSERT INTO staff_role (staff_handle, role, operation_id, granted_by) VALUES ('fay', 'approver', '*', 'fay')`,
    );
    assert.equal(await rejection(actId), true);
    assert.equal((await world.database.staffAct.findUniqueOrThrow({ where: { id: actId } })).outcome, 'done');
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
        isFirstOnly: false,
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
