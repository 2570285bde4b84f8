// What time does to a payment, on a server whose time is skipped.
import type { DepositCase } from '../harness/deposit-case.js';
import type { Gateway } from '../harness/gateway.js';
import type { WithdrawalCase } from '../harness/withdrawal-case.js';
import { eventually } from '../../../lab/harness/eventually.js';
import {
  timedLives,
  type TimedDeposit,
  type TimedGateway,
  type TimedPayment,
  type TimedWithdrawal,
} from '../../support/timed-lives.js';

export function timedLivesTests(gateway: Gateway): void {
  describe('what time does, as the sandbox’s clock shows it', () => timedLives(() => timed(gateway)));
}

function timed(gateway: Gateway): TimedGateway {
  return {
    latenessSeconds: 20,
    advanceTo: (moment) => gateway.sleepUntil(moment),
    deposit: async () => timedDeposit(await gateway.pendingDeposit({ expiresInSeconds: 300 })),
    async withdrawalOfUnknownKey() {
      const withdrawal = gateway.newWithdrawal({ keyInDirectory: true });
      withdrawal.payout.keyOwner = 'unavailable';
      await withdrawal.create();
      return timedWithdrawal(withdrawal);
    },
    async withdrawalOfUnknownOutcome() {
      const withdrawal = gateway.newWithdrawal();
      withdrawal.payout.sendAnswers.push('times_out_lost');
      await withdrawal.create();
      await eventually(() => withdrawal.payout.sendsThatLeft === 1, 'it was sent');
      return timedWithdrawal(withdrawal);
    },
  };
}

function timedPayment(payment: DepositCase | WithdrawalCase): TimedPayment {
  return {
    status: () => Promise.resolve(payment.row.status),
    events: () =>
      Promise.resolve(
        payment.database.events
          .filter(({ objectId }) => objectId === payment.id)
          .map(({ type, object }) => ({ type, at: object.updatedAt })),
      ),
  };
}

function timedDeposit(deposit: DepositCase): TimedDeposit {
  return {
    ...timedPayment(deposit),
    expiresAt: deposit.row.expiresAt,
    pay: async () => void (await deposit.pay()),
    refuseWebhooks: () => void (deposit.inbox.answer = 500),
    approve: async () => void (await deposit.review('approve')),
    attempts: (type) =>
      Promise.resolve(
        deposit.inbox.attempts.filter((one) => one.type === type).map(({ atMs }) => new Date(atMs).toISOString()),
      ),
  };
}

function timedWithdrawal(withdrawal: WithdrawalCase): TimedWithdrawal {
  return {
    ...timedPayment(withdrawal),
    createdAt: withdrawal.row.createdAt,
    reasons: () => Promise.resolve(withdrawal.row.decision.reasons),
    async settle() {
      withdrawal.payout.arriveLate();
      withdrawal.payout.settle(new Date().toISOString());
      await withdrawal.notice();
    },
  };
}
