// Which withdrawals a listed return may be of: those that it names, or the latest paid ones of its amount.
import assert from 'node:assert/strict';
import type { ListedReturn } from '../../../domain/listed-payouts.js';
import type { AttributedPayout } from '../../../store/account-sweep/unexplained-payouts.js';
import { keepReturns, mayBeReturned, unnotifiedReturns } from '../../../store/account-sweep/payout-returns.js';
import { AT, useStore } from './fixtures.js';
import { fund, inserted } from './withdrawal-fixtures.js';

const E2E = 'E99999999202611211200aBcDeFgHiJk';
const RETURN = 'D99999999202611211300aBcDeFgHiJk';
const HOUR_MS = 3_600_000;
const hoursAfter = (hours: number) => new Date(Date.parse(AT) + hours * HOUR_MS).toISOString();

describe('store: listed returns of payouts', () => {
  const fixture = useStore('once');
  before(async () => {
    await fund(fixture, 1_000_000);
  });

  /** As a settled payout leaves the row. */
  const paid = async (amountMinor: string, endToEndId: string | null = null, status = 'paid') => {
    const { id } = (await inserted(fixture)).record.snapshot;
    await fixture.database.$executeRaw`
      UPDATE withdrawal SET status = ${status}, amount_minor = ${amountMinor}::numeric, psp_reference = ${endToEndId},
        updated_at = ${AT}::timestamptz WHERE id = ${id}`;
    return id;
  };
  const payout = (listed: Partial<AttributedPayout>): AttributedPayout => ({
    payoutId: E2E,
    reference: null,
    endToEndId: E2E,
    withdrawalId: null,
    amountMinor: 5_000n,
    sentAt: AT,
    isSettled: true,
    returns: `${RETURN} DEVOLVIDO`,
    ...listed,
  });
  const unnotified = async (listed: AttributedPayout, account: 'simulator' | 'a' = 'simulator') => {
    const found = await unnotifiedReturns(fixture.database, account, [listed]);
    return found.map(({ withdrawal }) => withdrawal.id);
  };
  const asked = async (settings: Partial<ListedReturn> = {}, account: 'simulator' | 'a' = 'simulator') => {
    const lone = { returnId: RETURN, amountMinor: 7_000n, returnedAt: hoursAfter(1), ...settings };
    return (await mayBeReturned(fixture.database, account, [lone])).map(({ id }) => id).sort();
  };

  it('a named one, by end-to-end id or reference: found until it is stored, and again when the returns change', async () => {
    const id = await paid('5000', E2E);
    assert.deepEqual(await unnotified(payout({})), [id]);
    assert.deepEqual(await unnotified(payout({ endToEndId: null, withdrawalId: id })), [id]);
    assert.deepEqual(await unnotified(payout({ returns: '' })), []);
    assert.deepEqual(await unnotified(payout({}), 'a'), []);
    await keepReturns(
      fixture.database,
      'simulator',
      await unnotifiedReturns(fixture.database, 'simulator', [payout({})]),
      AT,
    );
    assert.deepEqual(await unnotified(payout({})), []);
    assert.deepEqual(await unnotified(payout({ returns: 'another' })), [id]);
    await fixture.database.$executeRaw`UPDATE withdrawal SET status = 'returned' WHERE id = ${id}`;
    assert.deepEqual(await unnotified(payout({ returns: 'another' })), []);
  });

  it('a return that names nothing → paid payouts of its amount, in that account, within a day', async () => {
    const [one, other] = [await paid('7000'), await paid('7000')];
    await paid('7001');
    await paid('7000', null, 'returned');
    assert.deepEqual(await asked(), [one, other].sort());
    assert.deepEqual(await asked({ amountMinor: 6_999n }), []);
    assert.deepEqual(await asked({}, 'a'), []);
    assert.deepEqual(await asked({ returnedAt: hoursAfter(23) }), [one, other].sort());
    assert.deepEqual(await asked({ returnedAt: hoursAfter(25) }), []);
  });

  it('ten at most; none for the return of a deposit', async () => {
    for (let number = 0; number < 11; number += 1) await paid('8000');
    assert.equal((await asked({ amountMinor: 8_000n })).length, 10);
    const { database } = fixture;
    await database.$transaction([
      // Its deposit does not matter here.
      database.$executeRaw`SET LOCAL session_replication_role = replica`,
      database.$executeRaw`INSERT INTO return_id (return_id, deposit_id) VALUES (${RETURN}, 'dep_1')`,
    ]);
    assert.deepEqual(await asked({ amountMinor: 8_000n }), []);
  });
});
