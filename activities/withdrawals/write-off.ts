// Writes off a payout whose send was never answered, by the decisions of two people.
import type { ActRef } from '../../contract/temporal/payment-steps.js';
import { permittedAct, type StaffAct, usedAct } from '../../domain/staff.js';
import { sendStateOf } from '../../domain/withdrawal-record.js';
import {
  isJustLookedUp,
  lapseOf,
  NEVER_ACCEPTED,
  NO_LOOK_UPS,
  pendingRequest,
  type WriteOffAct,
  writeOffStep,
} from '../../domain/write-off.js';
import type { HeldWithdrawal } from '../../store/withdrawals/held.js';
import type { WithdrawalDependencies } from './ports.js';
import { answered, decideAndStore, type Plan, storeInTurn } from './step.js';
import type { WithdrawalStoreSteps, WriteOffDecided } from './types.js';

type Input = ActRef & { readonly isLookedUp: boolean };
type Outcome = WriteOffDecided['outcome'];

export function createWriteOffStep({
  withdrawals,
}: WithdrawalDependencies): Pick<WithdrawalStoreSteps, 'decideWriteOff'> {
  return {
    async decideWriteOff(input) {
      const { actId, isLookedUp: _, ...ref } = input;
      const decided = await decideAndStore(withdrawals, ref, (held, act) => planOf(held, act, input), actId);
      const { outcome } = decided;
      if (outcome.kind !== 'written_off') return { ...answered(decided.held, input.at), outcome };
      // The provider's written refusal counts as its first reply, which reports a failure.
      const held = await storeInTurn(withdrawals, input, decided.held, ({ status }) =>
        status === 'processing' ? { trigger: 'payout_failed', fields: { failureCode: NEVER_ACCEPTED } } : null,
      );
      return { ...answered(held, input.at), outcome };
    },
  };
}

function planOf(
  { record, readAt }: HeldWithdrawal,
  asked: StaffAct | null,
  { actId, isLookedUp, at }: Input,
): Plan<Outcome> {
  const { status, writeOffs = [] } = record.snapshot;
  const stored = writeOffs.find((act) => act.actId === actId);
  if (stored !== undefined) return { outcome: outcomeOf(stored), change: null };
  if (status !== 'approved' || sendStateOf(record) !== 'claimed')
    return { outcome: { kind: isLookedUp ? 'lapsed' : 'invalid_state' }, change: null };
  const pending = pendingRequest(writeOffs, at);
  const others = pending === null ? [] : [pending.person];
  const permitted = permittedAct(asked, 'withdrawal.write_off', record.snapshot, others);
  if (typeof permitted === 'string') return { outcome: { kind: permitted }, change: null };
  const { handle: person, reason, evidence } = permitted;
  const traceless = record.send?.traceless ?? NO_LOOK_UPS;
  const step = writeOffStep({ person, evidence }, { traceless, pending, at });
  if (isLookedUp && step.kind !== 'confirm') return { outcome: { kind: 'lapsed' }, change: null };
  switch (step.kind) {
    case 'request': {
      const act: WriteOffAct = { actId, person, reason, evidence, at, decision: 'request_conclusion' };
      const uses = usedAct(permitted, 'withdrawal.write_off');
      const change = { trigger: null, fields: { writeOffs: [...writeOffs, act] }, uses };
      return { outcome: outcomeOf(act), change };
    }
    case 'confirm': {
      // The workflow claims that it looked the payout up; the row shows whether it did.
      if (!isLookedUp || !isJustLookedUp(traceless, readAt))
        return { outcome: { kind: 'look_once_more' }, change: null };
      const act: WriteOffAct = { actId, person, reason, evidence, at, decision: 'confirm_conclusion' };
      const uses = usedAct(permitted, 'withdrawal.write_off', others);
      const change = { trigger: 'provider_replied', fields: { writeOffs: [...writeOffs, act] }, uses } as const;
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
