// Stores a change of a withdrawal with its event, ledger entries, alerts, audit entry and decision, in one SQL
// statement that compares the row's revision.
import type { PublishedEvent } from '../../contract/temporal/transitions.js';
import { newId } from '../../domain/identifiers.js';
import type { LedgerTransfer } from '../../domain/ledger.js';
import { WITHDRAWAL_TRANSITIONS } from '../../domain/withdrawal.js';
import { changed, movementsOf, resolvedBy, type WithdrawalChange } from '../../domain/withdrawal-record.js';
import { Prisma } from '../../prisma/generated/client.js';
import { unlessTaken } from '../ledger/bank-movements.js';
import { newAct, newWriteOffAct } from '../payments/acts.js';
import { auditedSql } from '../payments/audited-sql.js';
import { automaticUseSql, automaticUseTaken } from '../payments/automatic-use-sql.js';
import type { SealedTarget } from '../events/deliveries.js';
import {
  counterLockedSql,
  beginAttempt,
  effectsSql,
  type EventStore,
  type NewEvent,
  targetColumn,
} from '../payments/transition-sql.js';
import { decidedSql, type DecisionRecord } from '../rules/decisions.js';
import { usedActSql } from '../staff/acts.js';
import { rowOf } from '../statements.js';
import { newWithdrawalEvent } from './events.js';
import type { HeldWithdrawal } from './held.js';

export interface WithdrawalWrite {
  /** As it was read: another revision stores nothing. */
  readonly held: HeldWithdrawal;
  readonly change: WithdrawalChange;
  /** Workflow time, RFC 3339. */
  readonly at: string;
  /** The rules' decision that it follows from; null without one. */
  readonly decision: DecisionRecord | null;
}

export type StoredChange =
  | { readonly kind: 'stored'; readonly held: HeldWithdrawal }
  /** The row changed since it was read, or the act cannot be done: read and decide again. Nothing was stored. */
  | { readonly kind: 'changed' }
  /** The amount exceeds what is left of the operation's automatic cap. Nothing was stored. */
  | { readonly kind: 'cap_reached' };

/** The result of the change, and the event that it publishes. */
interface Next {
  readonly held: HeldWithdrawal;
  readonly event: PublishedEvent | null;
}

/** Throws MovementTakenError if another payment has a movement of the bank that the change enters. */
export async function storeWithdrawalChange(store: EventStore, write: WithdrawalWrite): Promise<StoredChange> {
  const { held, event: published } = nextOf(write);
  const { snapshot } = held.record;
  const event = newWithdrawalEvent(store, snapshot, held.order.sealedRequest, published);
  const movements = movementsOf(snapshot, write.change);
  const answer = rowOf<Stored>(store.database, changeSql(write, held, movements, event));
  const result = await unlessTaken(store.database, snapshot, movements, answer);
  if (result?.changed === 1) {
    const stored = { ...snapshot, updatedAt: result.updatedAt };
    beginAttempt(store, stored, event, result.target);
    return { kind: 'stored', held: { ...held, record: { ...held.record, snapshot: stored } } };
  }
  // A person's act that cannot be used up leaves the row as it was, too: the step reads both again.
  return { kind: result?.found === 1 && write.change.automaticUse ? 'cap_reached' : 'changed' };
}

interface Stored {
  readonly changed: number;
  readonly updatedAt: string;
  readonly found: number;
  readonly target?: SealedTarget | null;
}

/** The withdrawal after the write, with the time of the step. The event's id is new each time. */
export function nextOf({ held, change, at }: WithdrawalWrite): Next {
  const { trigger } = change;
  const event = trigger === null ? null : { id: newId('event'), type: WITHDRAWAL_TRANSITIONS[trigger].event };
  return { held: { ...held, record: changed(held.record, change, at) }, event };
}

function changeSql(
  { held: { record: before }, change, at, decision }: WithdrawalWrite,
  after: HeldWithdrawal,
  movements: readonly LedgerTransfer[],
  event: NewEvent | null,
): Prisma.Sql {
  const { snapshot } = after.record;
  const { id: objectId, operationId, currency, provider } = snapshot;
  const { automaticUse = null, uses } = change;
  const effects = {
    movements,
    alert: null,
    resolves: resolvedBy(before.snapshot, change),
  };
  const act =
    change.cancelled ??
    newAct(before.snapshot.decision.decidedBy, snapshot.decision.decidedBy) ??
    newWriteOffAct(before.snapshot.writeOffs, snapshot.writeOffs);
  return Prisma.sql`
    WITH ${counterLockedSql(operationId, at)}
    held AS (
      SELECT id FROM withdrawal, locked
      WHERE id = ${objectId} AND operation_id = ${operationId} AND revision = ${before.revision}
      FOR UPDATE OF withdrawal
    ),
    ${automaticUseSql(snapshot, automaticUse, Prisma.sql`held`)}
    ${uses === undefined ? Prisma.empty : usedActSql(uses, before.snapshot)}
    changed AS (
      ${updateSql(after, change)}
      FROM held, locked WHERE withdrawal.id = held.id AND ${automaticUseTaken(automaticUse)}
        ${uses === undefined ? Prisma.empty : Prisma.sql`AND EXISTS (SELECT FROM used)`}
      RETURNING version, updated_at
    ),
    ${effectsSql({ operationId, objectId, currency, provider, at }, effects, event)}
    ${sendKnownSql(objectId, change)}
    ${decidedSql(decision, Prisma.sql`changed`)}
    ${auditedSql('withdrawal', snapshot, act, uses)}
    SELECT count(*)::int AS changed, max(updated_at) AS "updatedAt", (SELECT count(*) FROM held)::int AS found,
      (SELECT count(sequence) FROM audited)::int AS audited
      ${targetColumn(operationId, event)}
    FROM changed`;
}

/** The row's UPDATE … SET, without its condition. */
function updateSql({ record }: HeldWithdrawal, { contract }: WithdrawalChange): Prisma.Sql {
  const { snapshot, revision, keyOwner, lookupEndToEndId, judgement, returnedParts } = record;
  const { decision } = snapshot;
  return Prisma.sql`
      UPDATE withdrawal SET
        status = ${snapshot.status},
        version = ${snapshot.version},
        revision = ${revision},
        fee_minor = ${snapshot.feeMinor}::numeric,
        key_owner = ${keyOwner},
        lookup_end_to_end_id = ${lookupEndToEndId},
        judgement = ${judgement},
        decision_mode = ${decision.mode},
        decision_reasons = ${[...decision.reasons]}::text[],
        rule_set_version = ${decision.ruleSetVersion},
        decided_by = ${JSON.stringify(decision.decidedBy)}::jsonb,
        decided_at = ${decision.decidedAt}::timestamptz,
        psp_reference = ${snapshot.pspReference},
        contract = coalesce(${contract ?? null}, contract),
        failure_code = ${snapshot.failureCode},
        updated_at = locked.changed_at,
        paid_at = ${snapshot.paidAt}::timestamptz,
        returned_parts = ${JSON.stringify(returnedParts)}::jsonb,
        returned_minor = ${returnedParts.reduce((sum, part) => sum + BigInt(part.amountMinor), 0n).toString()}::numeric,
        write_offs = ${JSON.stringify(snapshot.writeOffs ?? [])}::jsonb`;
}

/** CTE `sent`: the provider has the payout. */
function sendKnownSql(withdrawalId: string, { isSendKnown }: WithdrawalChange): Prisma.Sql {
  if (isSendKnown !== true) return Prisma.empty;
  return Prisma.sql`,
    sent AS (
      UPDATE payout_send SET state = 'known', traceless_look_ups = 0, traceless_since = NULL, traceless_last_at = NULL
      FROM changed WHERE withdrawal_id = ${withdrawalId}
    )`;
}
