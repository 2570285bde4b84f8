// The one permission to send a payout: fresh checks, one holder, and never together with a cancel.
import assert from 'node:assert/strict';
import {
  claimPayoutSend,
  clearPayoutSend,
  countTracelessLookUp,
  givePermissionBack,
  isPayoutForbidden,
} from '../../../store/payments/withdrawal/payout-sends.js';
import { readFoundPayments } from '../../../store/support/found-payments.js';
import { readGauges } from '../../../store/payments/gauges.js';
import { readWithdrawalFile } from '../../../store/support/payment-file.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import { AT, balances, useStore } from './fixtures.js';
import { fund, inserted, read, store } from './withdrawal-fixtures.js';

const LATER = '2026-11-21T13:00:00.000Z';

describe('store: the permission to send', () => {
  const fixture = useStore('once');
  before(async () => {
    await fund(fixture, 1_000_000);
  });

  const clear = (held: WithdrawalRow) => clearPayoutSend(fixture.database, held, null);
  const permission = (held: WithdrawalRow, attempt = 'one') =>
    claimPayoutSend(fixture.database, fixture.sealer, held, { attempt, environment: 'sandbox' });
  const claim = async (held: WithdrawalRow, attempt?: string) => (await permission(held, attempt)) === 'given';

  const giveBack = (held: WithdrawalRow, attempt: string) => givePermissionBack(fixture.database, held, attempt);

  async function cleared(): Promise<WithdrawalRow> {
    const held = await inserted(fixture);
    assert.ok(await clear(held));
    return read(fixture, held);
  }

  /** As if the checks had passed so many milliseconds ago. */
  const age = (held: WithdrawalRow, milliseconds: number) =>
    fixture.database.$executeRaw`
      UPDATE payout_send SET cleared_at = clock_timestamp() - make_interval(secs => ${milliseconds / 1000}::float8)
      WHERE withdrawal_id = ${held.record.snapshot.id}`;

  it('a cancel and a permission never both win, and one of them does', async () => {
    const won = { cancel: 0, claim: 0 };
    for (let round = 0; round < 60; round += 1) {
      const held = await cleared();
      const cancel = () => store(fixture, held, { trigger: 'cancel' });
      // Who asks first changes from round to round.
      const [cancelled, claimed] =
        round % 2 === 0
          ? await Promise.all([cancel(), claim(held)])
          : await Promise.all([claim(held), cancel()]).then(([second, first]) => [first, second] as const);
      assert.notEqual(cancelled !== null, claimed, `round ${round}`);
      won[claimed ? 'claim' : 'cancel'] += 1;
      const { record } = await read(fixture, held);
      assert.deepEqual(
        [record.snapshot.status, record.send?.state],
        claimed ? ['approved', 'claimed'] : ['cancelled', 'cleared'],
      );
    }
    assert.ok(won.cancel > 0 && won.claim > 0, JSON.stringify(won));
    const { pending_out } = await balances(fixture);
    assert.equal(pending_out, String(won.claim * 1_000));
  });

  it('of 20 attempts one takes it; the others find it taken, whatever they read', async () => {
    const held = await cleared();
    const attempts = Array.from({ length: 20 }, (_, index) => `attempt-${index}`);
    const taken = await Promise.all(attempts.map((attempt) => claim(held, attempt)));
    assert.equal(taken.filter(Boolean).length, 1);
    const now = await read(fixture, held);
    assert.equal(now.record.send?.attempt, attempts[taken.indexOf(true)]);
    assert.deepEqual([await claim(now, 'late'), await clear(now)], [false, false]);
    assert.equal((await read(fixture, held)).record.send?.state, 'claimed');
  });

  it('is given to nobody while the provider is paused, however fresh the checks', async () => {
    const held = await cleared();
    const { provider } = held.order;
    await fixture.database.providerPause.create({ data: { provider, pausedBy: 'ana', reason: 'an incident' } });
    assert.equal(await permission(held), 'provider_paused');
    assert.equal((await read(fixture, held)).record.send?.state, 'cleared');
    await fixture.database.providerPause.delete({ where: { provider } });
    assert.equal(await claim(held), true);
  });

  it('given, the send is forbidden by what is said before its first byte: a list, the operation, a pause', async () => {
    const held = await cleared();
    assert.ok(await claim(held));
    const { database, operationId } = fixture;
    const { provider, id: withdrawalId } = held.order;
    const isForbidden = () => isPayoutForbidden(database, held);
    const suspension = (status: string) => () =>
      database.operation.update({ where: { id: operationId }, data: { status } });
    assert.equal(await isForbidden(), false);
    for (const [forbid, permit] of [
      [
        () => database.providerPause.create({ data: { provider, pausedBy: 'ana', reason: 'an incident' } }),
        () => database.providerPause.delete({ where: { provider } }),
      ],
      [suspension('suspended'), suspension('active')],
      [
        () => database.$executeRaw`
          INSERT INTO list_entry (operation_id, list, kind, value_hash, value_sealed)
          SELECT operation_id, 'block', 'pix_key', destination_hash, 'x' FROM withdrawal WHERE id = ${withdrawalId}`,
        () => database.listEntry.deleteMany({ where: { operationId } }),
      ],
    ] as const) {
      await forbid();
      assert.equal(await isForbidden(), true);
      await permit();
      assert.equal(await isForbidden(), false);
    }
  });

  it('checks count for ten seconds', async () => {
    const held = await cleared();
    await age(held, 10_001);
    assert.equal(await permission(held), 'checks_too_old');
    await age(held, 9_000);
    assert.equal(await claim(held), true);
  });

  it('checks are as old as the read before them, not as their storing', async () => {
    const held = await inserted(fixture);
    const longAgo = { ...held, readAt: new Date(Date.parse(held.readAt) - 3_600_000).toISOString() };
    assert.ok(await clear(longAgo));
    assert.equal(await claim(await read(fixture, held)), false);
  });

  it('checks of a withdrawal that changed since it was read do not count', async () => {
    const held = await inserted(fixture);
    assert.ok(await clear(held));
    assert.equal(await clear(held), false);
    assert.equal(await claim(held), false, 'the permission is for what was cleared');
  });

  it('is not given without checks, nor for what is not approved', async () => {
    assert.equal(await claim(await inserted(fixture)), false);
    for (const status of ['requested', 'under_review'] as const)
      assert.equal(await clear(await inserted(fixture, status)), false);
  });

  it('an attempt that sent nothing gives it back; another one may take it after new checks', async () => {
    const held = await cleared();
    assert.ok(await claim(held, 'one'));
    await giveBack(held, 'another');
    assert.equal((await read(fixture, held)).record.send?.state, 'claimed', 'not its own');
    await giveBack(held, 'one');
    const unsent = await read(fixture, held);
    assert.equal(unsent.record.send?.state, 'not_sent');
    await giveBack(held, 'one');
    assert.equal((await read(fixture, held)).record.revision, unsent.record.revision, 'once');
    assert.equal(await claim(unsent, 'two'), false);
    assert.ok(await clear(unsent));
    assert.ok(await claim(await read(fixture, held), 'two'));
  });

  it('counts look-ups without a trace from the first one, and from zero after a trace', async () => {
    const held = await cleared();
    const count = async (at: string, isTraced = false) =>
      countTracelessLookUp(fixture.database, await read(fixture, held), { at, isTraced });
    assert.equal(await count(AT), false, 'nothing was sent');
    await claim(await read(fixture, held));
    await count(AT);
    await count(LATER);
    const traceless = async () => {
      const { record, readAt } = await read(fixture, held);
      const { lastAt = null, ...series } = record.send?.traceless ?? {};
      assert.ok(
        Math.abs(Date.parse(readAt) - Date.parse(lastAt ?? '')) < 5_000,
        'the last one is by the database’s clock',
      );
      return series;
    };
    assert.deepEqual(await traceless(), { lookUps: 2, since: AT });
    await count(LATER, true);
    assert.deepEqual(await traceless(), { lookUps: 1, since: LATER });
  });

  it('is shown to staff as a send only while it left, or may have', async () => {
    const held = await cleared();
    const { id } = held.record.snapshot;
    const shown = async () => [
      (await readWithdrawalFile(fixture.database, id))?.send_claimed_at !== null,
      (await readFoundPayments(fixture.database, [{ kind: 'withdrawal', id }]))[0]?.awaits?.for,
      (await readGauges(fixture.database)).payoutsUnknown - unknownBefore,
    ];
    const unknownBefore = (await readGauges(fixture.database)).payoutsUnknown;
    const NOT_SENT = [false, 'dispatch_check', 0];
    assert.deepEqual(await shown(), NOT_SENT);
    await claim(held, 'one');
    assert.deepEqual(await shown(), [true, 'payout_reply', 1]);
    await giveBack(held, 'one');
    assert.deepEqual(await shown(), NOT_SENT);
  });
});
