// What the account still covers: one question for a burst of payouts, each taken off what is left.
import assert from 'node:assert/strict';
import { AccountBalances } from '../../../activities/provider/payouts.js';
import type { BalanceAnswer } from '../../../providers/port.js';

describe('the balance of the account before a send', () => {
  let nowMs = 0;
  let asked = 0;
  let answer: BalanceAnswer = { kind: 'unsupported' };
  const provider = {
    name: 'a',
    readBalance: async () => {
      asked += 1;
      return answer;
    },
  } as const;
  let balances: AccountBalances;
  beforeEach(() => {
    [nowMs, asked] = [0, 0];
    balances = new AccountBalances(() => nowMs);
  });

  it('one question serves a burst; what was let go is taken off', async () => {
    answer = { kind: 'balance', availableMinor: 250n, blockedMinor: null };
    assert.equal(await balances.cover(provider, 100n), true);
    assert.equal(await balances.cover(provider, 100n), true);
    assert.equal(asked, 1);
    // 50 are left: asked again, and the account still has 250 because the sends have not reached it.
    answer = { kind: 'balance', availableMinor: 50n, blockedMinor: null };
    assert.equal(await balances.cover(provider, 100n), false);
    assert.equal(asked, 2);
    assert.equal(await balances.cover(provider, 50n), true);
  });

  it('too little is asked again at once: money may have come', async () => {
    answer = { kind: 'balance', availableMinor: 0n, blockedMinor: null };
    assert.equal(await balances.cover(provider, 1n), false);
    answer = { kind: 'balance', availableMinor: 1n, blockedMinor: null };
    assert.equal(await balances.cover(provider, 1n), true);
  });

  it('an answer is kept for five seconds', async () => {
    answer = { kind: 'balance', availableMinor: 1_000n, blockedMinor: null };
    await balances.cover(provider, 1n);
    nowMs = 4_999;
    await balances.cover(provider, 1n);
    assert.equal(asked, 1);
    nowMs = 5_000;
    await balances.cover(provider, 1n);
    assert.equal(asked, 2);
  });

  for (const silent of [{ kind: 'unsupported' }, { kind: 'unknown', reason: 'http_403' }] as const)
    it(`${silent.kind}: nothing speaks against the send, and it is not asked for each payout`, async () => {
      answer = silent;
      assert.deepEqual([await balances.cover(provider, 10n ** 12n), await balances.cover(provider, 1n)], [true, true]);
      assert.equal(asked, 1);
    });
});
