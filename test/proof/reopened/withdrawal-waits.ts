// The waits of a withdrawal.
import assert from 'node:assert/strict';
import type { Withdrawal } from '../../../prisma/generated/client.js';
import { USUAL_BALANCE_MINOR } from '../../support/fakes/provider-port.js';
import { fundedOperation } from '../harness/stage.js';
import { ProvedWithdrawal, type WithdrawalSettings } from '../harness/withdrawal.js';
import { alerted, caseOf, soon } from './cases.js';

type Script = Omit<Parameters<typeof caseOf<ProvedWithdrawal>>[0], 'open'>;

function waits({ settings, ...script }: Script & { readonly settings?: WithdrawalSettings }) {
  return caseOf<ProvedWithdrawal>({
    open: async (stage) => new ProvedWithdrawal(stage, await fundedOperation(stage), settings),
    ...script,
  });
}

const PAID = { status: 'paid', movements: ['withdrawal_reserved', 'withdrawal_paid'], sends: 1 } as const;
const NOTHING_SENT = { movements: ['withdrawal_reserved', 'withdrawal_released'], sends: 0 } as const;

/** The provider pays it out, and says so. */
async function isPaidOut(withdrawal: ProvedWithdrawal): Promise<void> {
  withdrawal.payout.settle(new Date().toISOString());
  await withdrawal.notice();
  await withdrawal.reaches('paid');
}

async function isSent(withdrawal: ProvedWithdrawal): Promise<void> {
  await withdrawal.create();
  await withdrawal.reaches('processing');
}

/** Automatic hours (UTC) that begin in two hours. */
async function laterHours({ stage }: ProvedWithdrawal): Promise<{ from: string; to: string }> {
  const now = await stage.temporal.nowMs();
  const hourAt = (hours: number) => new Date(now + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: hourAt(2), to: hourAt(3) };
}

async function isSuspended(withdrawal: ProvedWithdrawal): Promise<void> {
  withdrawal.ruling.dispatch.operationSuspended = true;
  await withdrawal.create();
  await alerted(withdrawal, 'OPERATION_SUSPENDED');
}

/** It is sent at some time, and paid out. */
async function isSentAndPaid(withdrawal: ProvedWithdrawal): Promise<void> {
  await withdrawal.reaches('processing');
  await isPaidOut(withdrawal);
}

export const KEY_HOLDER = waits({
  name: 'the directory does not answer',
  settings: { inDirectory: true },
  enter: (withdrawal) => {
    withdrawal.key.holder = 'unavailable';
    return withdrawal.create();
  },
  goOn: (withdrawal) => {
    withdrawal.key.holder = 'match';
    return isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const ANOTHER_HOLDER = waits({
  name: 'the directory did not answer, and then names another holder',
  settings: { inDirectory: true },
  enter: (withdrawal) => {
    withdrawal.key.holder = 'unavailable';
    return withdrawal.create();
  },
  goOn: (withdrawal) => {
    withdrawal.key.holder = 'mismatch';
    return withdrawal.reaches('rejected');
  },
  end: { status: 'rejected', ...NOTHING_SENT },
});

export const UNJUDGED = waits({
  name: 'the rules have not judged it',
  enter: (withdrawal) => {
    withdrawal.ruling.down.add('creation').add('review');
    return withdrawal.create();
  },
  goOn: async (withdrawal) => {
    assert.equal(await withdrawal.review('approve'), 'rules_unavailable', 'no approval of what nobody judged');
    withdrawal.ruling.down.clear();
    assert.equal(await withdrawal.review('approve'), 'done');
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const UNJUDGED_BLOCKED = waits({
  name: 'the rules have not judged it, and then refuse it',
  enter: (withdrawal) => {
    withdrawal.ruling.down.add('creation').add('review');
    return withdrawal.create();
  },
  goOn: async (withdrawal) => {
    withdrawal.ruling.withdrawal.playerBlocked = true;
    withdrawal.ruling.down.clear();
    assert.equal(await withdrawal.review('approve'), 'refused_by_rules');
    await withdrawal.review('refuse', 'bob');
  },
  end: { status: 'rejected', ...NOTHING_SENT },
});

export const UNJUDGED_ASKED_FOR = waits({
  name: 'the rules have not judged it, and the operator asked for a review',
  settings: { reviewRequested: true },
  enter: (withdrawal) => {
    withdrawal.ruling.down.add('creation').add('review');
    return withdrawal.create();
  },
  goOn: async (withdrawal) => {
    withdrawal.ruling.down.clear();
    assert.equal(await withdrawal.review('approve'), 'done');
    const row = (await withdrawal.read())?.row as Withdrawal;
    assert.deepEqual(row.decisionReasons, ['RULES_UNAVAILABLE', 'OPERATOR_REVIEW_REQUESTED']);
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const REVIEW = waits({
  name: 'nobody has decided',
  settings: { reviewRequested: true },
  enter: (withdrawal) => withdrawal.create(),
  goOn: async (withdrawal) => {
    assert.equal(await withdrawal.review('approve'), 'done');
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const SECOND_APPROVAL = waits({
  name: 'one of two people has approved',
  settings: { reviewRequested: true },
  enter: async (withdrawal) => {
    withdrawal.ruling.thresholds.dualApprovalAboveMinor = 1n;
    await withdrawal.create();
    await withdrawal.review('approve', 'ana');
  },
  goOn: async (withdrawal) => {
    assert.equal(await withdrawal.review('approve', 'ana'), 'same_person');
    await withdrawal.review('approve', 'bob');
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const HOURS = waits({
  name: 'the automatic hours are over',
  enter: async (withdrawal) => {
    Object.assign(withdrawal.ruling.thresholds, { timezone: 'UTC', autoHours: await laterHours(withdrawal) });
    await withdrawal.create();
  },
  goOn: async (withdrawal) => {
    delete withdrawal.ruling.thresholds.autoHours;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const CASH_BOX = waits({
  name: 'the cash box is short',
  enter: async (withdrawal) => {
    withdrawal.ruling.dispatch.availableMinor = -1n;
    await withdrawal.create();
    await alerted(withdrawal, 'CASH_BOX_SHORT');
  },
  goOn: async (withdrawal) => {
    delete withdrawal.ruling.dispatch.availableMinor;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const ACCOUNT_SHORT = waits({
  name: 'the account at the provider does not cover it',
  settings: { amountMinor: USUAL_BALANCE_MINOR + 1n },
  enter: async (withdrawal) => {
    await withdrawal.create();
    await alerted(withdrawal, 'PROVIDER_BALANCE_SHORT');
  },
  goOn: async (withdrawal) => {
    withdrawal.stage.port.balanceMinor *= 10n;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const SUSPENDED = waits({
  name: 'the operation is suspended',
  enter: isSuspended,
  goOn: async (withdrawal) => {
    withdrawal.ruling.dispatch.operationSuspended = false;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const PAUSED = waits({
  name: 'the provider is paused',
  enter: async (withdrawal) => {
    withdrawal.ruling.dispatch.providerPaused = true;
    await withdrawal.create();
    await alerted(withdrawal, 'PROVIDER_PAUSED');
  },
  goOn: async (withdrawal) => {
    withdrawal.ruling.dispatch.providerPaused = false;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const BLOCKED_MEANWHILE = waits({
  name: 'the operation is suspended, and the player is blocked meanwhile',
  enter: isSuspended,
  goOn: async (withdrawal) => {
    withdrawal.ruling.dispatch.playerBlocked = true;
    await withdrawal.reaches('cancelled');
  },
  end: { status: 'cancelled', ...NOTHING_SENT },
});

export const RULES_AWAY = waits({
  name: 'the rules engine does not answer',
  enter: async (withdrawal) => {
    withdrawal.ruling.down.add('dispatch');
    await withdrawal.create();
    await alerted(withdrawal, 'DISPATCH_CHECK_UNAVAILABLE');
  },
  goOn: async (withdrawal) => {
    withdrawal.ruling.down.clear();
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const NOT_SENT = waits({
  name: 'the provider was not reached, and nothing left',
  enter: async (withdrawal) => {
    withdrawal.payout.fates.push('not_sent', 'not_sent', 'not_sent', 'not_sent');
    await withdrawal.create();
    await alerted(withdrawal, 'PROVIDER_UNREACHABLE');
  },
  goOn: async (withdrawal) => {
    withdrawal.payout.fates.splice(0);
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const SENDING = waits({
  name: 'the send is under way',
  enter: async (withdrawal) => {
    withdrawal.payout.sendGate.close();
    void withdrawal.create().catch(() => undefined);
    await soon(() => withdrawal.payout.sendGate.queue > 0, 'the send');
  },
  mayHaveLeft: true,
  goOn: async (withdrawal) => {
    withdrawal.payout.sendGate.open();
    await soon(() => withdrawal.payout.sends === 1, 'the send leaves');
    await isPaidOut(withdrawal);
  },
  end: PAID,
});

export const UNKNOWN = waits({
  name: 'the outcome of the send is unknown',
  enter: async (withdrawal) => {
    withdrawal.payout.isSilent = true;
    withdrawal.payout.fates.push('taken_unheard');
    await withdrawal.create();
    await soon(() => withdrawal.payout.sends === 1, 'the send leaves');
  },
  mayHaveLeft: true,
  goOn: async (withdrawal) => {
    withdrawal.payout.isSilent = false;
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const NO_TRACE = waits({
  name: 'the provider shows no trace of it, and the player was blocked since',
  enter: async (withdrawal) => {
    withdrawal.payout.fates.push('lost');
    await withdrawal.create();
    await soon(() => withdrawal.payout.sends === 1, 'the send leaves');
    withdrawal.ruling.dispatch.playerBlocked = true;
  },
  mayHaveLeft: true,
  goOn: async (withdrawal) => {
    // Late, but there.
    withdrawal.providerSays({ status: 'processing' });
    await isSentAndPaid(withdrawal);
  },
  end: PAID,
});

export const PROCESSING = waits({
  name: 'the provider has not finished it',
  enter: isSent,
  mayHaveLeft: true,
  goOn: isPaidOut,
  end: PAID,
});

export const SETTLED_UNHEARD = waits({
  name: 'the provider finished it, and no callback came',
  enter: async (withdrawal) => {
    await isSent(withdrawal);
    withdrawal.payout.fail('AC03');
  },
  mayHaveLeft: true,
  goOn: (withdrawal) => withdrawal.reaches('failed'),
  end: { status: 'failed', movements: NOTHING_SENT.movements, sends: 1 },
});

export const CLOSED = waits({
  name: 'it is over, and a return was announced',
  enter: async (withdrawal) => {
    await isSent(withdrawal);
    await isPaidOut(withdrawal);
    withdrawal.payout.giveBack(new Date().toISOString());
    withdrawal.payout.isSilent = true;
    await withdrawal.notice();
  },
  mayHaveLeft: true,
  goOn: async (withdrawal) => {
    withdrawal.payout.isSilent = false;
    await withdrawal.reaches('returned');
  },
  end: { status: 'returned', movements: ['withdrawal_reserved', 'withdrawal_paid', 'withdrawal_returned'], sends: 1 },
});
