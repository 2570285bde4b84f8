// What steps make of answers with a drifting clock, with a code of another charge, or that cannot be read: which times
// they take, and which alerts they raise.
import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/activity';
import { createChargeCalls, inconclusive } from '../../../activities/provider/charges.js';
import { createPayoutCalls } from '../../../activities/provider/payouts.js';
import { consequencesOf } from '../../../domain/payments/charge-findings.js';
import type { Charge, Provider, ReceivedPix, Unknown } from '../../../providers/port.js';
import type { GatewayAlert } from '../../../store/alerts/alerts.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';
import type { StoredWithdrawalOrder } from '../../../contract/temporal/payment.js';
import { depositOrder } from '../../../lab/harness/deposit-fixtures.js';
import { recordIn } from '../domain/deposit-records.js';

const sealer = new Sealer(keysInMemory([{ id: 'k1', key: Buffer.alloc(32, 7) }], Buffer.alloc(32, 9)));
const SINCE = '2026-11-21T12:00:00.000Z';
const AT = '2026-11-21T12:10:00.000Z';
const THREE_HOURS_MS = 3 * 3_600_000;
const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();

describe('doubtful answers', () => {
  let alerts: GatewayAlert[];
  beforeEach(() => {
    alerts = [];
  });
  const raise = async (alert: GatewayAlert) => void alerts.push(alert);
  const raised = () => alerts.map(({ kind, objectId }) => `${kind} ${objectId}`);
  const order = { ...depositOrder({ sealer, operationId: 'op_1' }), provider: 'a', expiresInSeconds: 1_800 };
  const calls = (provider: Partial<Provider>) => createChargeCalls(() => provider as Provider, sealer, raise);
  const of = (kind: string) => `${kind} ${order.id}`;

  const create = async (createdAt: string, at = AT, termMs = 1_800_000) => {
    const charge: Charge = {
      reference: 'r',
      copyPaste: 'code',
      qrCodePngBase64: null,
      createdAt,
      expiresAt: later(createdAt, termMs),
      amountMinor: 5_000n,
      sandboxMarker: true,
      isOfTestHost: false,
    };
    const provider = { createCharge: async () => ({ kind: 'created', charge }) as const };
    return calls(provider).createCharge({ order, span: { since: SINCE, at } });
  };

  for (const [title, ms] of [
    ['behind', -THREE_HOURS_MS],
    ['ahead', THREE_HOURS_MS],
  ] as const)
    it(`a bank whose clock is three hours ${title}: the code runs by ours, and people are told once`, async () => {
      const result = await create(later(AT, ms));
      const expiresAt = later(AT, 1_800_000);
      assert.ok(result.kind === 'created');
      assert.deepEqual([result.expiresAt, result.instructions.expiresAt], [expiresAt, expiresAt]);
      assert.deepEqual(raised(), ['PROVIDER_CLOCK_DIFFERS a']);
      assert.match(alerts[0]!.detail, new RegExp(`180 min .*${order.id}`));
    });

  it('a clock that agrees: the provider’s own term, and nothing to tell', async () => {
    const result = await create(later(AT, 1_000));
    assert.equal(result.kind === 'created' && result.expiresAt, later(AT, 1_801_000));
    assert.deepEqual(raised(), []);
  });

  it('a charge of an earlier request that is over is not delivered', async () =>
    assert.deepEqual(await create(SINCE, AT, 60_000), { kind: 'refused', failureCode: 'charge_expired' }));

  const lookUp = async (paidAt: string, createdAt: string | null = SINCE) => {
    const payment: ReceivedPix = {
      endToEndId: 'E1',
      amountMinor: 5_000n,
      paidAt,
      payer: null,
      reversals: [{ reference: 'D1', amountMinor: 1n, kind: 'refund', status: 'done', at: paidAt }],
      feeMinor: null,
    };
    const found = { kind: 'found', status: 'paid', createdAt, payments: [payment] } as const;
    const provider = { lookUpCharge: async () => found };
    return calls(provider).lookUpCharge({ order, span: { since: SINCE, at: AT } });
  };

  it('a payment of the future, or of before its charge, counts by our clock, in time, with an alert', async () => {
    for (const ms of [THREE_HOURS_MS, -THREE_HOURS_MS]) {
      alerts = [];
      const findings = await lookUp(later(AT, ms));
      const [payment] = findings.payments;
      assert.deepEqual([payment?.paidAt, payment?.reversals[0]?.at], [AT, AT]);
      assert.deepEqual(raised(), ['PROVIDER_CLOCK_DIFFERS a']);
      const answer = { kind: 'verdict', verdict: { kind: 'credit', ruleSetVersion: 1 } } as const;
      const { changes } = consequencesOf(recordIn('pending'), findings, answer, AT);
      assert.equal(changes[0]?.trigger, 'payment_matched');
    }
  });

  it('a clock that is wrong about the charge is not believed about its payment', async () => {
    const findings = await lookUp(later(SINCE, 60_000), later(SINCE, -THREE_HOURS_MS));
    assert.equal(findings.payments[0]?.paidAt, AT);
    assert.deepEqual(raised(), ['PROVIDER_CLOCK_DIFFERS a']);
  });

  it('a payment of a moment ago keeps its time, and none is of the future', async () => {
    assert.equal((await lookUp(later(AT, -1_000))).payments[0]?.paidAt, later(AT, -1_000));
    assert.equal((await lookUp(later(AT, 5_000))).payments[0]?.paidAt, AT);
    assert.deepEqual(raised(), []);
  });

  it('a payout of the future is paid now, with an alert', async () => {
    const payout = {
      reference: 'x',
      status: 'paid',
      endToEndId: 'E1',
      failureCode: null,
      returns: [],
      feeMinor: null,
    };
    const provider = {
      lookUpPayout: async () => ({ kind: 'found', payout: { ...payout, paidAt: later(AT, THREE_HOURS_MS) } }),
    } as unknown as Provider;
    const withdrawal = {
      id: 'wdr_1',
      provider: 'a',
      operationId: 'op_1',
      amountMinor: 7500n,
    } as StoredWithdrawalOrder;
    const { lookUpPayout } = createPayoutCalls(() => provider, sealer, raise);
    const found = await lookUpPayout({ order: withdrawal, span: { since: SINCE, at: AT } });
    assert.equal(found.kind === 'found' && found.payout.paidAt, AT);
    assert.deepEqual(raised(), ['PROVIDER_CLOCK_DIFFERS a']);
  });

  const failure = async (answer: Unknown) => {
    const provider = { lookUpCharge: async () => answer };
    try {
      await calls(provider).lookUpCharge({ order, span: { since: SINCE, at: AT } });
    } catch (error) {
      return error as ApplicationFailure;
    }
    return assert.fail('it was answered');
  };

  it('an unreadable look-up is an alert at once, with the field', async () => {
    await failure({
      kind: 'unknown',
      reason: 'unreadable_answer',
      doubt: { kind: 'unreadable', field: 'pix.0.valor' },
    });
    assert.deepEqual(raised(), [of('ANSWER_UNREADABLE')]);
    assert.match(alerts[0]!.detail, /pix\.0\.valor \(unreadable_answer\)/);
  });

  it('a code of another charge is an alert at once', async () => {
    const reason = 'br_code_of_another_key';
    await failure({ kind: 'unknown', reason, doubt: { kind: 'foreign_code' } });
    assert.deepEqual(raised(), [of('CODE_OF_ANOTHER_CHARGE')]);
  });

  it('silence is none', async () => {
    assert.equal((await failure({ kind: 'unknown', reason: 'timeout' })).nextRetryDelay, undefined);
    assert.deepEqual(raised(), []);
  });

  it('a provider that wants no calls: the step waits, a minute at most for each try, and people are told', async () => {
    const { nextRetryDelay } = await failure({ kind: 'unknown', reason: 'http_429', retryAfterSeconds: 3_600 });
    assert.equal(nextRetryDelay, 60_000);
    assert.deepEqual(raised(), ['PROVIDER_TOLD_TO_WAIT a']);
    assert.equal(inconclusive('http_429', 5).nextRetryDelay, 5_000);
    alerts = [];
    await failure({ kind: 'unknown', reason: 'http_429', retryAfterSeconds: 5 });
    assert.deepEqual(raised(), []);
  });

  it('an alert that cannot be stored costs no answer', async () => {
    const found = { kind: 'found', status: 'open', createdAt: later(AT, THREE_HOURS_MS), payments: [] };
    const provider = { lookUpCharge: async () => found } as unknown as Provider;
    const broken = createChargeCalls(
      () => provider,
      sealer,
      async () => assert.fail('the database is down'),
    );
    assert.equal((await broken.lookUpCharge({ order, span: { since: SINCE, at: AT } })).status, 'open');
  });
});
