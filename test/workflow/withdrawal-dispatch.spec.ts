// Dispatch: the checks before the send, the one send, and a send whose outcome is unknown.
import assert from 'node:assert/strict';
import { checkAgain } from '../../contract/temporal/payment.js';
import { eventually } from '../../lab/harness/eventually.js';
import { useGateway } from './harness/gateway.js';
import type { WithdrawalCase } from './harness/withdrawal-case.js';
import { withoutPeople } from './harness/expect-outcome.js';

const RESERVED = { available: -3000, pending_out: 3000 };
const GONE = { available: -3000, provider_clearing: 3000 };
const APPROVED = ['withdrawal.approved@1'];
const PROCESSING = [...APPROVED, 'withdrawal.processing@2'];

describe('withdrawal: dispatch', () => {
  const gateway = useGateway();

  it('approved → cancelled: the cancel comes while lists and cash box are checked; nothing is sent', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatchGate.close();
    await withdrawal.create();
    await eventually(() => withdrawal.ruling.dispatchGate.queue > 0, 'the checks are under way');
    assert.deepEqual(await withdrawal.cancel(), { kind: 'done', snapshot: withoutPeople(withdrawal.row) });
    withdrawal.ruling.dispatchGate.open();
    await gateway.sleep(3600);
    await withdrawal.expectOutcome({
      status: 'cancelled',
      version: 2,
      events: [...APPROVED, 'withdrawal.cancelled@2'],
    });
    assert.equal(withdrawal.payout.sendGate.arrived, 0);
  });

  it('approved waits for the automatic hours, and is checked again when they open', async () => {
    const withdrawal = gateway.newWithdrawal();
    const opens = await gateway.now(2 * 3600);
    const closes = await gateway.now(6 * 3600);
    withdrawal.ruling.thresholds.timezone = 'UTC';
    withdrawal.ruling.thresholds.autoHours = { from: opens.slice(11, 16), to: closes.slice(11, 16) };
    await withdrawal.create();
    await gateway.sleepUntil(`${opens.slice(0, 16)}:00.000Z`, -2);
    await withdrawal.expectOutcome({ status: 'approved', version: 1, events: APPROVED, ledger: RESERVED });
    assert.deepEqual([...new Set(withdrawal.ruling.asked)], ['creation', 'dispatch']);
    await gateway.sleep(4);
    await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
  });

  for (const { alert, what, arrange, repair, withinSeconds } of [
    {
      what: 'the cash box is short',
      alert: 'CASH_BOX_SHORT',
      withinSeconds: 901,
      arrange: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.availableMinor = -1n),
      repair: ({ ruling }: WithdrawalCase) => void (ruling.dispatch.availableMinor = 0n),
    },
    {
      what: 'the rules are down',
      alert: 'DISPATCH_CHECK_UNAVAILABLE',
      withinSeconds: 50,
      arrange: ({ ruling }: WithdrawalCase) => void ruling.down.add('dispatch'),
      repair: ({ ruling }: WithdrawalCase) => void ruling.down.clear(),
    },
    {
      what: 'the environment guard refuses the send',
      alert: 'PAYOUT_ENVIRONMENT_GUARD',
      withinSeconds: 901,
      arrange: ({ stage }: WithdrawalCase) => void (stage.world.environment = 'production'),
      repair: ({ stage }: WithdrawalCase) => void (stage.world.environment = 'sandbox'),
    },
    {
      what: 'the account at the provider does not cover it',
      alert: 'PROVIDER_BALANCE_SHORT',
      withinSeconds: 901,
      arrange: ({ payout }: WithdrawalCase) => void (payout.isCovered = false),
      repair: ({ payout }: WithdrawalCase) => void (payout.isCovered = true),
    },
    {
      what: 'the provider cannot be reached',
      alert: 'PROVIDER_UNREACHABLE',
      withinSeconds: 50,
      arrange: ({ payout }: WithdrawalCase) =>
        void payout.sendAnswers.push(
          ...Array.from({ length: 500 }, () => ({ kind: 'not_sent', reason: 'ECONNREFUSED' }) as const),
        ),
      repair: ({ payout }: WithdrawalCase) => void payout.sendAnswers.splice(0),
    },
  ] as const) {
    it(
      `approved stays: ${what}; operations staff are alerted, and it continues by itself within ${withinSeconds} s and ` +
        `is sent once`,
      async () => {
        const withdrawal = gateway.newWithdrawal();
        arrange(withdrawal);
        await withdrawal.create();
        await gateway.sleep(3600);
        await withdrawal.expectOutcome({
          status: 'approved',
          version: 1,
          events: APPROVED,
          ledger: RESERVED,
          alerts: [alert],
        });
        assert.equal(withdrawal.payout.sendsThatLeft, 0);
        repair(withdrawal);
        await gateway.sleep(withinSeconds);
        await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
        await gateway.sleep(3600);
        assert.equal(withdrawal.payout.sendsThatLeft, 1);
      },
    );
  }

  it('approved stays: the database does not ask for the payout; staff are alerted once, and a cancel still counts', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.database.withdrawals.refusals.set(withdrawal.id, 'not_decided');
    await withdrawal.create();
    await gateway.sleep(7_200);
    const tries = withdrawal.ruling.asked.filter((stage) => stage === 'dispatch').length;
    assert.ok(tries > 3 && tries < 20, `tried ${tries} times`);
    await withdrawal.expectOutcome({
      status: 'approved',
      version: 1,
      events: APPROVED,
      ledger: RESERVED,
      alerts: ['NOT_IN_THE_BOOKS'],
    });
    await withdrawal.cancel();
    assert.equal(withdrawal.payout.sendsThatLeft, 0);
    assert.equal(withdrawal.database.withdrawals.record(withdrawal.id)?.snapshot.status, 'cancelled');
  });

  it('approved stays: the database does not ask for the payout; staff are alerted once, and a cancel still counts', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.database.withdrawals.refusals.set(withdrawal.id, 'not_decided');
    await withdrawal.create();
    await gateway.sleep(7_200);
    const tries = withdrawal.ruling.asked.filter((stage) => stage === 'dispatch').length;
    assert.ok(tries > 3 && tries < 20, `tried ${tries} times`);
    const held = { status: 'approved', version: 1, events: APPROVED, ledger: RESERVED } as const;
    await withdrawal.expectOutcome({ ...held, alerts: ['NOT_IN_THE_BOOKS'] });
    await withdrawal.cancel();
    assert.deepEqual([withdrawal.row.status, withdrawal.payout.sendsThatLeft], ['cancelled', 0]);
  });

  it('notified that its wait has ended: checked at once, and sent once; notified without a wait: ignored', async () => {
    const withdrawal = gateway.newWithdrawal();
    withdrawal.ruling.dispatch.availableMinor = -1n;
    await withdrawal.create();
    await gateway.sleep(3600);
    const handle = gateway.temporal.client.getHandle(withdrawal.id);
    const checks = () => withdrawal.ruling.asked.filter((stage) => stage === 'dispatch').length;
    const before = checks();
    await handle.signal(checkAgain);
    await eventually(() => checks() === before + 1, 'it is checked at once');
    const waiting = { status: 'approved', version: 1, events: APPROVED, ledger: RESERVED } as const;
    await withdrawal.expectOutcome({ ...waiting, alerts: ['CASH_BOX_SHORT'] });
    withdrawal.ruling.dispatch.availableMinor = 0n;
    await handle.signal(checkAgain);
    await gateway.sleep(2);
    await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
    await handle.signal(checkAgain);
    await gateway.sleep(3600);
    assert.equal(withdrawal.payout.sendsThatLeft, 1);
  });

  it('notified while a check is under way, which does not know yet: checked once more, at once', async () => {
    const withdrawal = gateway.newWithdrawal();
    const { ruling } = withdrawal;
    ruling.dispatch.availableMinor = -1n;
    await withdrawal.create();
    // By now the next check is a quarter of an hour away.
    await gateway.sleep(3600);
    ruling.dispatchGate.close();
    await withdrawal.handle.signal(checkAgain);
    // Slow rules are asked once more on their own queue. Only then does the workflow hear anything during the check.
    await eventually(() => ruling.dispatchGate.queue === 2, 'it is checked on the queue of the rules');
    let verdicts = 0;
    ruling.afterVerdict = () => {
      verdicts += 1;
      if (verdicts === 2) ruling.dispatch.availableMinor = 0n;
    };
    await withdrawal.handle.signal(checkAgain);
    ruling.dispatchGate.open();
    await gateway.sleep(2);
    await withdrawal.expectOutcome({ status: 'processing', version: 2, events: PROCESSING, ledger: RESERVED });
  });

  it('processing → paid: a callback ahead of the provider’s own answers, which show it a few seconds later', async () => {
    const withdrawal = gateway.newWithdrawal();
    await withdrawal.create();
    await withdrawal.untilStatus('processing');
    await withdrawal.notice();
    // At once, and then after pauses of two and five seconds.
    await eventually(() => withdrawal.payout.lookups === 2, 'the provider is asked');
    await gateway.sleep(3);
    await eventually(() => withdrawal.payout.lookups === 3, 'it is asked again');
    withdrawal.payout.settle(await gateway.now());
    await gateway.sleep(6);
    await withdrawal.expectOutcome({
      status: 'paid',
      version: 3,
      events: [...PROCESSING, 'withdrawal.paid@3'],
      ledger: GONE,
    });
    assert.equal(withdrawal.payout.lookups, 4);
  });
});
