// Deposits in a real PostgreSQL: all or nothing, once, and in an order that readers can rely on.
import assert from 'node:assert/strict';
import pino from 'pino';
import { raiseAlert } from '../../../activities/alerts.js';
import { alertOf } from '../../../domain/alert-records.js';
import { consequencesOf, type PaymentFinding } from '../../../domain/payments/charge-findings.js';
import { type DepositChange, newRecord } from '../../../domain/payments/deposit-record.js';
import { newId } from '../../../domain/identifiers.js';
import { defaultRuleSet } from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';
import { insertDeposit } from '../../../store/payments/deposit/insert.js';
import { type DepositRow, readDeposit } from '../../../store/payments/deposit/read.js';
import { storeDepositChange } from '../../../store/payments/deposit/transition.js';
import { moveCash } from '../../../store/ledger/cash-movements.js';
import { checkLedger } from '../../../store/ledger/check.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { inTransaction } from '../../../store/transactions.js';
import {
  AT,
  balances,
  createdDeposit,
  depositOrder,
  openStore,
  payment,
  pendingDeposit,
  publishedOf,
  sealedPayer,
  useStore,
} from './fixtures.js';
import { placeOf } from '../../../store/sealing/places.js';

/** What an alert says is of no account here. */
const { detail: DETAIL } = alertOf('LATE_PAYMENT', 'paid', { payment: 'dep_1', status: 'expired' });
const LATER = '2026-11-21T12:00:04.000Z';

describe('store: deposits', () => {
  const fixture = useStore();

  const insert = (order = depositOrder(fixture), decision: DecisionRecord | null = null) =>
    insertDeposit(fixture.database, fixture.sealer, {
      order,
      record: newRecord(createdDeposit(order)),
      playerRevision: null,
      decision,
      environment: 'sandbox',
    });
  const payerOf = ({ record: { snapshot } }: DepositRow) => sealedPayer(fixture.sealer, snapshot);
  const pending = (order = depositOrder(fixture)) => pendingDeposit(fixture.database, fixture.sealer, order);
  const read = async (id: string) => {
    const kept = await readDeposit(fixture.database, { id, operationId: fixture.operationId });
    assert.ok(kept);
    return kept;
  };
  const change = (kept: DepositRow, made: DepositChange, at = AT) =>
    storeDepositChange(
      { database: fixture.database, sealer: fixture.sealer },
      { row: kept, change: made, at, decision: null },
    );
  const pay = (kept: DepositRow, endToEndId = `E${kept.record.snapshot.id}`) => {
    const write = payment(fixture, kept);
    const fields = { ...write.change.fields, endToEndId };
    const store = { database: fixture.database, sealer: fixture.sealer };
    return storeDepositChange(store, { ...write, change: { ...write.change, fields } });
  };

  function decisionOn(objectId: string, stage: 'creation' | 'payment'): DecisionRecord {
    const thresholds = thresholdsOf(defaultRuleSet(1), 'BRL');
    const { operationId } = fixture;
    const outcome = { kind: stage === 'creation' ? 'accept' : 'credit' };
    return { operationId, objectId, stage, ruleSetVersion: 1, facts: {}, thresholds, reports: [], outcome, at: AT };
  }

  it('inserts a deposit once: a repeat finds it and changes nothing', async () => {
    const order = depositOrder(fixture);
    assert.equal((await insert(order)).kind, 'inserted');
    assert.equal((await insert(order)).kind, 'found');
    const { proof: _, ...kept } = order;
    assert.deepEqual(await read(order.id), {
      record: newRecord(createdDeposit(order)),
      order: kept,
      clock: null,
      sealedPayer: null,
    });
  });

  it('of 40 insertions with one external_id exactly one wins, and the others name it', async () => {
    const orders = Array.from({ length: 40 }, () => depositOrder(fixture, { externalId: 'order-1' }));
    const results = await Promise.all(orders.map((order) => insert(order)));
    const [row] = await fixture.database.deposit.findMany();
    assert.equal(results.filter(({ kind }) => kind === 'inserted').length, 1);
    const others = results.filter(({ kind }) => kind !== 'inserted');
    assert.deepEqual(others, Array(39).fill({ kind: 'duplicate', existingId: row?.id }));
  });

  it('fixes the player’s document at first use', async () => {
    await insert();
    assert.deepEqual(await insert(depositOrder(fixture, { document: '11144477735' })), { kind: 'document_mismatch' });
    assert.equal(await fixture.database.deposit.count(), 1);
  });

  it('stores the decision to accept it with the row only, and once', async () => {
    const [first, second] = [
      depositOrder(fixture, { externalId: 'order-1' }),
      depositOrder(fixture, { externalId: 'order-1' }),
    ];
    await insert(first, decisionOn(first.id, 'creation'));
    await insert(first, decisionOn(first.id, 'creation'));
    await insert(second, decisionOn(second.id, 'creation'));
    const decisions = await fixture.database.decision.findMany();
    assert.deepEqual(
      decisions.map(({ objectId, stage }) => [objectId, stage]),
      [[first.id, 'creation']],
    );
  });

  it('reads no deposit of another operation', async () => {
    const { id } = (await pending()).record.snapshot;
    await assert.rejects(readDeposit(fixture.database, { id, operationId: 'op_other' }), { name: 'MissingRowError' });
  });

  it('resolves the alerts of its own deposit and of the kinds that it names, and no others', async () => {
    const [mine, other] = [await pending(), await pending()];
    const raise = (kind: 'CHARGE_UNANSWERED' | 'LATE_PAYMENT', objectId: string) =>
      raiseAlert(fixture.database, pino({ level: 'silent' }), {
        kind,
        detail: DETAIL,
        occasion: null,
        operationId: fixture.operationId,
        objectId,
        at: AT,
      });
    for (const {
      record: { snapshot },
    } of [mine, other])
      for (const kind of ['CHARGE_UNANSWERED', 'LATE_PAYMENT'] as const) await raise(kind, snapshot.id);
    await change(mine, { trigger: 'cancel', resolves: ['CHARGE_UNANSWERED'] });
    const resolved = await fixture.database.alert.findMany({ where: { resolvedAt: { not: null } } });
    assert.deepEqual(
      resolved.map(({ kind, objectId }) => [kind, objectId]),
      [['CHARGE_UNANSWERED', mine.record.snapshot.id]],
    );
    assert.equal(await fixture.database.alert.count(), 4);
  });

  it('stores row, event and both ledger entries together, and what it answers is what it stored', async () => {
    const kept = await pending();
    const written = await pay(kept);
    const stored = await read(kept.record.snapshot.id);
    assert.deepEqual(written, stored);
    assert.deepEqual(await publishedOf(fixture, kept.record.snapshot.id), ['deposit.pending', 'deposit.paid']);
    assert.deepEqual(
      [stored.record.snapshot.status, stored.record.snapshot.version, stored.record.revision],
      ['paid', 3, 3],
    );
    assert.equal(await fixture.database.ledgerEntry.count(), 2);
    assert.deepEqual(await balances(fixture), { available: '5000', provider_clearing: '-5000' });
  });

  it('counts one PIX once: the second deposit that claims it is not credited, and learns whose it is', async () => {
    const [first, second] = [await pending(), await pending()];
    const one = await pay(first, 'E1');
    assert.equal(one?.record.snapshot.status, 'paid');
    await assert.rejects(pay(second, 'E1'), { name: 'MovementTakenError', bankId: 'E1', by: first.record.snapshot.id });
    const kept = await read(second.record.snapshot.id);
    assert.deepEqual([kept.record.snapshot.status, kept.record.revision], ['pending', second.record.revision]);
    assert.deepEqual(await publishedOf(fixture, second.record.snapshot.id), ['deposit.pending']);
    assert.deepEqual(await balances(fixture), { available: '5000', provider_clearing: '-5000' });
    const [both, third] = [await pending(), await pending()];
    const results = await Promise.allSettled([pay(both, 'E2'), pay(third, 'E2')]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'also at the same moment');
    const late: DepositChange = {
      trigger: null,
      extraPayment: 'E1',
      suspense: { of: 'E1', amountMinor: 5000n, paidAt: AT, sealedPayer: payerOf(second) },
    };
    await assert.rejects(change(second, late), { name: 'MovementTakenError' }, 'nor is it held in suspense');
  });

  it('of ten writes from one reading one is stored, and the others change nothing', async () => {
    const kept = await pending();
    const decision = decisionOn(kept.record.snapshot.id, 'payment');
    const writes = [
      ...Array.from({ length: 5 }, () => ({ ...payment(fixture, kept), decision })),
      ...Array.from(
        { length: 5 },
        () => ({ row: kept, change: { trigger: 'cancel' }, at: AT, decision: null }) as const,
      ),
    ];
    const written = await Promise.all(
      writes.map((write) => storeDepositChange({ database: fixture.database, sealer: fixture.sealer }, write)),
    );
    assert.equal(written.filter((one) => one !== null).length, 1);
    const stored = await read(kept.record.snapshot.id);
    const isPaid = stored.record.snapshot.status === 'paid';
    assert.equal(stored.record.revision, 3);
    assert.equal(await fixture.database.event.count(), 2);
    assert.equal(await fixture.database.ledgerEntry.count(), isPaid ? 2 : 0);
    assert.equal(await fixture.database.decision.count(), isPaid ? 1 : 0);
  });

  it('records a late payment without changing the state, once, without version or event; the revision rises', async () => {
    const expired = await change(await pending(), { trigger: 'expiry' });
    assert.ok(expired);
    const { id } = expired.record.snapshot;
    const late: DepositChange = {
      trigger: null,
      fields: { paidAmountMinor: 5000n, paidAt: AT, endToEndId: 'E2E', latePayment: true },
      suspense: { of: 'E2E', amountMinor: 5000n, paidAt: AT, sealedPayer: payerOf(expired) },
      alert: { kind: 'LATE_PAYMENT', detail: DETAIL, occasion: 'E2E' },
    };
    assert.ok(await change(expired, late));
    assert.equal(await change(expired, late), null);
    const kept = await read(id);
    const { status, version, latePayment } = kept.record.snapshot;
    assert.deepEqual([status, version, latePayment, kept.record.revision], ['expired', 3, true, 4]);
    assert.deepEqual(await balances(fixture), { provider_clearing: '-5000', suspense: '5000' });
    assert.equal(await fixture.database.alert.count(), 1);
    assert.equal(await fixture.database.event.count(), 2);
  });

  it('books a return out of suspense once, whoever enters or reports it, and takes it from where its money is', async () => {
    const expired = await change(await pending(), { trigger: 'expiry' });
    assert.ok(expired);
    const late: DepositChange = {
      trigger: null,
      fields: { paidAmountMinor: 5000n, paidAt: AT, endToEndId: 'E2E', latePayment: true },
      suspense: { of: 'E2E', amountMinor: 5000n, paidAt: AT, sealedPayer: payerOf(expired) },
    };
    const seen = await change(expired, late);
    assert.ok(seen);
    const enter = (kind: 'suspense_returned' | 'suspense_credited', amount: string, returnId?: string) =>
      inTransaction(fixture.database, (transaction) =>
        moveCash(
          transaction,
          {
            ...{ operationId: fixture.operationId, kind, amount: { amount, currency: 'BRL' }, document: 'E2E' },
            ...{ reason: 'as written', returnId: returnId ?? null, provider: 'simulator', to: null },
          },
          { requestedBy: 'ana', approval: null },
        ),
      );
    const returnId = `D${'1'.repeat(31)}`;
    const reported = (reference: string, amountMinor: bigint, id?: string): PaymentFinding['reversals'][number] => ({
      ...{ kind: 'refund', amountMinor, reference, state: 'done', at: LATER },
      ...(id === undefined ? {} : { returnId: id }),
    });
    const report = async (...reversals: PaymentFinding['reversals']) => {
      let kept = await read(seen.record.snapshot.id);
      const payments: PaymentFinding[] = [
        {
          ...{ endToEndId: 'E2E', amountMinor: 5000n, paidAt: AT, payerMatch: 'match', sealedPayer: '' },
          ...{ feeMinor: null, reversals },
        },
      ];
      const { changes } = consequencesOf(kept.record, { status: 'paid', payments }, { kind: 'silent' }, LATER);
      for (const next of changes) {
        const after = await change(kept, next);
        assert.ok(after);
        kept = after;
      }
      return changes.length;
    };
    assert.equal((await enter('suspense_returned', '2000', returnId)).kind, 'done');
    const stale = {
      of: 'E2E',
      reference: 'R9',
      amountMinor: 2000n,
      kind: 'refund',
      at: LATER,
      saidBy: 'provider',
    } as const;
    assert.equal(await change(seen, { trigger: null, returned: stale }), null, 'a step that was decided before it');
    assert.equal(await report(reported('R1', 2000n, returnId)), 1, 'the report confirms it');
    assert.equal(await report(reported('R1', 2000n, returnId)), 0);
    assert.equal((await enter('suspense_returned', '2000', returnId)).kind, 'not_in_suspense');
    assert.equal((await enter('suspense_credited', '2500')).kind, 'done');
    assert.deepEqual(await balances(fixture), { available: '2500', provider_clearing: '-3000', suspense: '500' });
    await report(reported('R1', 2000n, returnId), reported('R2', 3000n));
    assert.deepEqual(await balances(fixture), { available: '0', provider_clearing: '0', suspense: '0' });
    assert.equal((await enter('suspense_credited', '1')).kind, 'not_in_suspense');
    const { problems } = await checkLedger(fixture.database, fixture.operationId);
    assert.deepEqual(problems, []);
  });

  it('keeps extra payments, what went back, and a return request until a transition ends it', async () => {
    const whole = { of: 'E1', amountMinor: 5000n, returnedBeforeMinor: 0n };
    const request = { actId: 'act-1', person: 'ana', reason: 'another payer', at: LATER, ...whole };
    const reviewed = await change(await pending(), {
      trigger: 'payment_in_doubt',
      fields: { paidAmountMinor: 5000n, paidAt: AT, endToEndId: 'E1', reviewReasons: ['PAYER_MISMATCH'] },
    });
    assert.ok(reviewed);
    const requested = await change(reviewed, { trigger: null, returnRequest: request });
    assert.ok(requested);
    const part = (amountMinor: bigint, reference: string) =>
      ({ of: 'E1', reference, amountMinor, kind: 'refund', at: LATER, saidBy: 'provider' }) as const;
    const extra = await change(requested, { trigger: null, extraPayment: 'E2', returned: part(100n, 'R1') });
    assert.ok(extra);
    const { id } = extra.record.snapshot;
    const kept = await read(id);
    assert.deepEqual(
      [kept.record.returnRequest, kept.record.extraPayments, kept.record.revision],
      [request, ['E2'], 5],
    );
    await change(kept, { trigger: 'return', returned: part(4900n, 'R2') });
    const returned = await read(id);
    assert.deepEqual([returned.record.snapshot.status, returned.record.returnRequest], ['returned', null]);
    assert.deepEqual(
      [returned.record.extraPayments, returned.record.returnedParts],
      [
        ['E2'],
        [
          { of: 'E1', reference: 'R1', amountMinor: 100n },
          { of: 'E1', reference: 'R2', amountMinor: 4900n },
        ],
      ],
    );
    assert.deepEqual(await balances(fixture), { pending_in: '0', provider_clearing: '0' });
  });

  it('raises an alert once of its occasion, of a condition once while it is open, and never drops another one', async () => {
    const logger = pino({ level: 'silent' });
    const about = { operationId: fixture.operationId, objectId: newId('deposit'), at: AT, detail: DETAIL };
    const raise = (kind: 'EXTRA_PAYMENT' | 'CHARGE_UNANSWERED', occasion: string | null) =>
      raiseAlert(fixture.database, logger, { ...about, kind, occasion });
    const resolveAll = () =>
      fixture.database.alert.updateMany({ where: { objectId: about.objectId }, data: { resolvedAt: new Date() } });
    const count = () => fixture.database.alert.count({ where: { objectId: about.objectId } });
    for (const occasion of ['E1', 'E2', 'E1']) await raise('EXTRA_PAYMENT', occasion);
    for (const _ of [1, 2]) await raise('CHARGE_UNANSWERED', null);
    assert.equal(await count(), 3);
    await resolveAll();
    await raise('EXTRA_PAYMENT', 'E2');
    assert.equal(await count(), 3, 'the repeat of an occasion is the same alert');
    await raise('CHARGE_UNANSWERED', null);
    assert.equal(await count(), 4, 'a condition that holds again is another alert');
  });

  it('keeps the payer unreadable in the row and in the event', async () => {
    await pay(await pending());
    const [row] = await fixture.database.deposit.findMany();
    const [, event] = await fixture.database.event.findMany({ orderBy: { sequence: 'asc' } });
    const bytes = Buffer.concat(
      [row?.payerSealed, row?.requestSealed, event?.bodySealed].map((part) => Buffer.from(part ?? [])),
    );
    assert.ok(bytes.length > 0 && !bytes.includes('52998224725') && !bytes.includes('Ana'));
    const place = placeOf('event.body_sealed', fixture.operationId, { id: event?.id ?? '' });
    const body = JSON.parse(
      fixture.sealer.openBytes(place, event?.bodySealed ?? new Uint8Array()).toString('utf8'),
    ) as {
      data: { object: { payer: { name: string } } };
    };
    assert.equal(body.data.object.payer.name, 'Ana');
  });

  it('does not write the payer again: a resealing meanwhile stays, and the event shows the payer', async () => {
    const paid = await pay(await pending());
    assert.ok(paid);
    const { id, operationId } = paid.record.snapshot;
    const place = placeOf('deposit.payer_sealed', operationId, { id });
    const resealed = fixture.sealer.sealBytes(
      place,
      fixture.sealer.openBytes(place, Buffer.from(paid.sealedPayer ?? '', 'base64url')),
    );
    await fixture.database.deposit.update({ where: { id }, data: { payerSealed: resealed } });
    assert.ok(await change(paid, { trigger: 'refund' }));
    const row = await fixture.database.deposit.findUniqueOrThrow({ where: { id } });
    assert.deepEqual(Buffer.from(row.payerSealed ?? []), Buffer.from(resealed));
    assert.ok(row.payerDocumentHash);
  });

  it('writes a person’s act to the audit trail with its change, and not without it', async () => {
    const reviewed = await change(await pending(), {
      trigger: 'payment_in_doubt',
      fields: { paidAmountMinor: 5000n, paidAt: AT, endToEndId: 'E1', reviewReasons: ['PAYER_UNKNOWN'] },
    });
    assert.ok(reviewed);
    const act = { person: 'ana', decision: 'approve', reason: 'checked', at: LATER } as const;
    const approved: DepositChange = {
      trigger: 'approve',
      fields: { decidedBy: [{ ...act, actId: 'act-1' }] },
      act: { ...act, number: 1 },
    };
    assert.ok(await change(reviewed, approved, LATER));
    assert.equal(await change(reviewed, { ...approved, act: { ...act, person: 'ben', number: 1 } }, LATER), null);
    const entries = await fixture.database.auditEntry.findMany();
    assert.deepEqual(
      entries.map(({ person, action, detail }) => [person, action, detail]),
      [['ana', 'deposit.approve', '{"reason":"checked","version":4}']],
    );
  });
});

describe('store: the order of events', () => {
  it('a reader who polls while many writers commit sees every event once, in one order', async () => {
    const fixture = await openStore();
    try {
      const { database, sealer } = fixture;
      const total = 120;
      const orders = Array.from({ length: total }, (_, index) =>
        depositOrder(fixture, { playerRef: `player-${index}` }),
      );
      let writing = true;
      const writers = Promise.all(orders.map((order) => pendingDeposit(database, sealer, order))).finally(() => {
        writing = false;
      });
      const seen: bigint[] = [];
      for (let last = 0n; writing || seen.length < total;) {
        const page = await database.event.findMany({
          where: { sequence: { gt: last } },
          orderBy: { sequence: 'asc' },
          take: 10,
          select: { sequence: true },
        });
        seen.push(...page.map(({ sequence }) => sequence));
        last = seen.at(-1) ?? 0n;
      }
      await writers;
      assert.deepEqual(
        seen,
        Array.from({ length: total }, (_, index) => BigInt(index + 1)),
      );
    } finally {
      await fixture.close();
    }
  }).timeout(30_000);
});
