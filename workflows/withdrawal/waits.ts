// What a withdrawal waits for, as the Temporal UI shows it.
import { approvalsNeeded } from '../../domain/payments/withdrawal.js';
import type { Wait } from '../steps/status-reporter.js';
import type { Postponement, WithdrawalProcess } from './process.js';

export function keyWait(nextAt: string): Wait {
  return { for: 'key_owner', next: 'DICT is asked again', until: nextAt };
}

export function lookingUpKeyWait(since: string): Wait {
  return { for: 'key_owner', underWay: { what: 'DICT is being asked', since }, next: '', until: null };
}

export function reviewWait(run: WithdrawalProcess): Wait {
  const { state, withdrawal, payment } = run;
  const { reasons } = withdrawal.decision;
  const missing = approvalsNeeded(reasons) - state.approvals;
  // The operator's own reasons are free text and may name a person, so Temporal gets only their number.
  const { operatorReasons } = payment.context;
  const more = operatorReasons === 0 ? '' : `; OP: ${operatorReasons}, see gateway review show ${withdrawal.id}`;
  const why = `(${reasons.join(', ')}${more})`;
  switch (state.judgement) {
    case 'passed':
      return { for: 'review', next: `${missing} approval${missing === 1 ? '' : 's'} or a refusal ${why}`, until: null };
    case 'refused':
      return { for: 'review', next: `a refusal, or the operator cancels: the rules forbid it ${why}`, until: null };
    case 'none':
      return {
        for: 'review',
        next: `a person decides; the rules are asked again ${why}`,
        until: run.judgingNextAt,
      };
  }
}

export function judgingWait(run: WithdrawalProcess): Wait {
  return { ...reviewWait(run), next: 'the rules are being asked', until: null };
}

export function dispatchWait(postponed: Postponement): Wait {
  return postponed;
}

export function checkingWait(): Wait {
  const next = 'lists and cash box are checked, then it is sent';
  return { for: 'dispatch_check', next, until: null, isBrief: true };
}

export function sendingWait(since: string): Wait {
  const underWay = { what: 'it is being sent, once,', since };
  return { for: 'payout_reply', underWay, next: '', until: null, isBrief: true };
}

/** `since` is when the repeated look-ups began; `null` before the first. */
export function followWait(run: WithdrawalProcess, since: string | null): Wait {
  const isUnanswered = run.withdrawal.status === 'approved';
  const waited = isUnanswered ? 'payout_reply' : 'payout_result';
  const pending = pendingWriteOff(run);
  const next = isUnanswered ? `looked up by its reference${pending}` : `the provider is asked again${pending}`;
  const asked = isUnanswered ? `asked for it by its reference${pending}` : `asked how it stands${pending}`;
  if (since === null) return { for: waited, next, until: run.progress.lookUpAt };
  return { for: waited, underWay: { what: `the provider is being ${asked}`, since }, next: '', until: null };
}

export function lookUpWait(run: WithdrawalProcess, since: string): Wait {
  return run.isClosed
    ? { for: 'nothing', underWay: { what: 'the provider is being asked', since }, next: '', until: null }
    : followWait(run, since);
}

function pendingWriteOff({ state: { writeOffLapsesAt } }: WithdrawalProcess): string {
  return writeOffLapsesAt === null ? '' : ` (asked to be written off; another person confirms by ${writeOffLapsesAt})`;
}
