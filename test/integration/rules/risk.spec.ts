// The history behind a decision, read from a real database.
import assert from 'node:assert/strict';
import type { WithdrawalOrder } from '../../../contract/temporal/payment.js';
import { withAmounts } from '../../../domain/money.js';
import type { EngineRules } from '../../../domain/rules/engine-rules.js';
import { parseRuleSetDraft } from '../../../domain/rules/rule-set.js';
import type { RiskFacts } from '../../../domain/rules/risk-rules.js';
import { documentHash } from '../../../store/sealing/sealer.js';
import { engineRulesOf, insertRuleSet, setRules } from '../../../store/rules/rule-sets.js';
import { AT, CPF, OTHER_CPF, sealer, World } from './world.js';
import { openWithdrawalRequest, sealedWithdrawalOrder } from '../../../store/sealing/orders.js';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();

describe('the history behind a decision', () => {
  let world: World;
  before(async () => (world = await World.create()));
  after(() => world.destroy());
  beforeEach(() => world.anew({ first_withdrawal_manual: false, auto_multiplier: '1000' }));

  const engine = (rules: EngineRules, brl: object = { first_withdrawal_manual: false, auto_multiplier: '1000' }) =>
    setRules(world.database, {
      operationId: world.operationId,
      rules: parseRuleSetDraft({ currencies: { BRL: brl } }),
      engine: rules,
      createdBy: 'test',
    });
  const reasons = async (...given: Parameters<World['decide']>) => {
    const verdict = await world.decide(...given);
    return verdict.reasons;
  };
  const riskOf = async (order: WithdrawalOrder): Promise<RiskFacts> => {
    await world.rules.decideWithdrawal({ order, at: AT, keyOwner: 'not_asked', stage: 'creation' });
    const [row] = await world.database.decision.findMany({ where: { objectId: order.id } });
    return (withAmounts(row?.facts) as unknown as { risk: RiskFacts }).risk;
  };
  const paidBy = async (ref: string, payer: string, paidAt = ago(DAY_MS), amountMinor = 5000n) => {
    const id = await world.deposit({ ref, amountMinor });
    await world.database.deposit.update({
      where: { id },
      data: { payerDocumentHash: documentHash(sealer, world.operationId, payer), paidAt },
    });
  };

  it('sums and counts 7 and 30 days to the millisecond, and only what counts', async () => {
    await world.player();
    await world.withdrawal({ amountMinor: 1n, createdAt: ago(7 * DAY_MS) });
    await world.withdrawal({ amountMinor: 10n, createdAt: ago(7 * DAY_MS - 1) });
    await world.withdrawal({ amountMinor: 100n, createdAt: ago(30 * DAY_MS) });
    await world.withdrawal({ amountMinor: 1000n, createdAt: ago(30 * DAY_MS - 1) });
    await world.withdrawal({ amountMinor: 90000n, status: 'rejected', createdAt: ago(DAY_MS) });
    await world.withdrawal({ amountMinor: 90000n, currency: 'USD', createdAt: ago(DAY_MS) });
    await world.withdrawal({ ref: 'player-2', amountMinor: 90000n, createdAt: ago(DAY_MS) });
    const { windows, withdrawals, requestedAt } = await riskOf(world.withdrawalOrder());
    assert.deepEqual(windows, { d7: { amountMinor: 10n, count: 1 }, d30: { amountMinor: 1011n, count: 3 } });
    assert.deepEqual(
      withdrawals.map(({ amountMinor }) => amountMinor),
      [10n, 1n, 1000n],
    );
    assert.deepEqual(requestedAt, []);
  });

  it('requests and keys count whatever became of them', async () => {
    await world.player();
    const at = ago(DAY_MS - 1);
    await world.withdrawal({ status: 'rejected', createdAt: at, key: { type: 'email', value: 'one@example.test' } });
    await world.withdrawal({
      status: 'cancelled',
      createdAt: ago(DAY_MS),
      key: { type: 'email', value: 'two@example.test' },
    });
    await world.withdrawal({ createdAt: ago(30 * DAY_MS), key: { type: 'email', value: 'three@example.test' } });
    await world.withdrawal({ createdAt: ago(30 * DAY_MS - 1), key: { type: 'email', value: 'four@example.test' } });
    const { requestedAt, destinations30d } = await riskOf(world.withdrawalOrder());
    assert.deepEqual([requestedAt, destinations30d], [[at], 4]);
  });

  it('payers: many for one player, and one for many players', async () => {
    await world.player();
    await paidBy('player-1', CPF);
    await paidBy('player-1', OTHER_CPF, ago(30 * DAY_MS - 1), 700n);
    await paidBy('player-2', OTHER_CPF);
    await paidBy('player-3', OTHER_CPF);
    await paidBy('player-1', '11222333000181', ago(30 * DAY_MS));
    const { payers30d, playersOfPayers, deposits } = await riskOf(world.withdrawalOrder());
    assert.deepEqual([payers30d, playersOfPayers], [2, 3]);
    assert.deepEqual(deposits, [
      { at: ago(DAY_MS), amountMinor: 5000n },
      { at: ago(30 * DAY_MS - 1), amountMinor: 700n },
    ]);
  });

  it('the operator reports no play', async () => {
    await world.knownPlayer();
    const order = world.withdrawalOrder();
    const request = openWithdrawalRequest(sealer, order);
    const reporting = (result: unknown) =>
      world.rules.decideWithdrawal({
        order: sealedWithdrawalOrder(sealer, world.withdrawalOrder(), {
          ...request,
          player_context: { net_gaming_result: result },
        }),
        at: AT,
        keyOwner: 'not_asked',
        stage: 'creation',
      });
    assert.deepEqual((await reporting('0')).reasons, ['AML_NO_PLAY_REPORTED']);
    assert.deepEqual((await reporting({ amount: '0', currency: 'BRL' })).reasons, ['AML_NO_PLAY_REPORTED']);
    assert.deepEqual((await reporting('-100')).reasons, []);
    assert.deepEqual((await reporting(undefined)).reasons, []);
  });

  it('a VIP has the limits of the tier, nobody else', async () => {
    await world.knownPlayer();
    await engine({
      vip_players: { 'player-1': 'gold' },
      currencies: { BRL: { vip_tiers: { gold: { max_per_withdrawal: '4999' } } } },
    });
    assert.deepEqual(await reasons(), ['VIP_LIMIT_EXCEEDED']);
    await engine({
      vip_players: { 'player-2': 'gold' },
      currencies: { BRL: { vip_tiers: { gold: { max_per_withdrawal: '4999' } } } },
    });
    assert.deepEqual(await reasons(), []);
  });

  it('deposits: windows count what may still be money, unpaid ones what nobody paid', async () => {
    const order = world.depositOrder();
    const at = async (status: string, createdAt: string, paid = false) => {
      const id = await world.deposit({ status, amountMinor: 1000n });
      await world.database.deposit.update({ where: { id }, data: { createdAt, paidAt: paid ? createdAt : null } });
    };
    await at('paid', ago(60_000), true);
    await at('pending', ago(60_000));
    await at('expired', ago(60_000));
    await at('pending', ago(8 * DAY_MS));
    await world.rules.decideDeposit({ order, at: AT });
    const [row] = await world.database.decision.findMany({ where: { objectId: order.id } });
    const { history } = withAmounts(row?.facts) as unknown as {
      history: { recent: unknown[]; windows: object; unpaidAt: string[] };
    };
    assert.deepEqual(history.windows, {
      d7: { amountMinor: 2000n, count: 2 },
      d30: { amountMinor: 3000n, count: 3 },
    });
    assert.deepEqual([history.recent.length, history.unpaidAt.length], [2, 2]);
    await engine({
      currencies: {
        BRL: { deposits: { windows: { '7d': { max_amount: '6999' } }, unpaid: { window_minutes: 5, max_count: 2 } } },
      },
    });
    const verdict = await world.rules.decideDeposit({ order: world.depositOrder(), at: AT });
    assert.deepEqual(verdict.kind === 'refuse' && [verdict.code, verdict.reasons], [
      'velocity_exceeded',
      ['DEPOSIT_WINDOW_EXCEEDED', 'DEPOSIT_VELOCITY_UNPAID'],
    ]);
  });

  it('a later version that says nothing of the engine keeps its thresholds', async () => {
    await world.knownPlayer();
    await engine({ auto_suspended: true });
    await insertRuleSet(world.database, {
      operationId: world.operationId,
      rules: parseRuleSetDraft({ currencies: { BRL: { auto_multiplier: '1000' } } }),
      createdBy: 'test',
    });
    assert.deepEqual(await engineRulesOf(world.database, world.operationId), { auto_suspended: true });
    assert.deepEqual(await reasons(), ['OPERATION_AUTO_SUSPENDED']);
    await engine({});
    assert.deepEqual(await reasons(), []);
  });

  it('a person stops automatic withdrawals, whatever the rules say', async () => {
    await world.knownPlayer();
    await engine({});
    const stop = (automaticStoppedAt: Date | null) =>
      world.database.operation.updateMany({ where: { id: world.operationId }, data: { automaticStoppedAt } });
    await stop(new Date());
    assert.deepEqual(await reasons(), ['OPERATION_AUTO_SUSPENDED']);
    await stop(null);
    assert.deepEqual(await reasons(), []);
  });
});
