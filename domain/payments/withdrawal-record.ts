// A withdrawal as its row holds it, with everything that decisions depend on, and what a step may change in it.
import type { AlertKind } from '../alerts.js';
import type { BankMovement, ReturnedPart } from '../bank-movements.js';
import type { LedgerTransfer } from '../ledger.js';
import { payoutReferenceOf } from '../identifiers.js';
import { feeTransfer } from '../provider-fees.js';
import type { AutomaticUse } from '../rules/automatic-limits.js';
import type { KeyOwnerFinding } from '../rules/verdicts.js';
import type { UsedAct } from '../staff.js';
import {
  type Judgement,
  type PayoutSendState,
  WITHDRAWAL_TRANSITIONS,
  withdrawalAllows,
  type WithdrawalSnapshot,
  type WithdrawalTrigger,
} from './withdrawal.js';
import { NO_LOOK_UPS, type TracelessLookUps } from './write-off.js';

/** What is known of the one send. */
export interface PayoutSend {
  readonly state: PayoutSendState;
  /** The attempt that holds the permission; `null` before one does. */
  readonly attempt: string | null;
  /** When it took the permission, by the database's clock; `null` before that. */
  readonly claimedAt: string | null;
  readonly traceless: TracelessLookUps;
}

/** A part of the payout that the receiving bank has sent back, as a change books it. */
export interface BookedPayoutReturn extends ReturnedPart {
  /** By the bank's clock. RFC 3339. */
  readonly at: string;
}

export interface WithdrawalRecord {
  readonly snapshot: WithdrawalSnapshot;
  /** Rises with every write, so that a step stores only if the row is unchanged. */
  readonly revision: number;
  readonly keyOwner: KeyOwnerFinding;
  /** The end-to-end id of the key look-up: the payout passes it on. */
  readonly lookupEndToEndId: string | null;
  readonly judgement: Judgement;
  /** `null` until the checks before the send passed. */
  readonly send: PayoutSend | null;
  /** What the receiving bank has sent back, each part once. The ledger has the same. */
  readonly returnedParts: readonly ReturnedPart[];
}

/** A person's cancel, for the audit trail: operators see the cancel, and not whose it was. */
export interface StaffCancelled {
  readonly person: string;
  readonly decision: 'cancel';
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
  readonly number: 'cancel';
}

/** What one statement changes. */
export interface WithdrawalChange {
  /** The transition; `null` for a note, which has no version and no event of its own. */
  readonly trigger: WithdrawalTrigger | null;
  readonly fields?: Partial<
    Pick<WithdrawalSnapshot, 'decision' | 'pspReference' | 'failureCode' | 'paidAt' | 'feeMinor' | 'writeOffs'>
  >;
  readonly judgement?: Judgement;
  readonly keyOwner?: KeyOwnerFinding;
  readonly lookupEndToEndId?: string | null;
  /** The provider has the payout. */
  readonly isSendKnown?: true;
  /** Money that came back. With a transition it is the last part. */
  readonly returned?: BookedPayoutReturn;
  /** The version of the provider contract by which the answer behind this change was read. */
  readonly contract?: string;
  /** The operation's automatic cap that an automatic decision uses up. */
  readonly automaticUse?: AutomaticUse | null;
  readonly cancelled?: StaffCancelled;
  /** The stored act of a person that the change performs. */
  readonly uses?: UsedAct;
}

/** Alerts about a withdrawal in `approved`. Leaving that state resolves them. */
const DISPATCH_CONDITIONS: readonly AlertKind[] = [
  'CASH_BOX_SHORT',
  'OPERATION_SUSPENDED',
  'PROVIDER_PAUSED',
  'DISPATCH_CHECK_UNAVAILABLE',
  'PROVIDER_UNREACHABLE',
  'PROVIDER_BALANCE_SHORT',
  'PAYOUT_ENVIRONMENT_GUARD',
  'PAYOUT_OUTCOME_UNKNOWN',
];

/** What is known of the send, as one value. */
export function sendStateOf({ send }: WithdrawalRecord): PayoutSendState | 'none' {
  return send === null ? 'none' : send.state;
}

/** The record after the change. Throws for a transition that the state table does not have: a bug. */
export function changed(record: WithdrawalRecord, change: WithdrawalChange, at: string): WithdrawalRecord {
  const { snapshot } = record;
  const moved = change.trigger === null ? {} : move(snapshot, change.trigger);
  const { returned } = change;
  return {
    snapshot: { ...snapshot, ...change.fields, ...moved, updatedAt: at },
    revision: record.revision + 1,
    keyOwner: change.keyOwner ?? record.keyOwner,
    lookupEndToEndId: change.lookupEndToEndId ?? record.lookupEndToEndId,
    judgement: change.judgement ?? record.judgement,
    send:
      change.isSendKnown === true && record.send !== null
        ? { ...record.send, state: 'known', traceless: NO_LOOK_UPS }
        : record.send,
    returnedParts:
      returned === undefined
        ? record.returnedParts
        : [
            ...record.returnedParts,
            { of: returned.of, reference: returned.reference, amountMinor: returned.amountMinor },
          ],
  };
}

/** The record after the checks before the send passed. */
export function cleared(record: WithdrawalRecord): WithdrawalRecord {
  const traceless = record.send?.traceless ?? NO_LOOK_UPS;
  const send = { state: 'cleared', attempt: null, claimedAt: null, traceless } as const;
  return { ...record, revision: record.revision + 1, send };
}

/** The record after an attempt took the permission to send, at a time that only the row has. */
export function claimed(record: WithdrawalRecord, attempt: string): WithdrawalRecord {
  const send = { state: 'claimed', attempt, claimedAt: null, traceless: NO_LOOK_UPS } as const;
  return { ...record, revision: record.revision + 1, send };
}

function move(
  { status, version }: WithdrawalSnapshot,
  trigger: WithdrawalTrigger,
): Pick<WithdrawalSnapshot, 'status' | 'version'> {
  if (!withdrawalAllows(trigger, status)) throw new RangeError(`${trigger} is not allowed from ${status}`);
  return { status: WITHDRAWAL_TRANSITIONS[trigger].to, version: version + 1 };
}

/** The payout's id at the bank: its end-to-end id, or our reference if the provider reports none. */
export function payoutBankId({ id, pspReference }: Pick<WithdrawalSnapshot, 'id' | 'pspReference'>): string {
  return pspReference ?? payoutReferenceOf(id);
}

/** The movements of a change that led to `after`. */
export function movementsOf(
  after: WithdrawalSnapshot,
  { trigger, fields, returned }: Pick<WithdrawalChange, 'trigger' | 'fields' | 'returned'>,
): readonly LedgerTransfer[] {
  const settledAt = after.paidAt ?? after.updatedAt;
  const bankId = payoutBankId(after);
  const movement = returned === undefined ? transitionMovement(after, trigger, settledAt) : returnOf(trigger, returned);
  const feeMinor = fields?.feeMinor ?? null;
  if (feeMinor === null) return movement === null ? [] : [movement];
  const fee = feeTransfer({ of: 'payout', amountMinor: feeMinor }, movement, { bankId, settledAt });
  return movement === null ? [fee] : [movement, fee];
}

function transitionMovement(
  after: WithdrawalSnapshot,
  trigger: WithdrawalTrigger | null,
  settledAt: string,
): LedgerTransfer | null {
  const name = trigger === null ? null : WITHDRAWAL_TRANSITIONS[trigger].moves;
  if (name === null) return null;
  const sent: BankMovement = { kind: 'sent', bankId: payoutBankId(after), part: '', settledAt, saidBy: 'provider' };
  const bank = name === 'withdrawal_paid' ? sent : null;
  return { name, amountMinor: after.amountMinor, step: String(after.version), bank };
}

/** Exactly the part that came back. */
function returnOf(trigger: WithdrawalTrigger | null, returned: BookedPayoutReturn): LedgerTransfer {
  const { of: bankId, reference: part, amountMinor, at: settledAt } = returned;
  return {
    name: trigger === null ? 'withdrawal_returned_in_part' : 'withdrawal_returned',
    amountMinor,
    step: `returned:${bankId}:${part}`,
    bank: { kind: 'returned_to_us', bankId, part, settledAt, saidBy: 'provider' },
  };
}

/** The alerts that a change of a withdrawal in this state resolves. */
export function resolvedBy(
  { status }: WithdrawalSnapshot,
  { trigger }: Pick<WithdrawalChange, 'trigger'>,
): readonly AlertKind[] {
  if (trigger === null) return [];
  if (status === 'processing') return ['PAYOUT_PROCESSING'];
  return status === 'approved' ? DISPATCH_CONDITIONS : [];
}
