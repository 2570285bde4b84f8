// Deposits, their payments and dispatches decided from a real database.
import assert from 'node:assert/strict';
import type { PaymentQuestion } from '../../../contract/temporal/rule-questions.js';
import { addToList } from '../../../store/rules/lists.js';
import { AT, CPF, OTHER_CPF, sealer, World } from './world.js';
import { placeOf } from '../../../store/sealing/places.js';

describe('deposit decisions', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ deposit_min: '1000', deposit_max: '9000' }));

  const block = (kind: string, value: string) =>
    addToList(world.database, sealer, { operationId: world.operationId, list: 'block', kind, value, person: 'test' });
  const decide = (options: Parameters<World['depositOrder']>[0] = {}) =>
    world.rules.decideDeposit({ order: world.depositOrder(options), at: AT });

  it('a new player, and one with the same document, is accepted', async () => {
    assert.deepEqual(await decide(), { kind: 'accept', ruleSetVersion: 1 });
    await world.player();
    assert.deepEqual(await decide(), { kind: 'accept', ruleSetVersion: 1 });
  });

  it('another document of the same player → 422 document_mismatch', async () => {
    await world.player();
    assert.deepEqual(await decide({ document: { type: 'CPF', number: OTHER_CPF } }), {
      kind: 'refuse',
      code: 'document_mismatch',
      reasons: ['PLAYER_DOCUMENT_CHANGED'],
      ruleSetVersion: 1,
    });
  });

  it('the limits are those of the stored rule set', async () => {
    const outcomes = [];
    for (const amountMinor of [999n, 1000n, 9000n, 9001n]) outcomes.push((await decide({ amountMinor })).kind);
    assert.deepEqual(outcomes, ['refuse', 'accept', 'accept', 'refuse']);
  });

  for (const [kind, value] of [
    ['player', 'player-1'],
    ['document', CPF],
  ] as const) {
    it(`blocked ${kind} → 422 player_blocked`, async () => {
      await block(kind, value);
      assert.deepEqual(await decide(), {
        kind: 'refuse',
        code: 'player_blocked',
        reasons: ['PLAYER_BLOCKED'],
        ruleSetVersion: 1,
      });
      assert.equal((await decide({ ref: 'player-2', document: { type: 'CPF', number: OTHER_CPF } })).kind, 'accept');
    });
  }

  describe('payments', () => {
    const payer = (number: string | null) => ({
      document: number === null ? null : { type: 'CPF', number, country: 'BR' },
      name: 'Maria Exemplo',
      matchesPlayer: number === CPF,
    });

    async function assess({
      reported = payer(CPF),
      ...changes
    }: Partial<PaymentQuestion> & { readonly reported?: object | null } = {}) {
      const [id, { operationId }] = [await world.deposit({ status: 'pending' }), world];
      const place = placeOf('deposit.payer_sealed', operationId, { id });
      const question: PaymentQuestion = {
        id,
        operationId,
        playerRef: 'player-1',
        environment: 'sandbox',
        chargedAmountMinor: 5000n,
        paidAmountMinor: 5000n,
        paidAt: AT,
        expiresAt: '2026-11-21T15:30:00.000Z',
        payerMatch: 'match',
        sealedPayer: reported === null ? null : sealer.sealJson(place, reported),
        at: AT,
        ...changes,
      };
      const verdict = await world.rules.assessPayment(question);
      return [verdict.kind, ...(verdict.kind === 'review' ? verdict.reasons : [])].join(' ');
    }

    beforeEach(() => world.player());

    for (const [title, changes, expected] of [
      ['as agreed', {}, 'credit'],
      ['another payer', { payerMatch: 'mismatch', reported: payer(OTHER_CPF) }, 'review PAYER_MISMATCH'],
      ['no payer reported', { payerMatch: 'unknown', reported: null }, 'review PAYER_UNKNOWN'],
      ['a payer without document', { payerMatch: 'unknown', reported: payer(null) }, 'review PAYER_UNKNOWN'],
      ['another amount', { paidAmountMinor: 4999n }, 'review AMOUNT_MISMATCH'],
      ['paid late', { paidAt: '2026-11-21T15:30:00.001Z' }, 'review PAID_AFTER_EXPIRY'],
    ] as const) {
      it(`${title} → ${expected}`, async () => assert.equal(await assess(changes), expected));
    }

    it('require_payer_matches_player false: others may pay, blocked ones still not', async () => {
      await world.setRules({ require_payer_matches_player: false });
      assert.equal(await assess({ payerMatch: 'mismatch', reported: payer(OTHER_CPF) }), 'credit');
      await block('document', OTHER_CPF);
      assert.equal(await assess({ payerMatch: 'mismatch', reported: payer(OTHER_CPF) }), 'review PAYER_BLOCKED');
      assert.equal(await assess(), 'credit');
    });

    for (const [kind, value] of [
      ['player', 'player-1'],
      ['document', CPF],
    ] as const) {
      it(`the player's ${kind} blocked since creation → review PAYER_BLOCKED`, async () => {
        await block(kind, value);
        assert.equal(await assess({ reported: null }), 'review PAYER_BLOCKED');
      });
    }

    it('a masked document recognises nobody', async () => {
      await block('document', OTHER_CPF);
      assert.equal(
        await assess({ payerMatch: 'mismatch', reported: payer('***.447.777-**') }),
        'review PAYER_MISMATCH',
      );
    });
  });
});

describe('dispatch decisions', () => {
  let world: World;
  let withdrawalId: string;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(async () => {
    await world.anew();
    await world.player();
    withdrawalId = await world.withdrawal({ status: 'approved' });
  });

  const decide = (at = AT) => world.rules.decideDispatch({ id: withdrawalId, operationId: world.operationId, at });

  it('nothing in the way → send', async () => assert.deepEqual(await decide(), { kind: 'send', ruleSetVersion: 1 }));

  for (const [kind, value] of [
    ['player', 'player-1'],
    ['document', CPF],
    ['pix_key', CPF],
  ] as const) {
    it(`${kind} on the block list by now → blocked; on the review list → send: a person or the rules approved it`, async () => {
      const entry = { operationId: world.operationId, kind, value, person: 'test' };
      await addToList(world.database, sealer, { ...entry, list: 'review' });
      assert.equal((await decide()).kind, 'send');
      await addToList(world.database, sealer, { ...entry, list: 'block' });
      assert.deepEqual(await decide(), { kind: 'blocked', ruleSetVersion: 1 });
    });
  }

  it('outside the automatic hours → wait until they open', async () => {
    await world.setRules({ auto_hours: { from: '13:00', to: '18:00' } });
    assert.deepEqual(await decide(), {
      kind: 'wait',
      for: 'automatic_hours',
      until: '2026-11-21T16:00:00.000Z',
      ruleSetVersion: 2,
    });
    assert.equal((await decide('2026-11-21T16:00:00.000Z')).kind, 'send');
  });

  it('the operation suspended → wait', async () => {
    await world.database.operation.updateMany({ where: { id: world.operationId }, data: { status: 'suspended' } });
    assert.deepEqual(await decide(), { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 });
  });

  it('automatic withdrawals stopped → one that was approved automatically waits, one that people approved leaves', async () => {
    const { database, operationId } = world;
    const mode = (decisionMode: string) =>
      database.withdrawal.updateMany({ where: { id: withdrawalId }, data: { decisionMode } });
    await database.operation.updateMany({ where: { id: operationId }, data: { automaticStoppedAt: new Date() } });
    await mode('automatic');
    assert.deepEqual(await decide(), { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 });
    await mode('manual');
    assert.equal((await decide()).kind, 'send');
  });

  it('the provider paused → wait', async () => {
    const { provider } = await world.database.withdrawal.findUniqueOrThrow({ where: { id: withdrawalId } });
    const pause = { provider, pausedBy: 'ana', reason: 'an incident' };
    await world.database.providerPause.create({ data: pause });
    assert.deepEqual(await decide(), { kind: 'wait', for: 'provider_paused', until: null, ruleSetVersion: 1 });
    await world.database.providerPause.delete({ where: { provider } });
    assert.equal((await decide()).kind, 'send');
  });

  it('the cash box below zero → wait; at zero → send', async () => {
    const setBalance = (balanceMinor: number) =>
      world.database.ledgerAccount.updateMany({ where: { operationId: world.operationId }, data: { balanceMinor } });
    await setBalance(-1);
    assert.deepEqual(await decide(), { kind: 'wait', for: 'cash_box', until: null, ruleSetVersion: 1 });
    await setBalance(0);
    assert.equal((await decide()).kind, 'send');
  });

  it('a withdrawal of another operation does not exist', async () => {
    await assert.rejects(world.rules.decideDispatch({ id: withdrawalId, operationId: 'op_other', at: AT }), {
      row: 'Withdrawal',
    });
  });

  it('a wait that lasts is stored once, its end again', async () => {
    await world.database.operation.updateMany({ where: { id: world.operationId }, data: { status: 'suspended' } });
    for (const minute of ['00', '01', '02']) await decide(`2026-11-21T15:${minute}:00.000Z`);
    await world.database.operation.updateMany({ where: { id: world.operationId }, data: { status: 'active' } });
    await decide('2026-11-21T15:03:00.000Z');
    const stored = await world.database.decision.findMany({
      where: { objectId: withdrawalId },
      orderBy: { id: 'asc' },
    });
    assert.deepEqual(
      stored.map(({ outcome }) => (outcome as { kind: string }).kind),
      ['wait', 'send'],
    );
  });
});
