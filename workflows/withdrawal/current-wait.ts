// What a withdrawal waits for in each state, as the Temporal UI shows it.
import { approvalsNeeded } from '../../domain/withdrawal.js';
import { NO_WAIT, type Wait } from '../steps/status-reporter.js';
import type { DispatchPhase } from './dispatch.js';
import type { KeyCheck } from './key-check.js';
import type { LookUps } from './look-ups.js';
import type { WithdrawalRecord } from './record.js';
import type { WriteOff } from './write-off.js';

interface Progress {
  readonly keyCheck: KeyCheck;
  readonly dispatch: DispatchPhase;
  readonly lookUps: LookUps;
  readonly writeOff: WriteOff;
}

type Step = Pick<Wait, 'underWay' | 'next' | 'until'>;

export function currentWait(record: WithdrawalRecord, progress: Progress): Wait {
  switch (record.withdrawal.status) {
    case 'requested':
      return { for: 'key_owner', ...keyStep(progress.keyCheck) };
    case 'under_review':
      return { for: 'review', next: reviewStep(record), until: null };
    case 'approved':
      return dispatchWait(progress);
    case 'processing': {
      const step = lookUpStep(progress.lookUps, 'asked how it stands', 'the provider is asked again');
      return { for: 'payout_result', ...step };
    }
    case 'paid':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'returned':
      return NO_WAIT;
  }
}

function reviewStep({ withdrawal, order }: WithdrawalRecord): string {
  const { reasons, decidedBy } = withdrawal.decision;
  const missing = approvalsNeeded(reasons) - decidedBy.length;
  // The operator's own reasons are free text and may name a person, so Temporal gets only their number.
  const { operatorReasons } = order;
  const more = operatorReasons === 0 ? '' : `; OP: ${operatorReasons}, see gateway review show ${withdrawal.id}`;
  return `${missing} approval${missing === 1 ? '' : 's'} or a refusal (${reasons.join(', ')}${more})`;
}

function dispatchWait({ dispatch, lookUps, writeOff }: Progress): Wait {
  switch (dispatch.phase) {
    case 'due':
    case 'checking':
      return {
        for: 'dispatch_check',
        next: 'lists and cash box are checked, then it is sent',
        until: null,
        isBrief: true,
      };
    case 'waiting':
      return dispatch.wait;
    case 'sending':
      return { for: 'payout_reply', ...underWay('it is being sent, once,', dispatch.since) };
    case 'sent': {
      const { pendingRequest } = writeOff;
      const asked = `asked for it by its reference${pendingRequest}`;
      return { for: 'payout_reply', ...lookUpStep(lookUps, asked, `looked up by its reference${pendingRequest}`) };
    }
  }
}

function keyStep({ runningSince, nextAt }: KeyCheck): Step {
  if (runningSince !== null) return underWay('DICT is being asked', runningSince);
  return { next: 'DICT is asked again', until: nextAt };
}

function lookUpStep({ since, nextAt }: LookUps, asked: string, next: string): Step {
  return since === null ? { next, until: nextAt } : underWay(`the provider is being ${asked}`, since);
}

function underWay(what: string, since: string): Step {
  return { underWay: { what, since }, next: '', until: null };
}
