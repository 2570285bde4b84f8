// The history behind a decision, read from a real database, and the operation's automatic cap when many are decided at once.
import assert from 'node:assert/strict';
import { createWithdrawalStore } from '../../../activities/store/withdrawals.js';
import type { WithdrawalOrder } from '../../../contract/temporal/withdrawal.js';
import type { EngineRules } from '../../../domain/rules/engine-rules.js';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import { documentHash } from '../../../store/lookup-hashes.js';
import { engineRulesOf, setRules } from '../../../store/engine-rules.js';
import { insertRuleSet } from '../../../store/rule-sets.js';
import { AT, CPF, OTHER_CPF, sealer, World } from './world.js';

const DAY_MS = 86_400_000;
/** One of each player. */
const CPFS = ['12345671050', '12345671130', '12345671211', '12345671300', '12345671483', '12345671564', '12345671645', '12345671726'];
const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();

describe('the history behind a decision', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ first_withdrawal_manual: false, auto_multiplier: '1000' }));

  const engine = (rules: EngineRules, brl: object = { first_withdrawal_manual: false, auto_multiplier: '1000' }) =>
    setRules(world.database, { operationId: world.operationId, rules: parseRuleSetDraft({ currencies: { BRL: brl } }), engine: rules, createdBy: 'test' });
  const reasons = async (...given: Parameters<World['decide']>) => {
    const verdict = await world.decide(...given);
    return verdict.reasons;
  };
  const riskOf = async (order: WithdrawalOrder): Promise<RiskFacts> => {
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    const [row] = await world.database.decision.findMany({ where: { objectId: order.withdrawalId } });
    return (row?.facts as unknown as { risk: RiskFacts }).risk;
  };
  const paidBy = async (ref: string, payer: string, paidAt = ago(DAY_MS), amountMinor = '5000') => {
    const id = await world.deposit({ ref, amountMinor });
    await world.database.deposit.update({ where: { id }, data: { payerDocumentHash: documentHash(sealer, payer), paidAt } });
  };

  it('sums and counts 7 and 30 days to the millisecond, and only what counts', async () => {
    await world.player();
    await world.withdrawal({ amountMinor: '1', createdAt: ago(7 * DAY_MS) });
    await world.withdrawal({ amountMinor: '10', createdAt: ago(7 * DAY_MS - 1) });
    await world.withdrawal({ amountMinor: '100', createdAt: ago(30 * DAY_MS) });
    await world.withdrawal({ amountMinor: '1000', createdAt: ago(30 * DAY_MS - 1) });
    await world.withdrawal({ amountMinor: '90000', status: 'rejected', createdAt: ago(DAY_MS) });
    await world.withdrawal({ amountMinor: '90000', currency: 'USD', createdAt: ago(DAY_MS) });
    await world.withdrawal({ ref: 'player-2', amountMinor: '90000', createdAt: ago(DAY_MS) });
    const { windows, withdrawals, requestedAt } = await riskOf(world.withdrawalOrder());
    assert.deepEqual(windows, { d7: { amountMinor: '10', count: 1 }, d30: { amountMinor: '1011', count: 3 } });
    assert.deepEqual(withdrawals.map(({ amountMinor }) => amountMinor), ['10', '1', '1000']);
    assert.deepEqual(requestedAt, []);
  });

  it('requests and keys count whatever became of them', async () => {
    await world.player();
    const at = ago(DAY_MS - 1);
    await world.withdrawal({ status: 'rejected', createdAt: at, key: { type: 'email', value: 'one@example.test' } });
    await world.withdrawal({ status: 'cancelled', createdAt: ago(DAY_MS), key: { type: 'email', value: 'two@example.test' } });
    await world.withdrawal({ createdAt: ago(31 * DAY_MS), key: { type: 'email', value: 'three@example.test' } });
    const { requestedAt, destinations30d } = await riskOf(world.withdrawalOrder());
    assert.deepEqual([requestedAt, destinations30d], [[at], 3]);
  });

  it('payers: many for one player, and one for many players', async () => {
    await world.player();
    await paidBy('player-1', CPF);
    await paidBy('player-1', OTHER_CPF);
    await paidBy('player-2', OTHER_CPF);
    await paidBy('player-3', OTHER_CPF);
    await paidBy('player-1', '11222333000181', ago(31 * DAY_MS));
    const { payers30d, playersOfPayers, deposits } = await riskOf(world.withdrawalOrder());
    assert.deepEqual([payers30d, playersOfPayers, deposits.length], [2, 3, 2]);
    await engine({ currencies: { BRL: { aml: { max_payers_30d: 1, shared_payer_players: 3 } } } });
    assert.deepEqual(await reasons(), ['AML_SHARED_PAYER', 'AML_MANY_PAYERS']);
    await engine({ currencies: { BRL: { aml: { max_payers_30d: 2, shared_payer_players: 4 } } } });
    assert.deepEqual(await reasons(), []);
  });

  it('the operator reports no play', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder();
    const sealed = sealer.openJson<object>(order.sealedRequest);
    const reporting = (result: unknown) =>
      world.rules.decideWithdrawal({ order: { ...world.withdrawalOrder(), sealedRequest: sealer.sealJson({ ...sealed, player_context: { net_gaming_result: result } }) }, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    assert.deepEqual((await reporting('0')).reasons, ['AML_NO_PLAY_REPORTED']);
    assert.deepEqual((await reporting({ amount: '0', currency: 'BRL' })).reasons, ['AML_NO_PLAY_REPORTED']);
    assert.deepEqual((await reporting('-100')).reasons, []);
    assert.deepEqual((await reporting(undefined)).reasons, []);
  });

  it('hard limits refuse with velocity_exceeded', async () => {
    await world.knownPlayer();
    await world.withdrawal({ amountMinor: '3000', createdAt: ago(60_000) });
    await engine({ currencies: { BRL: { windows: { '30d': { max_amount: '8000' } }, velocity: { window_minutes: 10, refuse_above: 1 } } } });
    const verdict = await world.decide({ amountMinor: '5001' });
    assert.deepEqual([verdict.kind, verdict.kind === 'refuse' && verdict.code, verdict.reasons], ['refuse', 'velocity_exceeded', ['VELOCITY_HARD_LIMIT', 'WINDOW_HARD_LIMIT']]);
  });

  it('a VIP has the limits of the tier, nobody else', async () => {
    await world.knownPlayer();
    await engine({ vip_players: { 'player-1': 'gold' }, currencies: { BRL: { vip_tiers: { gold: { max_per_withdrawal: '4999' } } } } });
    assert.deepEqual(await reasons(), ['VIP_LIMIT_EXCEEDED']);
    await engine({ vip_players: { 'player-2': 'gold' }, currencies: { BRL: { vip_tiers: { gold: { max_per_withdrawal: '4999' } } } } });
    assert.deepEqual(await reasons(), []);
  });

  it('deposits: windows count what may still be money, unpaid ones what nobody paid', async () => {
    const order = world.depositOrder();
    const at = async (status: string, createdAt: string, paid = false) => {
      const id = await world.deposit({ status, amountMinor: '1000' });
      await world.database.deposit.update({ where: { id }, data: { createdAt, paidAt: paid ? createdAt : null } });
    };
    await at('paid', ago(60_000), true);
    await at('pending', ago(60_000));
    await at('expired', ago(60_000));
    await at('pending', ago(8 * DAY_MS));
    await world.rules.decideDeposit({ order, at: AT });
    const [row] = await world.database.decision.findMany({ where: { objectId: order.depositId } });
    const { history } = row?.facts as unknown as { history: { recent: unknown[]; windows: object; unpaidAt: string[] } };
    assert.deepEqual(history.windows, { d7: { amountMinor: '2000', count: 2 }, d30: { amountMinor: '3000', count: 3 } });
    assert.deepEqual([history.recent.length, history.unpaidAt.length], [2, 2]);
    await engine({ currencies: { BRL: { deposits: { windows: { '7d': { max_amount: '6999' } }, unpaid: { window_minutes: 5, max_count: 2 } } } } });
    const verdict = await world.rules.decideDeposit({ order: world.depositOrder(), at: AT });
    assert.deepEqual(verdict.kind === 'refuse' && [verdict.code, verdict.reasons], ['velocity_exceeded', ['DEPOSIT_WINDOW_EXCEEDED', 'DEPOSIT_VELOCITY_UNPAID']]);
  });

  it('a later version that says nothing of the engine keeps its thresholds', async () => {
    await world.knownPlayer();
    await engine({ auto_suspended: true });
    await insertRuleSet(world.database, { operationId: world.operationId, rules: parseRuleSetDraft({ currencies: { BRL: { auto_multiplier: '1000' } } }), createdBy: 'test' });
    assert.deepEqual(await engineRulesOf(world.database, world.operationId), { auto_suspended: true });
    assert.deepEqual(await reasons(), ['OPERATION_AUTO_SUSPENDED']);
    await engine({});
    assert.deepEqual(await reasons(), []);
  });

  describe('the operation’s automatic cap', () => {
    async function create(order: WithdrawalOrder, at = AT): Promise<string> {
      const store = createWithdrawalStore(world.database, sealer);
      for (let attempt = 1; attempt <= 30; attempt += 1) {
        const verdict = await world.rules.decideWithdrawal({ order, at, keyOwner: 'not_asked', stage: 'creation' });
        if (verdict.kind === 'refuse') return verdict.code;
        const status = verdict.kind === 'automatic' ? 'approved' : 'under_review';
        const withdrawal = {
          id: order.withdrawalId, operationId: order.operationId, externalId: order.externalId, status, version: 1, amountMinor: order.amountMinor, currency: 'BRL', feeMinor: null,
          method: 'pix', playerRef: order.playerRef, provider: 'simulator', pspReference: null, failureCode: null, createdAt: at, updatedAt: at, paidAt: null,
          decision: { mode: verdict.kind === 'automatic' ? 'automatic' : 'manual', reasons: verdict.reasons, ruleSetVersion: 1, decidedBy: [], decidedAt: at },
        } as const;
        const { kind } = await store.admitWithdrawal({ order, withdrawal, event: null, playerRevision: verdict.playerRevision, automaticUse: verdict.automaticUse ?? null });
        if (kind === 'admitted') return `${status} ${verdict.reasons.join()}`.trim();
        if (kind !== 'stale') return kind;
      }
      return 'never admitted';
    }

    beforeEach(async () => {
      await world.database.operationCounter.create({ data: { operationId: world.operationId } });
      await world.database.ledgerAccount.create({ data: { operationId: world.operationId, currency: 'BRL', account: 'pending_out' } });
    });

    it('of eight players at once only as many go out automatically as fit', async () => {
      await engine({ currencies: { BRL: { operation_auto_cap: { per_hour: '15999' } } } });
      for (let player = 1; player <= 8; player += 1) await world.deposit({ ref: `player-${player}` });
      const results = await Promise.all(CPFS.map((number, index) => create(world.withdrawalOrder({ ref: `player-${index + 1}`, document: { type: 'CPF', number }, key: { type: 'cpf', value: number } }))));
      assert.deepEqual(results.sort(), [...Array.from({ length: 3 }, () => 'approved'), ...Array.from({ length: 5 }, () => 'under_review OPERATION_AUTO_CAP_EXCEEDED')]);
      const [use] = await world.database.automaticUse.findMany({ where: { operationId: world.operationId } });
      assert.equal(use?.hourMinor.toFixed(0), '15000');
    });

    it('counts also what comes out of `requested` automatically, once however often that is stored', async () => {
      await engine({ currencies: { BRL: { operation_auto_cap: { per_hour: '9999' } } } });
      await world.deposit({ amountMinor: '100000' });
      const id = await world.withdrawal({ status: 'requested', createdAt: AT });
      const store = createWithdrawalStore(world.database, sealer);
      const { withdrawal } = await store.loadWithdrawal({ withdrawalId: id, operationId: world.operationId });
      const automaticUse = { hour: '2026-11-21T15', day: '2026-11-21', perHourMinor: null, perDayMinor: null };
      const decided = { withdrawal: { ...withdrawal, status: 'approved', version: 2 }, sealedRequest: '', fromVersion: 1, event: null, movement: null, alert: null, resolves: [], automaticUse } as const;
      await store.storeWithdrawal(decided);
      await store.storeWithdrawal(decided);
      assert.equal((await world.database.automaticUse.findFirst({ where: { operationId: world.operationId } }))?.hourMinor.toFixed(0), '5000');
      assert.equal(await create(world.withdrawalOrder()), 'under_review OPERATION_AUTO_CAP_EXCEEDED');
    });

    it('counts the hour and the day, and starts anew in the next', async () => {
      await engine({ currencies: { BRL: { operation_auto_cap: { per_hour: '10000', per_day: '15000' } } } });
      await world.deposit({ amountMinor: '100000' });
      const go = (at = AT) => create(world.withdrawalOrder(), at);
      assert.deepEqual([await go(), await go()], ['approved', 'approved']);
      assert.equal(await go(), 'under_review OPERATION_AUTO_CAP_EXCEEDED');
      const nextHour = '2026-11-21T16:00:00.000Z';
      assert.equal(await go(nextHour), 'approved');
      assert.equal(await go(nextHour), 'under_review OPERATION_AUTO_CAP_EXCEEDED', 'the day');
      assert.equal(await go('2026-11-22T03:00:00.000Z'), 'approved', 'the next local day');
    });
  });
});
