// The facts of a withdrawal from a real database, and the verdicts they lead to.
import assert from 'node:assert/strict';
import type { WithdrawalVerdict } from '../../../domain/rules/verdicts.js';
import { addToList } from '../../../store/rules/lists.js';
import { AT, CNPJ, CPF, OTHER_CPF, sealer, World } from './world.js';

const EMAIL_KEY = { type: 'email', value: 'player@example.test' } as const;
const RANDOM_KEY = { type: 'random', value: '123e4567-e12b-12d1-a456-426655440000' } as const;

function expectReview(verdict: WithdrawalVerdict, ...reasons: string[]): void {
  assert.equal(verdict.kind, 'review', JSON.stringify(verdict));
  assert.deepEqual(verdict.reasons, reasons);
}

/** The outcome, or the code of the refusal, and the reasons. */
function said(verdict: WithdrawalVerdict): string {
  return [verdict.kind === 'refuse' ? verdict.code : verdict.kind, ...verdict.reasons].join(' ');
}

describe('withdrawal decisions', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew());

  const list = (name: 'block' | 'review', kind: string, value: string) =>
    addToList(world.database, sealer, { operationId: world.operationId, list: name, kind, value, person: 'test' });

  it('a known player to the own CPF key → automatic', async () => {
    await world.knownPlayer();
    const automaticUse = { hour: '2026-11-21T15', day: '2026-11-21', perHourMinor: null, perDayMinor: null };
    assert.deepEqual(await world.decide(), {
      kind: 'automatic',
      reasons: [],
      keyCheckNeeded: false,
      ruleSetVersion: 1,
      playerRevision: '0',
      automaticUse,
    });
  });

  it('an unknown player → first withdrawal and no deposit', async () => {
    const verdict = await world.decide();
    expectReview(verdict, 'AUTO_MULTIPLIER_EXCEEDED', 'NO_SETTLED_DEPOSIT', 'FIRST_WITHDRAWAL');
    // Older than any revision: creating the player in between is noticed.
    assert.equal(verdict.kind === 'review' && verdict.playerRevision, '-1');
  });

  it('the revision is the one the facts were read at', async () => {
    await world.knownPlayer();
    await world.database.player.updateMany({ data: { revision: 41n } });
    const verdict = await world.decide();
    assert.equal(verdict.kind === 'automatic' && verdict.playerRevision, '41');
  });

  it('the newest rule set decides', async () => {
    await world.knownPlayer();
    await world.setRules({ auto_multiplier: '0' });
    const verdict = await world.decide();
    expectReview(verdict, 'AUTO_DISABLED');
    assert.equal(verdict.ruleSetVersion, 2);
  });

  it('without a rule set nothing is decided', async () => {
    await world.database.$executeRaw`DELETE FROM rule_set_version WHERE operation_id = ${world.operationId}`;
    await assert.rejects(world.decide(), { name: 'MissingRowError', row: 'RuleSet' });
  });

  describe('the X-times rule', () => {
    beforeEach(async () => {
      await world.player();
      await world.withdrawal({ amountMinor: 1n, createdAt: '2026-10-01T12:00:00.000Z' });
    });

    for (const status of [
      'created',
      'pending',
      'under_review',
      'expired',
      'cancelled',
      'failed',
      'returned',
      'refunded',
      'chargeback',
    ]) {
      it(`a ${status} deposit is not settled`, async () => {
        await world.deposit({ status, amountMinor: 100000n });
        expectReview(await world.decide(), 'AUTO_MULTIPLIER_EXCEEDED', 'NO_SETTLED_DEPOSIT');
      });
    }

    for (const [title, of] of [
      ['in another currency', { currency: 'USD' }],
      ['of another player', { ref: 'player-2' }],
    ] as const) {
      it(`a deposit ${title} does not count`, async () => {
        await world.deposit({ ...of, amountMinor: 100000n });
        expectReview(await world.decide(), 'AUTO_MULTIPLIER_EXCEEDED', 'NO_SETTLED_DEPOSIT');
      });
    }

    for (const status of ['requested', 'under_review', 'approved', 'processing', 'paid']) {
      it(`a ${status} withdrawal counts`, async () => {
        await world.deposit({ amountMinor: 10000n });
        await world.withdrawal({ status, amountMinor: 4999n });
        assert.equal((await world.decide({ amountMinor: 5000n })).kind, 'automatic');
        expectReview(await world.decide({ amountMinor: 5001n }), 'AUTO_MULTIPLIER_EXCEEDED');
      });
    }

    for (const status of ['rejected', 'failed', 'cancelled', 'returned']) {
      it(`a ${status} withdrawal does not count`, async () => {
        await world.deposit({ amountMinor: 10000n });
        await world.withdrawal({ status, amountMinor: 9999n });
        assert.equal((await world.decide({ amountMinor: 9999n })).kind, 'automatic');
      });
    }

    it('a withdrawal in another currency does not count', async () => {
      await world.deposit({ amountMinor: 10000n });
      await world.withdrawal({ currency: 'USD', amountMinor: 9999n });
      assert.equal((await world.decide({ amountMinor: 9999n })).kind, 'automatic');
    });

    it('a withdrawal that waited for DICT is compared with earlier requests only', async () => {
      await world.setEngine(
        { currencies: { BRL: { velocity: { window_minutes: 60, review_above: 1 } } } },
        { max_withdrawals_per_day: 1 },
      );
      await world.deposit({ amountMinor: 10000n });
      const key = { type: 'phone', value: '+5511987654321' } as const;
      const waiting = { amountMinor: 6000n, key } as const;
      const id = await world.withdrawal({ ...waiting, status: 'requested' });
      expectReview(
        await world.decide({ amountMinor: 6000n, key: { type: 'cpf', value: CPF } }),
        'AUTO_MULTIPLIER_EXCEEDED',
        'WINDOW_DAY_COUNT_EXCEEDED',
        'VELOCITY_WITHDRAWALS',
      );
      await world.withdrawal({ amountMinor: 6000n, status: 'under_review', key: { type: 'cpf', value: CPF } });
      const verdict = await world.rules.decideWithdrawal({
        order: world.withdrawalOrder({ ...waiting, id }),
        at: AT,
        keyOwner: 'match',
        stage: 'dict',
      });
      assert.deepEqual(
        verdict.reasons.filter((reason) => reason !== 'PIX_KEY_CHANGED'),
        [],
      );
    });

    it('sums of 38 digits stay exact', async () => {
      const deposited = BigInt('9'.repeat(38));
      await world.deposit({ amountMinor: deposited });
      await world.database.ledgerAccount.updateMany({
        where: { operationId: world.operationId },
        data: { balanceMinor: deposited.toString() },
      });
      assert.equal((await world.decide({ amountMinor: BigInt(`${'9'.repeat(37)}8`) })).kind, 'automatic');
      expectReview(await world.decide({ amountMinor: deposited }), 'AUTO_MULTIPLIER_EXCEEDED');
    });
  });

  describe('first withdrawal', () => {
    for (const status of [
      'requested',
      'under_review',
      'approved',
      'processing',
      'rejected',
      'failed',
      'cancelled',
      'returned',
    ]) {
      it(`after one that is ${status} the next is still the first`, async () => {
        await world.player();
        await world.deposit({ amountMinor: 100000n });
        await world.withdrawal({ status, amountMinor: 1n });
        expectReview(await world.decide(), 'FIRST_WITHDRAWAL');
      });
    }
  });

  describe('the day', () => {
    it('sums and counts the local day only, and only what counts', async () => {
      await world.setRules({ auto_max_per_day: '6000', max_withdrawals_per_day: 2 });
      await world.knownPlayer();
      await world.withdrawal({ amountMinor: 50000n, createdAt: '2026-11-21T02:59:59.999Z' });
      await world.withdrawal({ amountMinor: 50000n, status: 'rejected', createdAt: '2026-11-21T14:00:00.000Z' });
      await world.withdrawal({ amountMinor: 1000n, status: 'under_review', createdAt: '2026-11-21T03:00:00.000Z' });
      assert.equal((await world.decide({ amountMinor: 5000n })).kind, 'automatic');
      expectReview(await world.decide({ amountMinor: 5001n }), 'WINDOW_DAY_AMOUNT_EXCEEDED');
      await world.withdrawal({ amountMinor: 1n, createdAt: '2026-11-21T14:30:00.000Z' });
      expectReview(await world.decide({ amountMinor: 1n }), 'WINDOW_DAY_COUNT_EXCEEDED');
    });
  });

  describe('lists', () => {
    beforeEach(() => world.knownPlayer());

    for (const [name, kind, value, expected] of [
      ['block', 'player', 'player-1', 'player_blocked PLAYER_BLOCKED'],
      ['block', 'document', '529.982.247-25', 'player_blocked PLAYER_BLOCKED'],
      ['block', 'pix_key', CPF, 'destination_blocked DESTINATION_BLOCKED'],
      ['block', 'ip', '203.0.113.0/24', 'review IP_LISTED'],
      ['block', 'device', 'device-1', 'review DEVICE_LISTED'],
      ['review', 'player', 'player-1', 'review PLAYER_LISTED'],
      ['review', 'document', CPF, 'review PLAYER_LISTED'],
      ['review', 'pix_key', CPF, 'review DESTINATION_LISTED'],
      ['review', 'ip', '203.0.113.7', 'review IP_LISTED'],
      ['review', 'ip', '203.0.0.0/16', 'review IP_LISTED'],
      ['review', 'device', 'device-1', 'review DEVICE_LISTED'],
      ['block', 'player', 'player-2', 'automatic'],
      ['block', 'document', OTHER_CPF, 'automatic'],
      ['review', 'ip', '203.0.114.0/24', 'automatic'],
      ['review', 'device', 'Device-1', 'automatic'],
    ] as const) {
      it(`${name} list, ${kind} ${value} → ${expected}`, async () => {
        await list(name, kind, value);
        assert.equal(said(await world.decide()), expected);
      });
    }

    it('another operation’s lists do not matter', async () => {
      const mine = world.operationId;
      await world.anew();
      await list('block', 'player', 'player-1');
      Object.assign(world, { operationId: mine });
      assert.equal((await world.decide()).kind, 'automatic');
    });

    it('an IPv6 address in a listed network', async () => {
      await list('review', 'ip', '2001:db8:1::/48');
      const verdict = await world.decide({ ip: '2001:0DB8:0001:ffff::7' });
      expectReview(verdict, 'IP_LISTED');
    });
  });

  describe('documents and holders', () => {
    beforeEach(() => world.knownPlayer());

    const otherDocument = { type: 'CPF', number: OTHER_CPF };
    const company = {
      ref: 'company',
      document: { type: 'CNPJ', number: CNPJ },
      key: { type: 'cnpj', value: CNPJ },
    } as const;
    for (const [title, asked, expected] of [
      [
        'a wrong check digit',
        {
          ref: 'player-9',
          document: { type: 'CPF', number: '12345678900' },
          key: { type: 'cpf', value: '12345678900' },
        },
        'document_invalid DOCUMENT_INVALID',
      ],
      [
        'a passport',
        { ref: 'player-9', document: { type: 'PASSPORT', number: CPF } },
        'document_invalid DOCUMENT_INVALID DOCUMENT_MISMATCH',
      ],
      [
        'another document than the fixed one',
        { document: otherDocument, key: { type: 'cpf', value: OTHER_CPF } },
        'document_mismatch PLAYER_DOCUMENT_CHANGED',
      ],
      ['a CPF key of another', { key: { type: 'cpf', value: OTHER_CPF } }, 'document_mismatch DOCUMENT_MISMATCH'],
      ['a CNPJ key for an individual', { key: { type: 'cnpj', value: CNPJ } }, 'document_mismatch DOCUMENT_MISMATCH'],
      ['the own CPF with punctuation', { key: { type: 'cpf', value: '529.982.247-25' } }, 'automatic'],
      ['no player IP', { ip: null }, 'review OWNERSHIP_UNVERIFIED'],
    ] as const) {
      it(`${title} → ${expected}`, async () => assert.equal(said(await world.decide(asked)), expected));
    }

    it('a company to its own CNPJ key is asked nothing more', async () => {
      await world.knownPlayer(company);
      assert.equal(said(await world.decide(company)), 'automatic');
    });

    it('the same document under two references → review', async () => {
      await world.player({ ref: 'player-2' });
      expectReview(await world.decide(), 'SHARED_DOCUMENT');
    });
  });

  describe('keys of the directory', () => {
    beforeEach(() => world.knownPlayer({ key: EMAIL_KEY }));

    for (const key of [EMAIL_KEY, RANDOM_KEY, { type: 'phone', value: '+5511999998888' } as const]) {
      it(`${key.type} → the holder is looked up before the verdict counts`, async () => {
        const verdict = await world.decide({ key });
        assert.equal(verdict.kind !== 'refuse' && verdict.keyCheckNeeded, true);
      });
    }

    for (const status of ['paid', 'processing', 'returned'] as const) {
      it(
        `what a mask shows agrees, and an earlier withdrawal to the key is ${status} → ` +
          `${status === 'paid' ? 'automatic' : 'review OWNERSHIP_UNVERIFIED'}`,
        async () => {
          await world.database.withdrawal.updateMany({ where: { operationId: world.operationId }, data: { status } });
          await world.withdrawal({ amountMinor: 1n, createdAt: '2026-11-20T12:00:00.000Z' });
          await world.setRules({ pix_key_change_cooldown_hours: 0 });
          const verdict = await world.decide({ key: EMAIL_KEY }, 'weak_match');
          if (status === 'paid') assert.equal(verdict.kind, 'automatic');
          else expectReview(verdict, 'OWNERSHIP_UNVERIFIED');
        },
      );
    }

    for (const [title, key] of [
      ['a key of 78 characters', { type: 'email', value: `${'a'.repeat(65)}@example.test` }],
      ['a phone without the area code', { type: 'phone', value: '999998888' }],
      ['a random key without hyphens', { type: 'random', value: '123e4567e12b12d1a456426655440000' }],
    ] as const) {
      it(`${title} → review, and nobody is asked`, async () => {
        const verdict = await world.decide({ key });
        assert.equal(
          verdict.kind === 'review' && verdict.reasons.includes('OWNERSHIP_UNVERIFIED') && !verdict.keyCheckNeeded,
          true,
        );
      });
    }

    it('capitals in an e-mail key are the same key', async () => {
      assert.equal(
        (await world.decide({ key: { type: 'email', value: 'Player@Example.TEST' } }, 'match')).kind,
        'automatic',
      );
    });
  });

  describe('a changed key', () => {
    const decideAt = (at: string) => world.decide({ key: EMAIL_KEY }, 'match', at);

    it('the very first key is no change', async () => {
      await world.player();
      await world.deposit({ amountMinor: 100000n });
      expectReview(await world.decide(), 'FIRST_WITHDRAWAL');
    });

    it('a later one is, until the cooldown after its first use is over', async () => {
      await world.knownPlayer();
      expectReview(await decideAt('2026-11-21T15:00:00.000Z'), 'PIX_KEY_CHANGED');
      await world.withdrawal({ key: EMAIL_KEY, amountMinor: 1n, createdAt: '2026-11-21T15:00:00.000Z' });
      expectReview(await decideAt('2026-11-22T14:59:59.999Z'), 'PIX_KEY_CHANGED');
      assert.equal((await decideAt('2026-11-22T15:00:00.000Z')).kind, 'automatic');
      assert.equal(
        (await world.decide({}, 'not_asked', '2026-11-22T15:00:00.000Z')).kind,
        'automatic',
        'the old key is still known',
      );
    });

    for (const status of ['rejected', 'cancelled', 'failed', 'returned']) {
      it(`a first use that was ${status} starts no cooldown`, async () => {
        await world.knownPlayer();
        await world.withdrawal({ key: EMAIL_KEY, status, createdAt: '2026-10-02T15:00:00.000Z' });
        expectReview(await decideAt(AT), 'PIX_KEY_CHANGED');
      });
    }

    it('back to the first key is no change, also within the cooldown of its own first use', async () => {
      await world.player();
      await world.deposit({ amountMinor: 100000n });
      await world.withdrawal({ amountMinor: 1n, createdAt: '2026-11-21T14:00:00.000Z' });
      await world.withdrawal({ amountMinor: 1n, key: EMAIL_KEY, createdAt: '2026-11-21T14:30:00.000Z' });
      assert.equal((await world.decide()).kind, 'automatic');
      expectReview(await decideAt(AT), 'PIX_KEY_CHANGED');
    });

    it('a new device or address comes with it', async () => {
      await world.knownPlayer();
      expectReview(
        await world.decide({ key: EMAIL_KEY, device: 'device-2' }, 'match'),
        'PIX_KEY_CHANGED',
        'NEW_CONTEXT',
      );
      expectReview(
        await world.decide({ key: EMAIL_KEY, ip: '203.0.113.8' }, 'match'),
        'PIX_KEY_CHANGED',
        'NEW_CONTEXT',
      );
      expectReview(await world.decide({ key: EMAIL_KEY }, 'match'), 'PIX_KEY_CHANGED');
      assert.equal((await world.decide({ device: 'device-2', ip: '203.0.113.8' })).kind, 'automatic');
    });
  });

  for (const others of ['player-0', 'player-2']) {
    it(`a key that ${others} uses too → review`, async () => {
      await world.knownPlayer({ key: EMAIL_KEY });
      await world.withdrawal({ ref: others, key: EMAIL_KEY, status: 'cancelled' });
      expectReview(await world.decide({ key: EMAIL_KEY }, 'match'), 'SHARED_DESTINATION');
    });
  }

  describe('the operator’s own reasons', () => {
    it('make no review by themselves, and are not in the verdict', async () => {
      await world.knownPlayer();
      assert.deepEqual((await world.decide({ reviewReasons: ['large win'] })).reasons, []);
      expectReview(
        await world.decide({ reviewRequested: true, reviewReasons: ['large win'] }),
        'OPERATOR_REVIEW_REQUESTED',
      );
    });
  });

  describe('the cash box', () => {
    const SHORT = 'insufficient_operation_balance INSUFFICIENT_OPERATION_BALANCE';

    it('refuses what it does not hold', async () => {
      await world.knownPlayer();
      await world.database.ledgerAccount.updateMany({
        where: { operationId: world.operationId },
        data: { balanceMinor: 4_999 },
      });
      assert.equal(said(await world.decide({ amountMinor: 5000n })), SHORT);
      assert.equal((await world.decide({ amountMinor: 4999n })).kind, 'automatic');
    });

    it('is empty where there is no account', async () => {
      await world.knownPlayer();
      await world.database.ledgerAccount.deleteMany({ where: { operationId: world.operationId } });
      assert.equal(said(await world.decide()), SHORT);
    });
  });

  for (const stage of ['dict', 'review'] as const)
    it(`at stage ${stage} the withdrawal does not count against itself`, async () => {
      await world.setRules({ max_withdrawals_per_day: 1 });
      await world.knownPlayer({ key: EMAIL_KEY });
      const id = await world.withdrawal({ key: EMAIL_KEY, amountMinor: 95000n, status: 'requested' });
      await world.database.ledgerAccount.updateMany({
        where: { operationId: world.operationId },
        data: { balanceMinor: 0 },
      });
      const order = world.withdrawalOrder({ id, key: EMAIL_KEY, amountMinor: 95000n });
      assert.equal((await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'match', stage })).kind, 'automatic');
      const [decision] = await world.database.decision.findMany({ where: { objectId: id } });
      const facts = decision?.facts as {
        availableMinor: string;
        countedWithdrawalsMinor: string;
        recentWithdrawals: unknown[];
      };
      assert.deepEqual(
        [facts.availableMinor, facts.countedWithdrawalsMinor, facts.recentWithdrawals],
        ['95000', '1000', []],
      );
      assert.equal(decision?.stage, stage);
    });
});
