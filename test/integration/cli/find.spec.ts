// `gateway find`: whatever text support is given leads to what it is, where it stands and what it waits for.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DEPOSIT_WORKFLOW } from '../../../contract/temporal/payment.js';
import { SEARCH_ATTRIBUTES } from '../../../contract/temporal/search-attributes.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { newId } from '../../../domain/identifiers.js';
import type { Database } from '../../../store/database.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { TimeSkippingTemporal } from '../../support/temporal.js';
import { startPaymentWorkers } from './payment-workers.js';
import { insertDeposit, insertWithdrawal, PERSONAL } from './payments.js';
import { createTestGateway, openDatabase, runWith, type TestGateway } from './support.js';

const E2E = 'E00000000202611221251xEbKVoN32kp';
const PAYOUT_E2E = 'E11111111202611221252aaaaaaaaaaa';
const EXTRA_E2E = 'E22222222202611221253bbbbbbbbbbb';
const UI = 'http://ui.test:8233/';

describe('gateway find', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let temporal: TimeSkippingTemporal;
  let database: Database;
  let [operation, other, key] = ['', '', ''];
  let [deposit, withdrawal, event, alert] = ['', '', '', ''];

  before(async () => {
    gateway = await createTestGateway({ TEMPORAL_NAMESPACE: 'default', TEMPORAL_UI_URL: UI });
    database = openDatabase(gateway.ownerUrl);
    temporal = await startPaymentWorkers(database);
    gateway.environment['TEMPORAL_ADDRESS'] = temporal.environment.address;
    ({ operation_id: operation, key_id: key } = (await gateway.operation()) as {
      operation_id: string;
      key_id: string;
    });
    other = (await gateway.operation())['operation_id'];
    deposit = await insertDeposit(gateway, operation, {
      status: 'under_review',
      reasons: ['PAYER_UNKNOWN'],
      movements: ['deposit_held'],
    });
    await gateway.rows(
      'UPDATE deposit SET end_to_end_id = $2, external_id = $3, paid_at = now() WHERE id = $1',
      deposit,
      E2E,
      'order-1',
    );
    withdrawal = await insertWithdrawal(gateway, operation, { status: 'paid', reasons: ['FIRST_WITHDRAWAL'] });
    await gateway.rows(
      'UPDATE withdrawal SET psp_reference = $2, external_id = $3 WHERE id = $1',
      withdrawal,
      PAYOUT_E2E,
      'payout-1',
    );
    [{ id: event } = { id: '' }] = (await gateway.rows('SELECT id FROM event WHERE object_id = $1', deposit)) as {
      id: string;
    }[];
    alert = newId('alert');
    await gateway.rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, occasion, created_at)
        VALUES ($1, $2, 'EXTRA_PAYMENT', $3, 'another payment', $4, now())`,
      alert,
      operation,
      deposit,
      EXTRA_E2E,
    );
    for (const one of [operation, other]) {
      await gateway.rows(
        `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed)
          VALUES ($1, 'player-1', '\\x00', '\\x00')`,
        one,
      );
    }
    await temporal.client.start(DEPOSIT_WORKFLOW, {
      workflowId: deposit,
      taskQueue: TASK_QUEUES.payments,
      args: [{ kind: 'reopen', id: deposit, operationId: operation }],
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.WaitingFor, value: 'review' }],
    });
    await eventually(
      async () => (await find(deposit)).hits[0].workflow?.says?.includes('review'),
      'the workflow waits',
    );
  });
  after(async () => {
    await temporal.close();
    await database.$disconnect();
    await gateway.close();
  });

  interface Found {
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields and assert on them
    readonly hits: any[];
    readonly more: boolean;
    readonly temporal: string;
  }
  const find = async (...argv: string[]) => (await gateway.json('find', ...argv)) as unknown as Found;
  const idsOf = ({ hits }: Found) => hits.map(({ type, id, found_by }) => [type, id, ...found_by]);
  const request = async (
    objectId: string | null,
    more: { subject?: string; status?: number | null; key?: string; state?: string } = {},
  ) => {
    const traceId = randomBytes(16).toString('hex');
    await gateway.rows(
      `INSERT INTO idempotency_key (operation_id, key, fingerprint, object_id, subject_id, token, state, locked_at,
        response_status, trace_ids)
       VALUES ($1, $2, '\\x00', $3, $4, gen_random_uuid(), $5, now(), $6, ARRAY['0123', $7])`,
      operation,
      more.key ?? randomBytes(16).toString('hex'),
      objectId,
      more.subject ?? null,
      more.state ?? 'finished',
      more.status === undefined ? 201 : more.status,
      traceId,
    );
    return traceId;
  };

  it('by its id: what it is, where it stands, what it waits for, what is next', async () => {
    const found = await find(deposit);
    const [hit] = found.hits;
    assert.deepEqual([found.more, found.temporal], [false, 'answered']);
    assert.deepEqual(
      [hit.type, hit.id, hit.operation_id, hit.operation_name, hit.external_id, hit.player_ref, hit.end_to_end_id],
      ['deposit', deposit, operation, 'Acme', 'order-1', 'player-1', E2E],
    );
    assert.deepEqual(
      [hit.status, hit.amount, hit.reasons],
      ['under_review', { amount: '5000', currency: 'BRL' }, ['PAYER_UNKNOWN']],
    );
    const [{ created_at: since } = {}] = await gateway.rows('SELECT created_at FROM event WHERE id = $1', event);
    assert.equal(hit.since, (since as Date).toISOString(), 'since the event of the state');
    assert.deepEqual([hit.waits_for.for, hit.waits_for.source, hit.waits_for.problem], ['review', 'workflow', null]);
    assert.match(hit.workflow.says, /^[^*]*waits for review[^*]*$/, 'the workflow’s own line, without its marks');
    assert.deepEqual(
      hit.open_alerts.map((one: { kind: string }) => one.kind),
      ['EXTRA_PAYMENT'],
    );
    // With its run, the page opens on what a person reads.
    assert.match(
      hit.temporal_ui,
      new RegExp(`^http://ui\\.test:8233/namespaces/default/workflows/${deposit}/[0-9a-f-]{36}/user-metadata$`),
    );
    assert.deepEqual(hit.commands.slice(0, 4), [
      `gateway review show ${deposit}`,
      `gateway review approve ${deposit} --as NAME`,
      `gateway review return ${deposit} --as NAME`,
      `gateway deposit show ${deposit}`,
    ]);
  });

  it('by the operator’s external id, over operations: several hits', async () => {
    const twin = await insertDeposit(gateway, other, { status: 'expired' });
    const payout = await insertWithdrawal(gateway, other, { status: 'failed' });
    await gateway.rows(`UPDATE deposit SET external_id = 'order-1' WHERE id = $1`, twin);
    await gateway.rows(
      `UPDATE withdrawal SET external_id = 'order-1', created_at = now() + interval '1 hour' WHERE id = $1`,
      payout,
    );
    assert.deepEqual(idsOf(await find('order-1')), [
      ['withdrawal', payout, 'external_id'],
      ['deposit', twin, 'external_id'],
      ['deposit', deposit, 'external_id'],
    ]);
    const limited = await find('order-1', '--limit', '2');
    assert.deepEqual([limited.hits.length, limited.more], [2, true]);
    assert.deepEqual(
      (await find('payout-1')).hits.map(({ id }) => id),
      [withdrawal],
    );
  });

  it('by end-to-end ids, and by references of the provider, in capitals too', async () => {
    const reference = randomBytes(16).toString('hex');
    await gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at) VALUES ($1, $2, 'known', now())`,
      withdrawal,
      reference,
    );
    const returned = 'D00000000202611221300ccccccccccc';
    await gateway.rows('INSERT INTO return_id (return_id, deposit_id) VALUES ($1, $2)', returned, deposit);
    for (const [text, type, id, by] of [
      [E2E, 'deposit', deposit, 'end_to_end_id'],
      [EXTRA_E2E, 'deposit', deposit, 'end_to_end_id'],
      [returned, 'deposit', deposit, 'end_to_end_id'],
      [PAYOUT_E2E, 'withdrawal', withdrawal, 'end_to_end_id'],
      [deposit.slice(4), 'deposit', deposit, 'provider_reference'],
      [withdrawal.slice(4).toUpperCase(), 'withdrawal', withdrawal, 'provider_reference'],
      [reference, 'withdrawal', withdrawal, 'provider_reference'],
    ] as const)
      assert.deepEqual(idsOf(await find(text)), [[type, id, by]], text);
  });

  it('by a trace id, as logs write it, and by the Idempotency-Key: with what the request was answered', async () => {
    const traceId = await request(deposit, { key: 'idempotency-key-1' });
    const uuid = traceId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    for (const text of [traceId, uuid, `00-${traceId}-00f067aa0ba902b7-01`]) {
      const {
        hits: [hit],
        ...rest
      } = await find(text);
      assert.deepEqual(
        [hit.id, hit.found_by, hit.request.response_status, rest.more],
        [deposit, ['trace_id'], 201, false],
        text,
      );
    }
    assert.deepEqual(idsOf(await find('idempotency-key-1')), [['deposit', deposit, 'idempotency_key']]);
    const action = await request(null, { subject: withdrawal, status: 409 });
    assert.deepEqual(
      (await find(action)).hits.map(({ id, request: { response_status: status } }) => [id, status]),
      [[withdrawal, 409]],
    );
  });

  it('by the trace id of a request that made no payment: what became of it', async () => {
    const refused = newId('withdrawal');
    await gateway.rows(
      `INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts,
        outcome, digest, decided_at)
       VALUES ($1, $2, 'creation', 1, '{}', '{}', '[]',
         '{"kind":"refuse","code":"player_blocked","reasons":["PLAYER_BLOCKED"]}', 'd', now())`,
      operation,
      refused,
    );
    const [hit] = (await find(await request(refused, { status: 422 }))).hits;
    assert.deepEqual(
      [hit.type, hit.id, hit.code, hit.reasons, hit.commands],
      ['refused_payment', refused, 'player_blocked', ['PLAYER_BLOCKED'], [`gateway decision show ${refused}`]],
    );
    const [undecided] = (await find(await request(newId('deposit'), { status: null, state: 'released' }))).hits;
    assert.deepEqual(
      [undecided.type, undecided.state, undecided.response_status, undecided.operation_id],
      ['request', 'released', null, operation],
    );
  });

  it('by a player’s reference: the operations that know the player', async () => {
    const { hits } = await find('player-1');
    assert.deepEqual(
      hits.map(({ type, operation_id: id }) => [type, id]).sort(),
      [
        ['player', operation],
        ['player', other],
      ].sort(),
    );
    assert.deepEqual(hits.find(({ operation_id: id }) => id === operation).commands, [
      `gateway player payments player-1 --operation ${operation}`,
    ]);
  });

  it('by every other id', async () => {
    await gateway.rows(
      `INSERT INTO webhook_delivery (operation_id, event_id, attempt, sent_at, response_status, duration_ms,
        next_attempt_at) VALUES ($1, $2, 1, now(), 500, 12, now())`,
      operation,
      event,
    );
    const change = newId('ruleChange');
    await gateway.rows(
      `INSERT INTO rule_change_request (id, operation_id, base_version, rules, justification, requested_by,
        decided_by) VALUES ($1, $2, 1, '{}', 'fewer', 'key_test_x', '{}')`,
      change,
      operation,
    );
    const live = await gateway.production();
    const [asked] = (await gateway.json('request', 'list', '--operation', live))['requests'];
    const cases: [string, string, string, RegExp][] = [
      [event, 'event', 'waiting', /event redeliver/],
      [operation, 'operation', 'active', /balance list --operation/],
      [key, 'key', 'fresh', /key list --operation/],
      [alert, 'alert', 'open', /find dep_/],
      [change, 'rule_change', 'pending_approval', /rules changes show chg_/],
      [asked.id, 'request_for_approval', 'pending', /request list/],
    ];
    for (const [id, type, status, command] of cases) {
      const [hit] = (await find(id)).hits;
      assert.deepEqual(
        [hit.type, hit.id, hit.status, hit.found_by],
        [type, id, status, [type === 'key' ? 'key_id' : 'id']],
      );
      assert.match(hit.commands[0], command);
    }
  });

  it('a payment whose workflow is gone says so, and how it is opened again', async () => {
    const lost = await insertDeposit(gateway, operation, { status: 'pending' });
    const {
      hits: [hit],
      temporal: asked,
    } = await find(lost);
    assert.deepEqual(
      [asked, hit.waits_for.for, hit.waits_for.source, hit.waits_for.problem],
      ['answered', 'payment', 'database', 'no_workflow'],
    );
    assert.equal(hit.waits_for.next, 'it expires');
    assert.equal(hit.commands[0], 'gateway workflow verify --refresh');
    const ended = (await find(withdrawal)).hits[0];
    assert.deepEqual([ended.waits_for.for, ended.waits_for.problem], ['nothing', null], 'one that is over needs none');
  });

  it('a payment whose workflow was ended by hand says so', async () => {
    const ended = await insertDeposit(gateway, operation, { status: 'under_review', movements: ['deposit_held'] });
    await temporal.client.start(DEPOSIT_WORKFLOW, {
      workflowId: ended,
      taskQueue: 'nobody',
      args: [{ kind: 'reopen', id: ended, operationId: operation }],
    });
    const open = (await find(ended)).hits[0];
    assert.deepEqual(
      [open.workflow.status, open.waits_for.problem, open.waits_for.for],
      ['running', 'no_worker_answers', 'review'],
      'no worker serves its queue',
    );
    await temporal.client.getHandle(ended).terminate();
    const hit = (await find(ended)).hits[0];
    assert.deepEqual(
      [hit.workflow.status, hit.waits_for.problem, hit.commands[0]],
      ['terminated', 'workflow_has_ended', 'gateway workflow verify --refresh'],
    );
  });

  it('without Temporal the database answers, and it is said', async () => {
    const away = await runWith({ ...gateway.environment, TEMPORAL_ADDRESS: '127.0.0.1:1' }, ['find', deposit]);
    const { temporal: answered, hits } = JSON.parse(away.stdout);
    assert.deepEqual([away.exitCode, answered], [0, 'no_answer']);
    const { for: what, source, problem } = hits[0].waits_for;
    assert.deepEqual([what, source, problem], ['review', 'database', 'temporal_does_not_answer']);
    const unset = await runWith({ ...gateway.environment, TEMPORAL_ADDRESS: '' }, ['find', deposit]);
    assert.deepEqual([unset.exitCode, JSON.parse(unset.stdout).temporal], [0, 'not_configured']);
  });

  it('nothing found is one line and exit code 1; a text of no form exit code 2; neither repeats the text', async () => {
    const nothing = /nothing is known under this text; it was looked up as an external id and a player’s reference/;
    await gateway.fails(1, nothing, 'find no-such-order');
    for (const text of [PERSONAL.name, PERSONAL.key, 'a'.repeat(201), '']) {
      const { stdout, stderr, exitCode } = await gateway.run('find', text);
      assert.deepEqual([exitCode, stdout, /^gateway: TEXT: [^\n]+\n$/.test(stderr)], [2, '', true]);
      assert.ok(text === '' || !stderr.includes(text));
    }
    await gateway.fails(2, /webhook secret, which is never looked up/, 'find', `whsec_${'a'.repeat(48)}`);
    assert.ok(!(await gateway.run('find', PERSONAL.document)).stderr.includes(PERSONAL.document));
  });

  it('on a terminal it is words', async () => {
    const { stdout } = await gateway.onTerminal('find', deposit);
    const [head, state, wait] = stdout.split('\n');
    assert.equal(head, `deposit ${deposit} (found by an id of ours)`);
    assert.match(state ?? '', /^ {2}state +under review, since .* \(\d+ (hour|minute|second)s?\)$/);
    assert.match(wait ?? '', /^ {2}waits for +review: A person must decide/);
    assert.match(stdout, /^ {2}open alert +EXTRA_PAYMENT since .*Return the second payment with /m);
    assert.match(stdout, new RegExp(`^ {2}next +gateway review show ${deposit}$`, 'm'));
    const away = await runWith({ ...gateway.environment, TEMPORAL_ADDRESS: '127.0.0.1:1' }, ['find', deposit], true);
    assert.match(away.stdout, /but +Temporal does not answer; this is what the database says/);
  });

  it('nothing personal is printed', async () => {
    for (const text of [deposit, withdrawal, event, 'order-1', 'player-1', E2E]) {
      for (const { stdout, stderr } of [await gateway.run('find', text), await gateway.onTerminal('find', text)]) {
        assert.notEqual(stdout, '');
        for (const value of [...Object.values(PERSONAL), 'sealed', 'hash'])
          assert.ok(!`${stdout}${stderr}`.includes(value), `find ${text} prints ${value}`);
      }
    }
  });
});
