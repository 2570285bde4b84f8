// Withdrawals in a real PostgreSQL: money reserved once, one writer at a time, and nothing approved that the rules did
// not judge.
import assert from 'node:assert/strict';
import { newId } from '../../../domain/identifiers.js';
import { cancel } from '../../../domain/payments/withdrawal-acts.js';
import type { WithdrawalChange } from '../../../domain/payments/withdrawal-record.js';
import { insertWithdrawal } from '../../../store/payments/withdrawal/insert.js';
import { readWithdrawal } from '../../../store/payments/withdrawal/read.js';
import { AT, balances, publishedOf, useStore } from './fixtures.js';
import { fund, insertionOf, inserted, read, store, withdrawalOrder } from './withdrawal-fixtures.js';

/** The clock of a second try. */
const LATER = '2026-11-21T12:00:04.000Z';

describe('store: a new withdrawal', () => {
  const fixture = useStore();

  it('of 100 withdrawals on one balance exactly as many are inserted as the cash box covers', async () => {
    await fund(fixture, 10_000);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        insertWithdrawal(
          fixture,
          insertionOf(withdrawalOrder(fixture, { playerRef: `player-${index}` }), 'approved', { playerRevision: '-1' }),
        ),
      ),
    );
    assert.equal(results.filter(({ kind }) => kind === 'inserted').length, 10);
    assert.equal(results.filter(({ kind }) => kind === 'insufficient_balance').length, 90);
    assert.deepEqual(await balances(fixture), { available: '0', pending_out: '10000', provider_clearing: '-10000' });
    assert.equal(await fixture.database.withdrawal.count(), 10);
    assert.equal(await fixture.database.player.count(), 10);
  });

  it('a decision from older facts is stale: of two at once for one player one must decide again', async () => {
    await fund(fixture, 10_000);
    await inserted(fixture);
    const player = await fixture.database.player.findFirstOrThrow();
    const playerRevision = player.revision.toString();
    const insert = () =>
      insertWithdrawal(fixture, insertionOf(withdrawalOrder(fixture), 'approved', { playerRevision }));
    const results = await Promise.all([insert(), insert()]);
    assert.deepEqual(results.map(({ kind }) => kind).sort(), ['inserted', 'stale']);
  });

  it('only what its account at the provider holds is reserved, whatever lies in others', async () => {
    await fund(fixture, 10_000, 'a');
    await fund(fixture, 900);
    const insert = (amountMinor: bigint) =>
      insertWithdrawal(fixture, insertionOf(withdrawalOrder(fixture, { amountMinor })));
    assert.equal((await insert(1000n)).kind, 'insufficient_balance');
    assert.equal((await insert(900n)).kind, 'inserted');
    const rows = await fixture.database.ledgerAccount.findMany({ where: { account: { not: 'provider_clearing' } } });
    assert.deepEqual(
      rows.map(({ provider, account, balanceMinor }) => `${provider} ${account} ${balanceMinor.toFixed(0)}`).sort(),
      ['a available 10000', 'simulator available 0', 'simulator pending_out 900'],
    );
  });

  it('of 40 insertions with one external_id exactly one reserves money, and the others name it', async () => {
    await fund(fixture, 5_000);
    const results = await Promise.all(
      Array.from({ length: 40 }, () =>
        insertWithdrawal(fixture, insertionOf(withdrawalOrder(fixture, { externalId: 'order-1' }))),
      ),
    );
    const [row] = await fixture.database.withdrawal.findMany();
    assert.equal(results.filter(({ kind }) => kind === 'inserted').length, 1);
    assert.equal(results.filter((result) => result.kind === 'duplicate' && result.existingId === row?.id).length, 39);
    assert.deepEqual(await balances(fixture), { available: '4000', pending_out: '1000', provider_clearing: '-5000' });
  });

  it('a repeated insertion finds the first one, with its event, and reserves nothing more', async () => {
    await fund(fixture, 5_000);
    const input = insertionOf(withdrawalOrder(fixture, { amountMinor: 5000n }));
    const first = await insertWithdrawal(fixture, input);
    assert.ok(first.kind === 'inserted');
    const { snapshot } = input.record;
    const later = { ...input.record, snapshot: { ...snapshot, createdAt: LATER, updatedAt: LATER } };
    const again = await insertWithdrawal(fixture, { ...input, record: later });
    assert.ok(again.kind === 'found');
    assert.deepEqual(again.row.record, first.row.record);
    assert.deepEqual(again.row.order, first.row.order);
    assert.deepEqual(await publishedOf(fixture, snapshot.id), ['withdrawal.approved']);
    assert.deepEqual(await balances(fixture), { available: '0', pending_out: '5000', provider_clearing: '-5000' });
  });

  it('is read again as it was inserted; `requested` publishes nothing; the wish for a review is kept', async () => {
    await fund(fixture, 5_000);
    const order = withdrawalOrder(fixture, { reviewRequested: true });
    const input = insertionOf(order, 'requested');
    const record = { ...input.record, keyOwner: 'weak_match', lookupEndToEndId: 'E-lookup' } as const;
    await insertWithdrawal(fixture, { ...input, record });
    const { operatorReasons: _, proof: __, ...stored } = order;
    const { id, operationId } = order;
    const held = await readWithdrawal(fixture.database, { id, operationId });
    assert.deepEqual(held.record, record);
    assert.deepEqual(held.order, stored);
    assert.equal(held.order.reviewRequested, true);
    assert.deepEqual(await publishedOf(fixture, id), []);
    assert.ok(Math.abs(Date.parse(held.readAt) - Date.now()) < 60_000);
  });

  it('stores the rules’ decision with the row, or not at all', async () => {
    const decision = {
      operationId: fixture.operationId,
      stage: 'creation',
      ruleSetVersion: 3,
      facts: { at: AT },
      thresholds: {} as never,
      reports: [],
      outcome: { kind: 'automatic' },
      at: AT,
    } as const;
    const insert = () => {
      const order = withdrawalOrder(fixture);
      const about = { ...decision, objectId: order.id };
      return insertWithdrawal(fixture, insertionOf(order, 'approved', { decision: about }));
    };
    assert.equal((await insert()).kind, 'insufficient_balance');
    assert.equal(await fixture.database.decision.count(), 0);
    await fund(fixture, 5_000);
    const result = await insert();
    assert.ok(result.kind === 'inserted');
    const [row] = await fixture.database.decision.findMany();
    assert.deepEqual([row?.objectId, row?.ruleSetVersion], [result.row.record.snapshot.id, 3]);
  });
});

describe('store: a change of a withdrawal', () => {
  const fixture = useStore();
  beforeEach(async () => {
    await fund(fixture, 5_000);
  });

  const CANCEL: WithdrawalChange = { trigger: 'cancel' };

  it('answers the row as it is then, and publishes the event', async () => {
    const held = await inserted(fixture);
    const stored = await store(fixture, held, CANCEL, LATER);
    assert.ok(stored !== null);
    const now = await read(fixture, held);
    assert.deepEqual(stored.record, now.record);
    assert.deepEqual(
      [now.record.snapshot.status, now.record.snapshot.version, now.record.revision],
      ['cancelled', 2, 2],
    );
    const { id } = now.record.snapshot;
    assert.deepEqual(await publishedOf(fixture, id), ['withdrawal.approved', 'withdrawal.cancelled']);
  });

  it('of many at once exactly one is stored: the reservation is given back once', async () => {
    const held = await inserted(fixture);
    const results = await Promise.all(Array.from({ length: 20 }, () => store(fixture, held, CANCEL)));
    assert.equal(results.filter((row) => row !== null).length, 1);
    assert.equal(results.filter((row) => row === null).length, 19);
    assert.deepEqual(await balances(fixture), { available: '5000', pending_out: '0', provider_clearing: '-5000' });
  });

  it('a note has a revision and no version: what was decided before it is decided again', async () => {
    const held = await inserted(fixture, 'under_review');
    const decidedBy = [{ actId: 'u-1', person: 'ana', decision: 'approve', reason: 'ok', at: AT }] as const;
    const note = { trigger: null, fields: { decision: { ...held.record.snapshot.decision, decidedBy } } } as const;
    assert.notEqual(await store(fixture, held, note), null);
    assert.equal(await store(fixture, held, { trigger: 'refuse' }), null);
    const now = await read(fixture, held);
    assert.deepEqual([now.record.snapshot.version, now.record.revision], [1, 2]);
    assert.deepEqual(now.record.snapshot.decision.decidedBy, decidedBy);
    const [entry] = await fixture.database.auditEntry.findMany({ where: { subject: now.record.snapshot.id } });
    assert.deepEqual([entry?.person, entry?.action], ['ana', 'withdrawal.approve']);
    assert.ok(!JSON.stringify(entry?.detail).includes('u-1'));
  });

  it('nothing is approved that the rules did not judge, or that they refuse', async () => {
    for (const judgement of ['none', 'refused'] as const) {
      const held = await inserted(fixture, 'under_review');
      const judged = await store(fixture, held, { trigger: null, judgement });
      assert.ok(judged !== null);
      await assert.rejects(store(fixture, judged, { trigger: 'approve' }), /withdrawal_judged_check/);
    }
  });

  it('keeps what the key directory said', async () => {
    const held = await inserted(fixture, 'requested');
    const stored = await store(fixture, held, { trigger: null, keyOwner: 'match', lookupEndToEndId: 'E-lookup' });
    assert.ok(stored !== null);
    const { keyOwner, lookupEndToEndId } = (await read(fixture, held)).record;
    assert.deepEqual([keyOwner, lookupEndToEndId], ['match', 'E-lookup']);
    // Where there is no directory, the provider compares the holder when it sends.
    const later = await store(fixture, stored, { trigger: null, keyOwner: 'at_send', lookupEndToEndId: null });
    assert.ok(later !== null);
    assert.equal((await read(fixture, held)).record.keyOwner, 'at_send');
  });

  it('another operation’s withdrawal does not exist', async () => {
    const held = await inserted(fixture);
    const ref = { id: held.record.snapshot.id, operationId: newId('operation'), seenVersion: 0 };
    await assert.rejects(readWithdrawal(fixture.database, ref), { name: 'MissingRowError', row: 'Withdrawal' });
  });

  it('the provider’s first answer is stored with what is known of the send', async () => {
    const held = await inserted(fixture);
    await fixture.database.payoutSend.create({
      data: {
        withdrawalId: held.record.snapshot.id,
        reference: 'r',
        state: 'claimed',
        clearedAt: AT,
        attempt: 'a',
        tracelessLookUps: 3,
        tracelessSince: AT,
      },
    });
    const claimed = await read(fixture, held);
    assert.deepEqual(claimed.record.send, {
      state: 'claimed',
      attempt: 'a',
      claimedAt: null,
      traceless: { lookUps: 3, since: AT, lastAt: null },
    });
    assert.equal(cancel(claimed.record), 'invalid_state');
    const stored = await store(fixture, claimed, { trigger: 'provider_replied', isSendKnown: true });
    assert.ok(stored !== null);
    const now = await read(fixture, held);
    assert.deepEqual(stored.record, now.record);
    assert.deepEqual(now.record.send, {
      state: 'known',
      attempt: 'a',
      claimedAt: null,
      traceless: { lookUps: 0, since: null, lastAt: null },
    });
  });
});
