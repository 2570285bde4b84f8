// Writes off a payout whose send was never answered, by the decisions of two people.
import type { Act, PaymentRef } from '../../contract/temporal/payment-steps.js';
import { isReason } from '../../domain/people.js';
import { sendStateOf } from '../../domain/withdrawal-record.js';
import {
  lapseOf,
  NEVER_ACCEPTED,
  NO_LOOK_UPS,
  pendingRequest,
  type WriteOffAct,
  writeOffStep,
} from '../../domain/write-off.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import { invalid, openedAct } from '../opened-act.js';
import type { WithdrawalDependencies } from './ports.js';
import { answered, decideAndStore, type Plan, storeInTurn } from './step.js';
import type { WithdrawalStoreSteps, WriteOffDecided } from './types.js';

type Input = PaymentRef & { readonly act: Act; readonly isLookedUp: boolean };
type Word = Omit<WriteOffAct, 'decision'>;
type Outcome = WriteOffDecided['outcome'];

export function createWriteOffStep({
  books,
  sealer,
}: WithdrawalDependencies): Pick<WithdrawalStoreSteps, 'decideWriteOff'> {
  return {
    async decideWriteOff(input) {
      const word = wordOf(sealer, input);
      const decided = await decideAndStore(books, input, (held) => planOf(held, word, input));
      const { outcome } = decided;
      if (outcome.kind !== 'written_off') return { ...answered(decided.held, input.at), outcome };
      // As the provider's written refusal says: a first reply that reports a failure.
      const held = await storeInTurn(books, input, decided.held, ({ status }) =>
        status === 'processing' ? { trigger: 'payout_failed', fields: { failureCode: NEVER_ACCEPTED } } : null,
      );
      return { ...answered(held, input.at), outcome };
    },
  };
}

function planOf({ record }: HeldWithdrawal, word: Word, { isLookedUp, at }: Input): Plan<Outcome> {
  const { status, conclusions = [] } = record.snapshot;
  const stored = conclusions.find(({ actId }) => actId === word.actId);
  if (stored !== undefined) return { outcome: outcomeOf(stored), change: null };
  if (status !== 'approved' || sendStateOf(record) !== 'claimed')
    return { outcome: { kind: isLookedUp ? 'lapsed' : 'invalid_state' }, change: null };
  const traceless = record.send?.traceless ?? NO_LOOK_UPS;
  const step = writeOffStep(word, { traceless, pending: pendingRequest(conclusions, at), at });
  if (isLookedUp && step.kind !== 'confirm') return { outcome: { kind: 'lapsed' }, change: null };
  switch (step.kind) {
    case 'request': {
      const act: WriteOffAct = { ...word, decision: 'request_conclusion' };
      return { outcome: outcomeOf(act), change: { trigger: null, fields: { conclusions: [...conclusions, act] } } };
    }
    case 'confirm': {
      if (!isLookedUp) return { outcome: { kind: 'look_once_more' }, change: null };
      const act: WriteOffAct = { ...word, decision: 'confirm_conclusion' };
      const change = { trigger: 'provider_replied', fields: { conclusions: [...conclusions, act] } } as const;
      return { outcome: outcomeOf(act), change };
    }
    case 'too_early':
      return { outcome: step, change: null };
    case 'same_person':
    case 'other_evidence':
      return { outcome: { kind: step.kind }, change: null };
  }
}

function outcomeOf(act: WriteOffAct): Outcome {
  switch (act.decision) {
    case 'request_conclusion':
      return { kind: 'requested', lapsesAt: lapseOf(act) };
    case 'confirm_conclusion':
      return { kind: 'written_off' };
  }
}

function wordOf(sealer: Sealer, { act, at }: Input): Word {
  const { actId, person, reason, evidence } = openedAct(sealer, act);
  if (evidence.trim() === '' || !isReason(evidence)) throw invalid('evidence is one line of 1 to 500 characters');
  return { actId, person, reason, evidence, at };
}
