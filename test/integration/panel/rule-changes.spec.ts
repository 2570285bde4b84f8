// A proposed change of rules in the panel, from the inbox to `rules.updated`, through the real workflow and database.
import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { currentRuleSet } from '../../../store/rules/rule-sets.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { RuleChangeWorld } from '../cli/rule-change-world.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: changes of rules', function () {
  this.timeout(60_000);
  let changes: RuleChangeWorld;
  let world: PanelWorld;
  let rita: Person;
  let paulo: Person;

  before(async () => {
    changes = await RuleChangeWorld.start();
    const { connection } = changes.temporal.environment;
    world = await createPanelWorld({
      gateway: changes.gateway,
      temporal: new Client({ dataConverter: DATA_CONVERTER, connection }),
    });
    rita = await world.person('rita', ['risk_manager']);
    paulo = await world.person('paulo', ['approver']);
  });
  after(async () => {
    await world.close();
    await changes.close();
  });

  const shown = async (person: Person, id: string) => (await person.get(`/rule-changes/${id}`)).body;
  /** With its report. */
  const proposal = async () => {
    const { id, operationId } = await changes.proposal();
    const digest = () => shown(rita, id).then(({ proof }) => proof?.digest as string | undefined);
    return { id, operationId, digest: String(await eventually(digest, `a report of ${id}`)) };
  };
  const approve = (person: Person, { id, digest }: { id: string; digest: string }, confirm = digest.slice(-4)) =>
    person.post(`/rule-changes/${id}`, { act: 'approve', reason: 'agreed', digest, confirm });

  it('two people approve the digest that they saw: the rules are in force, and the operator is notified', async () => {
    const change = await proposal();
    const { id, operationId, digest } = change;
    const inbox = (await paulo.get('/rule-changes')).body['items'];
    assert.deepEqual(
      inbox.map((item: Record<string, unknown>) => [item['id'], item['justification'], item['approvals']]),
      [[id, 'more players', { given: [], needed: 2 }]],
    );
    const before = await shown(rita, id);
    assert.equal(before['is_operators'], true);
    assert.deepEqual(before['differences'], [
      { path: 'currencies.BRL.auto_multiplier', from: '1', to: '2.5' },
      { path: 'currencies.BRL.deposit_max', from: null, to: '900000' },
    ]);
    assert.deepEqual([before['proof']['is_intact'], before['proof']['report']['compared']], [true, 0]);
    assert.deepEqual(before['acts']['approve'], { possible: true, why_not: null, confirm: digest.slice(-4) });

    assert.equal((await approve(rita, change, 'zzzz')).body['code'], 'not_confirmed');
    assert.equal((await approve(rita, { id, digest: '0'.repeat(64) })).body['code'], 'stale');
    assert.deepEqual((await approve(rita, change)).body, { outcome: 'done', status: 'pending_approval' });
    assert.equal((await shown(rita, id))['acts']['approve']['why_not'], 'approved_before');
    const again = (await approve(rita, change)).body;
    assert.deepEqual([again['code'], again['now']['decisions'][0]['person']], ['same_person', 'rita']);
    assert.deepEqual((await approve(paulo, change)).body, { outcome: 'done', status: 'approved' });

    assert.equal((await currentRuleSet(changes.database, operationId))?.version, 2);
    const [event] = await changes.eventsOf(operationId);
    assert.equal(event?.body.type, 'rules.updated');
    const acts = await changes.gateway.rows('SELECT * FROM staff_act WHERE subject_id = $1 ORDER BY created_at', id);
    assert.deepEqual(
      acts.map((act) => [act['staff_handle'], act['kind'], act['means'], act['outcome']]),
      ['rita', 'paulo'].map((person) => [person, 'rule_change.approve', 'link', 'done']),
    );
    assert.deepEqual((await rita.get('/rule-changes')).body['items'], []);
    const { in_force: inForce, changes: history } = (await rita.get(`/rules/${operationId}`)).body;
    assert.deepEqual([inForce['version'], history[0]['applied_version']], [2, 2]);
    assert.equal((await approve(paulo, change)).body['code'], 'decided_before');
  });

  it('a risk manager tries a threshold and proposes it; what no rule set can hold is named', async () => {
    const { operationId } = await changes.proposal();
    const post = (person: Person, what: string, body: object) =>
      person.post(`/operations/${operationId}/rules/${what}`, body);
    const limit = { auto_max_per_withdrawal: '250000' };
    assert.equal((await post(rita, 'trials', { changes: limit })).body['compared'], 0);
    const { body: refused } = await post(rita, 'trials', { changes: { auto_max_per_withdrawal: 'much' } });
    assert.equal(refused['issues'][0].path, 'currencies.BRL.auto_max_per_withdrawal');
    assert.equal((await post(paulo, 'trials', { changes: limit })).status, 403);
    const elsewhere = `/operations/op_${'0'.repeat(32)}/rules/trials`;
    assert.equal((await rita.post(elsewhere, { changes: limit })).status, 404);
    const order = { changes: limit, base_version: 1, reason: 'too many wait' };
    assert.equal((await post(rita, 'proposals', { ...order, base_version: 2 })).body['code'], 'stale');
    const { id } = (await post(rita, 'proposals', order)).body;
    const change = await eventually(
      () => shown(rita, id).then((found) => (found['proof'] === null ? undefined : found)),
      `a report of ${id}`,
    );
    assert.deepEqual(change['differences'], [
      { path: 'currencies.BRL.auto_max_per_withdrawal', from: null, to: '250000' },
    ]);
    assert.deepEqual(
      [change['requested_by'], change['is_operators'], change['justification']],
      ['rita', false, 'too many wait'],
    );
    const { in_force: inForce } = (await rita.get(`/rules/${operationId}`)).body;
    const sources = inForce['thresholds'].map(({ name, source }: Record<string, string>) => [name, source]);
    assert.equal(inForce['version'], 1);
    assert.ok(sources.some(([name, source]: string[]) => name === 'engine.noPlayReview' && source === 'default'));
  });

  it('a report that is computed again voids approvals of the earlier one', async () => {
    const change = await proposal();
    await approve(rita, change);
    const recompute = (digest: string, approvals: number) =>
      paulo.post(`/rule-changes/${change.id}`, { act: 'recompute', digest, approvals });
    // A person who has not seen the approval does not void it.
    assert.equal((await recompute(change.digest, 0)).body['code'], 'stale');
    assert.equal((await recompute('0'.repeat(64), 1)).body['code'], 'stale');
    assert.equal((await recompute(change.digest, 1)).body['outcome'], 'done');
    const after = await shown(paulo, change.id);
    assert.notEqual(after['proof']['digest'], change.digest);
    assert.deepEqual(after['approvals']['given'], []);
    assert.equal((await approve(paulo, change)).body['code'], 'stale');
  });

  it('→ refused: its report was changed', async () => {
    const change = await proposal();
    await changes.gateway.rows(
      `UPDATE rule_change_request SET proof = jsonb_set(proof, '{report,compared}', '7') WHERE id = $1`,
      change.id,
    );
    const { acts, proof } = await shown(rita, change.id);
    assert.deepEqual([proof['is_intact'], acts['approve']['why_not']], [false, 'report_broken']);
    assert.equal((await approve(rita, change)).body['code'], 'other_state');
  });

  it('one person rejects, with a reason', async () => {
    const { id, digest } = await proposal();
    const reject = (reason: string, seen: object) =>
      rita.post(`/rule-changes/${id}`, { act: 'reject', reason, ...seen });
    assert.equal((await reject('', { digest, approvals: 0 })).body['code'], 'invalid');
    assert.equal((await reject('limits too high', { digest: null, approvals: 0 })).body['code'], 'stale');
    assert.equal((await reject('limits too high', { digest, approvals: 1 })).body['code'], 'stale');
    const { body } = await reject('limits too high', { digest, approvals: 0 });
    assert.deepEqual(body, { outcome: 'done', status: 'rejected' });
    const { decided } = await shown(paulo, id);
    assert.deepEqual([decided[0]['person'], decided[0]['reason']], ['rita', 'limits too high']);
  });

  it('a change of another operation does not exist', async () => {
    const [mine, other] = [await proposal(), await proposal()];
    const near = await world.person('near', [{ role: 'risk_manager', operationId: mine.operationId }]);
    assert.deepEqual(
      (await near.get('/rule-changes')).body['items'].map(({ id }: { id: string }) => id),
      [mine.id],
    );
    assert.equal((await near.get(`/rule-changes/${other.id}`)).body['code'], 'not_found');
    assert.equal((await approve(near, other)).body['code'], 'not_found');
  });
});
