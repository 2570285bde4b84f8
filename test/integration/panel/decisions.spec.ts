// What people decide in the panel, through the real workflows and the real database.
import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../../contract/temporal/workers.js';
import { exposition } from '../../../platform/telemetry/instruments.js';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { documentHash } from '../../../store/sealing/sealer.js';
import { placeOf } from '../../../store/sealing/places.js';
import type { TimeSkippingTemporal } from '../../support/temporal.js';
import { startPaymentWorkers } from '../cli/payment-workers.js';
import { insertDeposit, insertWithdrawal } from '../cli/payments.js';
import { createTestGateway, type TestGateway, testSealer } from '../cli/support.js';
import { cancelPayment } from '../../../staff/acts/payments.js';
import type { ActServices } from '../../../staff/acts/workflow-updates.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

describe('panel: decisions', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let ofWorker: Database;
  let temporal: TimeSkippingTemporal;
  let world: PanelWorld;
  let operationId: string;
  let rita: Person;
  let paulo: Person;

  before(async () => {
    gateway = await createTestGateway();
    const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    ofWorker = createDatabase({ url: gateway.urlOfRole('gateway_worker'), ...pool });
    const wait = { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 } as const;
    temporal = await startPaymentWorkers(ofWorker, {
      rules: { decideDispatch: async () => ({ verdict: wait, record: null }) },
    });
    const { connection } = temporal.environment;
    world = await createPanelWorld({
      gateway,
      temporal: new Client({ dataConverter: DATA_CONVERTER, connection }),
      reasonAboveMinor: 1_000_000n,
    });
    operationId = (await gateway.operation())['operation_id'];
    await insertDeposit(gateway, operationId, { status: 'paid', amount: '900000', movements: ['deposit_credited'] });
    rita = await world.person('rita', ['reviewer', 'risk_manager', 'admin']);
    paulo = await world.person('paulo', ['reviewer', 'risk_manager', 'approver']);
  });
  after(async () => {
    await world.close();
    await temporal.close();
    await ofWorker.$disconnect();
    await gateway.close();
  });

  const withdrawal = async (reasons: readonly string[]) => {
    const movements = ['withdrawal_reserved'] as const;
    const id = await insertWithdrawal(gateway, operationId, { status: 'under_review', reasons, movements });
    await temporal.client.start(WITHDRAWAL_WORKFLOW, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [{ kind: 'reopen', id, operationId }],
    });
    return id;
  };
  const deposit = async (reasons: readonly string[], paidAmount = '5000') => {
    const movements = ['deposit_held'] as const;
    const id = await insertDeposit(gateway, operationId, { status: 'under_review', paidAmount, reasons, movements });
    await gateway.rows(`UPDATE deposit SET end_to_end_id = 'E1', paid_at = now() WHERE id = $1`, id);
    await temporal.client.start(DEPOSIT_WORKFLOW, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [{ kind: 'reopen', id, operationId }],
    });
    return id;
  };
  const decide = (person: Person, id: string, decision: string, version = id.startsWith('dep_') ? 3 : 1) =>
    person.post(`/cases/${id}/decision`, { decision, reason: 'statement checked', version, confirm: id.slice(-4) });
  const acts = async (id: string) =>
    (await gateway.rows('SELECT * FROM staff_act WHERE subject_id = $1 ORDER BY created_at', id)).map(
      ({ staff_handle, kind, means, session_id, outcome }) =>
        `${String(staff_handle)} ${String(kind)} ${String(means)} ${session_id === null ? 'no session' : 'session'} ${String(outcome)}`,
    );

  it('a deposit under review is approved: paid, by an act of the session', async () => {
    const id = await deposit(['PAYER_UNKNOWN']);
    const shown = (await rita.get(`/cases/${id}`)).body;
    assert.deepEqual(shown['acts']['approve'], { possible: true, why_not: null, confirm: id.slice(-4) });
    assert.deepEqual(shown['reasons'], [{ from: 'rules', code: 'PAYER_UNKNOWN', compared: null }]);
    assert.equal(shown['payer']['same_document'], true);
    const { body } = await decide(rita, id, 'approve');
    assert.deepEqual([body['outcome'], body['status'], body['version']], ['done', 'paid', 4]);
    assert.deepEqual(await acts(id), ['rita deposit.approve link session done']);
    const page = (await rita.get(`/payments/${id}`)).body;
    assert.equal(page['status'], 'paid');
    assert.ok(page['ledger'].length >= 2 && page['ledger'].every((transfer: Json) => transfer['sums_to_zero']));
    assert.deepEqual(
      page['decided'].map(({ person, decision }: Json) => [person, decision]),
      [['rita', 'approve']],
    );
  });

  it('a payment’s page has the traces of the request that made it, and where they are looked at', async () => {
    const id = await deposit(['PAYER_UNKNOWN']);
    const [one, other] = ['1'.repeat(32), '2'.repeat(32)];
    await gateway.rows(
      `INSERT INTO idempotency_key (operation_id, key, fingerprint, token, state, locked_at, created_at, object_id, trace_ids)
       SELECT operation_id, 'made-it', '\\x00', gen_random_uuid(), 'finished', now(), created_at - interval '1 second', id,
         ARRAY[$2, $3] FROM deposit WHERE id = $1`,
      id,
      one,
      other,
    );
    const at = (trace: string) => ({ id: trace, url: `http://127.0.0.1:16686/trace/${trace}` });
    assert.deepEqual((await rita.get(`/payments/${id}`)).body['traces'], [at(one), at(other)]);
    await gateway.rows('DELETE FROM idempotency_key WHERE object_id = $1', id);
    assert.deepEqual((await rita.get(`/payments/${id}`)).body['traces'], []);
  });

  it('what moves money is confirmed by typing the end of its id', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    for (const confirm of [undefined, '', 'zzzz']) {
      const order = { decision: 'approve', reason: '', version: 1, ...(confirm === undefined ? {} : { confirm }) };
      assert.equal((await rita.post(`/cases/${id}/decision`, order)).body['code'], 'not_confirmed');
    }
    assert.deepEqual(await acts(id), []);
  });

  it('two people for a withdrawal that needs two; the same person is refused', async () => {
    const id = await withdrawal(['DUAL_APPROVAL_REQUIRED']);
    const first = (await decide(rita, id, 'approve')).body;
    assert.deepEqual([first['outcome'], first['status'], first['approvals']['needed']], ['noted', 'under_review', 2]);
    const again = (await decide(rita, id, 'approve')).body;
    assert.deepEqual([again['code'], again['now']['decisions'][0]['person']], ['same_person', 'rita']);
    assert.equal((await rita.get(`/cases/${id}`)).body['acts']['approve']['why_not'], 'approved_before');
    const second = (await decide(paulo, id, 'approve')).body;
    assert.deepEqual([second['outcome'], second['status']], ['done', 'approved']);
    assert.deepEqual(
      second['approvals']['given'].map(({ person }: Json) => person),
      ['rita', 'paulo'],
    );
  });

  it('a version that changed since is not decided', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const { status, body } = await decide(rita, id, 'approve', 7);
    assert.deepEqual([status, body['code'], body['now']['version']], [409, 'stale', 1]);
    assert.equal((await rita.get(`/payments/${id}`)).body['status'], 'under_review');
  });

  it('two approve at once: one does it, the other sees who did', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const replies = await Promise.all([decide(rita, id, 'approve'), decide(paulo, id, 'approve')]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    const refused = replies.find(({ status }) => status === 409)?.body;
    assert.ok(['other_state', 'stale'].includes(refused?.['code']), refused?.['code']);
    assert.equal(refused?.['now']['decisions'].length, 1);
    assert.equal((await acts(id)).filter((act) => act.endsWith('done')).length, 1);
  });

  it('another amount than charged cannot be approved', async () => {
    const id = await deposit(['AMOUNT_MISMATCH'], '4000');
    assert.equal((await rita.get(`/cases/${id}`)).body['acts']['approve']['why_not'], 'amount_mismatch');
    assert.equal((await decide(rita, id, 'approve')).body['code'], 'amount_mismatch');
  });

  it('cancelled while somebody decides: the decision is refused, and says what it is now', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const order = { act: 'cancel', reason: 'asked by the operator', version: 1 };
    const cancelled = (await paulo.post(`/payments/${id}/acts`, order)).body;
    assert.deepEqual([cancelled['outcome'], cancelled['status']], ['done', 'cancelled']);
    const { body } = await decide(rita, id, 'approve');
    assert.deepEqual([body['code'], body['now']['status']], ['other_state', 'cancelled']);
    assert.deepEqual(await acts(id), ['paulo withdrawal.cancel link session done']);
    const [entry, ...others] = await gateway.rows(
      `SELECT person, detail FROM audit_entry WHERE action = 'withdrawal.cancel' AND subject = $1`,
      id,
    );
    assert.deepEqual([entry?.['person'], others], ['paulo', []]);
    const { reason, version, means, address } = JSON.parse(String(entry?.['detail'])) as Json;
    assert.deepEqual([reason, version, means, address], ['asked by the operator', 2, 'link', '127.0.0.1']);
    assert.deepEqual((await rita.get(`/payments/${id}`)).body['decided'], [], 'operators see no person');
  });

  const byPaulo = { handle: 'paulo', means: 'claim', sessionId: null } as const;

  /** Somebody else acts between a person's click, whose page was compared with the row, and the workflow. */
  const servicesAfter = (meanwhile: () => Promise<unknown>): ActServices => ({
    database: world.database,
    withTemporal: async (work) => {
      await meanwhile();
      return work(new Client({ dataConverter: DATA_CONVERTER, connection: temporal.environment.connection }));
    },
  });
  const cancelAfter = (id: string, meanwhile: () => Promise<unknown>) => {
    const act = { kind: 'withdrawal', id, reason: 'asked by the operator', seenVersion: 1 } as const;
    return cancelPayment(servicesAfter(meanwhile), byPaulo, act);
  };

  it('a withdrawal that is approved between the click and its cancel stays approved', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const { kind } = await cancelAfter(id, () => decide(rita, id, 'approve'));
    assert.equal(kind, 'subject_changed');
    assert.equal((await rita.get(`/payments/${id}`)).body['status'], 'approved');
    assert.deepEqual(await acts(id), [
      'rita withdrawal.approve link session done',
      'paulo withdrawal.cancel claim no session refused',
    ]);
    const now = { act: 'cancel', reason: 'asked by the operator', version: 2 };
    assert.equal((await paulo.post(`/payments/${id}/acts`, { ...now, version: 1 })).body['code'], 'stale');
    assert.equal((await paulo.post(`/payments/${id}/acts`, now)).body['status'], 'cancelled');
    assert.equal((await paulo.post(`/payments/${id}/acts`, now)).body['code'], 'other_state');
  });

  it('shows what its workflow waits for', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const { body } = await rita.get(`/payments/${id}/wait`);
    assert.equal(body['for'], 'review');
    assert.match(String(body['temporal_url']), new RegExp(id));
  });

  it('a lost payout is written off by two people who name the same evidence', async () => {
    const id = await insertWithdrawal(gateway, operationId, { status: 'approved', movements: ['withdrawal_reserved'] });
    await gateway.rows(
      `INSERT INTO payout_send (withdrawal_id, reference, state, cleared_at, attempt, claimed_at, traceless_look_ups,
         traceless_since, traceless_last_at)
       VALUES ($1, $2, 'claimed', now() - interval '30 hours', 'attempt', now() - interval '30 hours', 12,
         now() - interval '26 hours', now())`,
      id,
      `P${id.slice(-30)}`,
    );
    await temporal.client.start(WITHDRAWAL_WORKFLOW, {
      workflowId: id,
      taskQueue: TASK_QUEUES.payments,
      args: [{ kind: 'reopen', id, operationId }],
    });
    const writeOff = (person: Person, evidence: string) =>
      person.post(`/payments/${id}/acts`, {
        act: 'write_off',
        reason: 'the provider has no trace',
        evidence,
        version: 1,
        confirm: id.slice(-4),
      });
    const shown = (await rita.get(`/payments/${id}`)).body['acts']['write_off'];
    assert.deepEqual(shown, { possible: true, why_not: null, confirm: id.slice(-4) });
    const first = (await writeOff(rita, 'ticket 4711')).body;
    assert.deepEqual([first['outcome'], first['status']], ['requested', 'approved'], JSON.stringify(first));
    assert.equal((await writeOff(rita, 'ticket 4711')).body['code'], 'same_person');
    assert.equal((await writeOff(paulo, 'ticket 4712')).body['code'], 'other_evidence');
    const second = (await writeOff(paulo, 'ticket 4711')).body;
    assert.deepEqual([second['outcome'], second['status']], ['done', 'failed'], JSON.stringify(second));
    const [row] = await gateway.rows('SELECT status, failure_code FROM withdrawal WHERE id = $1', id);
    assert.deepEqual([row?.['status'], row?.['failure_code']], ['failed', 'psp_never_accepted']);
    const page = (await rita.get(`/payments/${id}`)).body;
    assert.ok(page['ledger'].every((transfer: Json) => transfer['sums_to_zero']));
  });

  it('a look-up says what the books have by the provider’s answer, and whether it changed anything', async () => {
    const id = await deposit(['PAYER_MISMATCH'], '4200');
    const { status, body, text } = await rita.post(`/payments/${id}/acts`, { act: 'look_up' });
    assert.equal(status, 200, text);
    const { paid_at: paidAt } = (await rita.get(`/payments/${id}`)).body;
    assert.deepEqual(body, {
      ...{ outcome: 'done', status: 'under_review', version: 3 },
      looked_up: {
        ...{ is_changed: false, amount: { amount: '4200', currency: 'BRL' }, at: paidAt, failure_code: null },
      },
    });
  });

  it('what people decide is counted, and how long it waited is measured', async () => {
    const scrape = exposition('panel');
    const valueOf = async (series: string) =>
      Number(
        (await scrape())
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length) ?? 0,
      );
    const counted = (outcome: string) =>
      `gateway_panel_decisions_total{kind="withdrawal",decision="approve",outcome="${outcome}"}`;
    const waited = 'gateway_panel_review_seconds_sum{kind="withdrawal"}';
    const [done, noted, refused] = [counted('done'), counted('noted'), counted('not_confirmed')];
    const before = await Promise.all([done, noted, refused, waited].map(valueOf));
    const id = await withdrawal(['DUAL_APPROVAL_REQUIRED']);
    await gateway.rows(`UPDATE withdrawal SET review_since = now() - interval '10 minutes' WHERE id = $1`, id);
    const order = { decision: 'approve', reason: '', version: 1, confirm: 'zzzz' };
    await rita.post(`/cases/${id}/decision`, order);
    await decide(rita, id, 'approve');
    await decide(paulo, id, 'approve');
    const after = await Promise.all([done, noted, refused, waited].map(valueOf));
    const [ofDone, ofNoted, ofRefused, seconds] = after.map((value, index) => value - (before[index] ?? 0));
    assert.deepEqual([ofDone, ofNoted, ofRefused], [1, 1, 1]);
    assert.ok(seconds !== undefined && seconds >= 600 && seconds < 660, `waited ${seconds} s`);
  });

  it('a refusal blocks the player and the document as well, for a time and for its reason; a reviewer may', async () => {
    const ana = await world.person('bea', ['reviewer']);
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    const order = { reason: 'a ring of accounts', version: 1, confirm: id.slice(-4), block: ['player', 'document'] };
    const approval = await ana.post(`/cases/${id}/decision`, { ...order, decision: 'approve' });
    assert.equal(approval.body['code'], 'invalid');
    const { body } = await ana.post(`/cases/${id}/decision`, { ...order, decision: 'refuse', block_days: 30 });
    assert.deepEqual([body['outcome'], body['blocked']], ['done', ['player', 'document']]);
    const { items } = (await paulo.get(`/lists/${operationId}?list=block`)).body;
    assert.deepEqual(
      items.map(({ kind, added_by: by, reason }: Json) => [kind, by, reason]),
      ['player', 'document'].map((kind) => [kind, 'bea', 'a ring of accounts']),
    );
    const days = items.map(({ expires_at: at }: Json) => Math.round((Date.parse(at) - Date.now()) / 86_400_000));
    assert.deepEqual(days, [30, 30]);
    const audited = await gateway.rows(
      `SELECT detail::json->>'reason' AS reason FROM audit_entry WHERE person = 'bea' AND action = 'list.add'`,
    );
    assert.deepEqual(
      audited.map(({ reason }) => reason),
      ['a ring of accounts', 'a ring of accounts'],
    );
    await gateway.rows('DELETE FROM list_entry');
  });

  it('a return blocks whoever paid, by their document, and leaves the player; of a masked document nothing', async () => {
    const block = async (number: string) => {
      const id = await deposit(['PAYER_MISMATCH']);
      const payer = { document: { type: 'CPF', number, country: 'BR' }, name: 'JOANA PRADO', matchesPlayer: false };
      const place = placeOf('deposit.payer_sealed', operationId, { id });
      const sealed = testSealer.sealBytes(place, Buffer.from(JSON.stringify(payer)));
      const endToEndId = `E60746948202611011200${id.slice(-11)}`;
      const values = [id, sealed, endToEndId];
      await gateway.rows('UPDATE deposit SET payer_sealed = $2, end_to_end_id = $3 WHERE id = $1', ...values);
      const { payer: shown } = (await rita.get(`/cases/${id}`)).body;
      const order = { reason: 'somebody else paid', version: 3, confirm: id.slice(-4), block: ['payer'] };
      const { body } = await rita.post(`/cases/${id}/decision`, { ...order, decision: 'return' });
      const rows = await gateway.rows(`SELECT kind, encode(value_hash, 'hex') AS hash FROM list_entry`);
      await gateway.rows('DELETE FROM list_entry');
      return { shown: [shown.same_document, shown.bank_ispb], blocked: body['blocked'], rows };
    };
    const hash = Buffer.from(documentHash(testSealer, operationId, '11144477735')).toString('hex');
    const whole = await block('11144477735');
    assert.deepEqual(whole, {
      ...{ shown: [false, '60746948'], blocked: ['payer'], rows: [{ kind: 'document', hash }] },
    });
    assert.deepEqual(await block('***444777**'), { shown: [null, '60746948'], blocked: [], rows: [] });
  });

  it('an approval above the threshold needs a reason', async () => {
    const id = await withdrawal(['FIRST_WITHDRAWAL']);
    await gateway.rows('UPDATE withdrawal SET amount_minor = 1000001 WHERE id = $1', id);
    assert.equal((await rita.get(`/cases/${id}`)).body['reason_needed'], true);
    const order = { decision: 'approve', reason: '', version: 1, confirm: id.slice(-4) };
    assert.equal((await rita.post(`/cases/${id}/decision`, order)).body['code'], 'reason_needed');
    await gateway.rows('UPDATE withdrawal SET amount_minor = 1000000 WHERE id = $1', id);
    assert.equal((await rita.get(`/cases/${id}`)).body['reason_needed'], false);
  });

  it('the figures of a shift: who decided what, how fast, what was a mistake or overturned, and what waits', async () => {
    const [ana, ivo] = [await world.person('ana', ['reviewer']), await world.person('ivo', ['reviewer'])];
    const reason = 'PLAYER_UNKNOWN_HERE';
    const [fast, slow, both] = [await withdrawal([reason]), await withdrawal([reason]), await withdrawal([reason])];
    await withdrawal([reason]);
    await gateway.rows(`UPDATE withdrawal SET review_since = now() - interval '20 minutes' WHERE id = $1`, slow);
    await gateway.rows(`UPDATE withdrawal SET decision_reasons = decision_reasons || $2 WHERE id = $1`, both, [
      'DUAL_APPROVAL_REQUIRED',
    ]);
    await decide(ana, fast, 'approve');
    await decide(ana, slow, 'refuse');
    await decide(ana, both, 'approve');
    await decide(ivo, both, 'refuse');
    const flag = (person: Person) => person.post(`/cases/${slow}/work`, { act: 'flag' });
    assert.deepEqual([(await flag(ivo)).body['code'], (await flag(ana)).status], ['not_yours', 200]);
    const shift = (await paulo.get(`/shift?operation=${operationId}`)).body;
    const ofAna = shift['people'].find(({ person }: Json) => person === 'ana');
    const { median_seconds: median, ...counts } = ofAna;
    assert.deepEqual(counts, { person: 'ana', approved: 2, refused: 1, overturned: 1, flagged: 1 });
    assert.ok(median < 60, `half of three within ${median} s`);
    const { median_seconds: ofReason, ...decided } = shift['reasons'].find(({ code }: Json) => code === reason);
    assert.deepEqual(decided, { code: reason, approved: 2, refused: 2, waiting: 1 });
    assert.ok(ofReason >= 0);
    const flagged = shift['flagged'].map(({ payment_id: id, person }: Json) => [id, person]);
    assert.deepEqual(flagged, [[slow, 'ana']]);
    const elsewhere = await world.person('eva', [
      { role: 'reviewer', operationId: (await gateway.operation())['operation_id'] },
    ]);
    const { people, reasons, waiting, flagged: none } = (await elsewhere.get('/shift?hours=168')).body;
    assert.deepEqual([people, reasons, waiting, none], [[], [], 0, []]);
  });
});

type Json = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- answers of the panel
