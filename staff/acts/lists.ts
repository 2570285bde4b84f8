// Changes of an operation's block and review lists. One person adds; in production two take an entry off a block list.
import { operationExists } from '../../store/operations/operations.js';
import type { ApprovalRequestRef } from '../../store/operations/approval-requests.js';
import {
  addToList,
  ListEntryError,
  type ListEntryInput,
  type ListKind,
  listedHash,
  removeFromList,
} from '../../store/rules/lists.js';
import type { Actor } from '../../store/staff/acts.js';
import { mayNow } from '../../store/staff/people.js';
import type { PaymentReads, PaymentRow } from '../reads/panel/payment.js';
import { clearField, type Persons, personsOf } from '../reads/panel/people.js';
import { change, type ChangeServices } from './requests.js';
import { DAY_MS } from '../../domain/instant.js';

export type ListEntry = Omit<ListEntryInput, 'person'>;

export type ListChanged =
  | { readonly kind: 'done'; readonly isChanged: boolean }
  | { readonly kind: 'requested'; readonly request: ApprovalRequestRef }
  | { readonly kind: 'no_such_operation' }
  | { readonly kind: 'not_permitted' };

/** Adds a value to a list. Throws ListEntryError for bad input. */
export async function addEntry(services: ChangeServices, actor: Actor, entry: ListEntry): Promise<ListChanged> {
  const refusal = await refusalOf(services, actor, entry);
  if (refusal !== null) return refusal;
  const isChanged = await addToList(services.database, await services.sealer(), { ...entry, person: actor });
  return { kind: 'done', isChanged };
}

/** Removes a value from a list, or in production requests it for a block list. Throws ListEntryError for bad input. */
export async function removeEntryOf(services: ChangeServices, actor: Actor, entry: ListEntry): Promise<ListChanged> {
  const refusal = await refusalOf(services, actor, entry);
  if (refusal !== null) return refusal;
  const [database, sealer] = [services.database, await services.sealer()];
  if (entry.list !== 'block')
    return { kind: 'done', isChanged: await removeFromList(database, sealer, { ...entry, person: actor }) };
  const hash = await listedHash(database, sealer, entry);
  if (hash === null) return { kind: 'done', isChanged: false };
  const payload = { kind: entry.kind as ListKind, entry: hash };
  const changed = await change(services, actor, { kind: 'list_removal', operationId: entry.operationId, payload });
  return changed.kind === 'done' ? { kind: 'done', isChanged: changed.isRemoved } : changed;
}

/** What of a case can be blocked with its decision. */
const BLOCKED_VALUES = {
  player: { kind: 'player', value: ({ row }) => row.playerRef },
  document: { kind: 'document', value: (_payment, persons) => clearField(persons, 'player.document') },
  /** Whoever paid a deposit, if the player did not. */
  payer: { kind: 'document', value: (_payment, persons) => clearField(persons, 'payer.document') },
  pix_key: { kind: 'pix_key', value: (_payment, persons) => clearField(persons, 'destination.key') },
  device: { kind: 'device', value: (_payment, persons) => clearField(persons, 'player.device_id') },
} as const satisfies Readonly<Record<string, BlockedValue>>;

interface BlockedValue {
  /** Of the list's entry. */
  readonly kind: ListKind;
  readonly value: (payment: PaymentRow, persons: Persons) => string | null;
}

export interface BlockOrder {
  readonly kinds: readonly (keyof typeof BLOCKED_VALUES)[];
  /** Null: until somebody removes it. */
  readonly days: number | null;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Puts what the payment is about onto the operation's block list. What it does not have, or no list can hold, is left
 * out. Null: the person may not.
 */
export async function blockFrom(
  { database, sealer }: PaymentReads,
  actor: Actor,
  payment: PaymentRow,
  { kinds, days, reason, now }: BlockOrder,
): Promise<BlockOrder['kinds'] | null> {
  const { operationId } = payment.row;
  if (!(await mayNow(database, actor, 'list.block', operationId))) return null;
  const persons = personsOf(sealer, payment);
  const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY_MS);
  const blocked: BlockOrder['kinds'][number][] = [];
  for (const blockedKind of kinds) {
    const { kind, value: valueOf } = BLOCKED_VALUES[blockedKind];
    const value = valueOf(payment, persons);
    if (value === null) continue;
    try {
      await addToList(database, sealer, { operationId, list: 'block', kind, value, person: actor, reason, expiresAt });
      blocked.push(blockedKind);
    } catch (error) {
      if (!(error instanceof ListEntryError)) throw error;
    }
  }
  return blocked;
}

async function refusalOf({ database }: ChangeServices, actor: Actor, { operationId }: ListEntry) {
  if (!(await operationExists(database, operationId))) return { kind: 'no_such_operation' } as const;
  return (await mayNow(database, actor, 'list.change', operationId)) ? null : ({ kind: 'not_permitted' } as const);
}
