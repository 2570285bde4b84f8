// The rows of withdrawals as their steps see them, in memory: the revision guard, events, ledger movements and alerts
// of the real statements. It can be down, or lose the answer of what it has committed, for one withdrawal at a time.
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import type { StoredWithdrawalOrder } from '../../../contract/temporal/payment.js';
import type { WithdrawalStore } from '../../../activities/payments/withdrawal/ports.js';
import {
  claimed,
  cleared,
  movementsOf,
  type PayoutSend,
  resolvedBy,
  type WithdrawalRecord,
} from '../../../domain/payments/withdrawal-record.js';
import type { PermissionRefusal } from '../../../domain/payments/permissions.js';
import type { StaffAct } from '../../../domain/staff.js';
import { CLEARANCE_SECONDS } from '../../../domain/payments/withdrawal.js';
import { NO_LOOK_UPS } from '../../../domain/payments/write-off.js';
import { MissingRowError } from '../../../store/errors.js';
import type { OrderRefusal, RefusedOrder } from '../../../store/payments/insertion.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { openWithdrawalRequest } from '../../../store/sealing/orders.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { WithdrawalRow } from '../../../store/payments/withdrawal/read.js';
import type { InsertedWithdrawal, WithdrawalInsertion } from '../../../store/payments/withdrawal/insert.js';
import type { PayoutAttempt } from '../../../store/payments/withdrawal/payout-sends.js';
import { withdrawalAfter, type WithdrawalWrite } from '../../../store/payments/withdrawal/transition.js';
import { newId } from '../../../domain/identifiers.js';
import type { PaymentsDatabase } from './payments-database.js';
import { FakeRefusedOrders } from './refused-orders.js';

interface Row {
  readonly order: StoredWithdrawalOrder;
  record: WithdrawalRecord;
  clearedAtMs: number;
}

export class FakeWithdrawalStore implements WithdrawalStore {
  /** Decisions that were stored with a row, and without one. */
  readonly decisions: DecisionRecord[] = [];
  /** Withdrawals whose next permission is asked for after the checks have become too old. */
  readonly staleClearances = new Set<string>();
  /** Withdrawals whose permission is refused, and why. */
  readonly refusals = new Map<string, PermissionRefusal>();
  private readonly rows = new Map<string, Row>();
  private readonly refused = new FakeRefusedOrders();

  constructor(
    private readonly database: PaymentsDatabase,
    private readonly sealer: Sealer,
  ) {}

  record(id: string): WithdrawalRecord | null {
    return this.rows.get(id)?.record ?? null;
  }

  /** What is known of the send, set from outside: as another process left it. */
  leaveSend(id: string, send: PayoutSend): void {
    const row = this.row(id);
    row.record = { ...row.record, revision: row.record.revision + 1, send };
  }

  async readAct(id: string): Promise<StaffAct | null> {
    return this.database.acts.read(id);
  }

  async read(ref: PaymentId): Promise<WithdrawalRow> {
    return this.database.step(ref.id, 'load', () => {
      const row = this.rows.get(ref.id);
      if (row?.order.operationId !== ref.operationId) throw new MissingRowError('Withdrawal', 'no such withdrawal');
      return this.asRead(row);
    });
  }

  async insert(input: WithdrawalInsertion): Promise<InsertedWithdrawal> {
    const { id } = input.order;
    return this.database.step(id, 'insert', () => this.insertRow(input));
  }

  async refuse(refusal: OrderRefusal): Promise<RefusedOrder> {
    return this.database.step(refusal.id, 'refuse', () => this.refused.refuse(refusal, this.rows.has(refusal.id)));
  }

  async store(write: WithdrawalWrite): Promise<WithdrawalRow | null> {
    const { id } = write.row.record.snapshot;
    const step = write.change.trigger === null ? 'note' : withdrawalAfter(write).row.record.snapshot.status;
    return this.database.step(id, step, () => this.change(write));
  }

  async storeDecision(decision: DecisionRecord): Promise<void> {
    this.database.step(decision.objectId, 'decision', () => this.keep(decision));
  }

  async clear(read: WithdrawalRow, decision: DecisionRecord | null): Promise<WithdrawalRow | null> {
    return this.database.step(read.record.snapshot.id, 'clear', () => {
      const row = this.sendable(read);
      if (row === null || row.record.send?.state === 'claimed' || row.record.send?.state === 'known') return null;
      row.record = cleared(row.record);
      row.clearedAtMs = Date.parse(read.readAt);
      this.keep(decision);
      return { ...read, record: row.record };
    });
  }

  async claim(read: WithdrawalRow, { attempt }: PayoutAttempt): Promise<WithdrawalRow | PermissionRefusal> {
    const { id } = read.record.snapshot;
    return this.database.step(id, 'claim', () => {
      const refusal = this.refusals.get(id);
      if (refusal !== undefined) return refusal;
      const row = this.sendable(read);
      const isFresh = row !== null && Date.now() - row.clearedAtMs < CLEARANCE_SECONDS * 1_000;
      if (row?.record.send?.state !== 'cleared' || this.staleClearances.delete(id) || !isFresh) return 'changed';
      const { send, ...rest } = claimed(row.record, attempt);
      row.record = { ...rest, send: send && { ...send, claimedAt: new Date().toISOString() } };
      return { ...read, record: row.record };
    });
  }

  async isForbidden({ record }: WithdrawalRow): Promise<boolean> {
    return this.database.step(record.snapshot.id, 'forbidden', () => this.refusals.has(record.snapshot.id));
  }

  async giveBack(read: WithdrawalRow, attempt: string): Promise<void> {
    const { id } = read.record.snapshot;
    return this.database.step(id, 'not_sent', () => {
      const row = this.row(id);
      const { send, revision } = row.record;
      if (send?.state === 'claimed' && send.attempt === attempt)
        row.record = { ...row.record, revision: revision + 1, send: { ...send, state: 'not_sent' } };
      else if (this.sendable(read) !== null) row.record = { ...row.record, revision: revision + 1 };
    });
  }

  async countTraceless(read: WithdrawalRow, { at, isTraced }: { at: string; isTraced: boolean }): Promise<boolean> {
    return this.database.step(read.record.snapshot.id, 'traceless', () => {
      const row = this.sendable(read);
      const send = row?.record.send;
      if (row === null || send?.state !== 'claimed') return false;
      const { lookUps, since } = isTraced ? NO_LOOK_UPS : send.traceless;
      const traceless = { lookUps: lookUps + 1, since: since ?? at, lastAt: new Date().toISOString() };
      row.record = { ...row.record, revision: row.record.revision + 1, send: { ...send, traceless } };
      return true;
    });
  }

  async noteUnfinished(read: WithdrawalRow): Promise<boolean> {
    const { snapshot, revision } = read.record;
    return this.database.step(snapshot.id, 'unfinished', () => {
      const row = this.row(snapshot.id);
      const { record } = row;
      if (record.revision !== revision || record.send?.state !== 'known') return false;
      const traceless = { ...record.send.traceless, lastAt: new Date().toISOString() };
      row.record = { ...record, revision: revision + 1, send: { ...record.send, traceless } };
      return true;
    });
  }

  raiseAlert: WithdrawalStore['raiseAlert'] = async (alert) =>
    this.database.step(alert.objectId, 'alert', () => this.database.raise(alert, alert.operationId, alert.objectId));

  private row(id: string): Row {
    const row = this.rows.get(id);
    if (row === undefined) throw new Error(`withdrawal ${id} was never inserted`);
    return row;
  }

  private asRead({ order, record }: Row): WithdrawalRow {
    return { record, order, readAt: new Date().toISOString() };
  }

  /** The row as it was read; null if it changed since, or may not be sent. */
  private sendable({ record: { snapshot, revision } }: WithdrawalRow): Row | null {
    const row = this.row(snapshot.id);
    const { status } = row.record.snapshot;
    return row.record.revision === revision && status === 'approved' && row.record.judgement === 'passed' ? row : null;
  }

  private keep(decision: DecisionRecord | null): void {
    if (decision !== null) this.decisions.push(decision);
  }

  private insertRow({ order, record, playerRevision, decision }: WithdrawalInsertion): InsertedWithdrawal {
    const { id, operationId, amountMinor } = order;
    if (this.refused.has(id)) return { kind: 'order_refused' };
    const stored = this.rows.get(id);
    if (stored !== undefined) return { kind: 'found', row: this.asRead(stored) };
    const existing = [...this.rows.values()].find((row) => isSameExternalId(row.order, order));
    if (existing !== undefined) return { kind: 'duplicate', existingId: existing.order.id };
    if (this.database.balance(operationId, 'available') < amountMinor) return { kind: 'insufficient_balance' };
    if (playerRevision !== null && playerRevision !== this.database.playerRevision(order)) return { kind: 'stale' };
    const { player } = openWithdrawalRequest(this.sealer, order);
    if (!this.database.fixDocument(order, player.document.number)) return { kind: 'stale' };
    const { operatorReasons: _, proof: __, ...kept } = order;
    const row: Row = { order: kept, record, clearedAtMs: 0 };
    this.rows.set(id, row);
    this.keep(decision);
    const { snapshot } = record;
    const event =
      snapshot.status === 'requested' ? null : { id: newId('event'), type: `withdrawal.${snapshot.status}` };
    const movement = { name: 'withdrawal_reserved', amountMinor, step: '1', bank: null } as const;
    this.database.applyEffects(snapshot, { event, movements: [movement], alert: null, resolves: [] });
    return { kind: 'inserted', row: this.asRead(row) };
  }

  private change(write: WithdrawalWrite): WithdrawalRow | null {
    const { row: before, change, decision } = write;
    const { snapshot } = before.record;
    const row = this.row(snapshot.id);
    if (row.record.revision !== before.record.revision) return null;
    if (change.uses !== undefined && !this.database.acts.use(change.uses, snapshot)) return null;
    if (change.automaticUse && this.database.capReached.has(snapshot.id)) return null;
    const { row: after, event } = withdrawalAfter(write);
    row.record = after.record;
    this.keep(decision);
    this.database.applyEffects(after.record.snapshot, {
      event,
      movements: movementsOf(after.record.snapshot, change),
      alert: null,
      resolves: resolvedBy(snapshot, change),
    });
    return after;
  }
}

function isSameExternalId(a: Pick<StoredWithdrawalOrder, 'operationId' | 'externalId'>, b: typeof a): boolean {
  return a.operationId === b.operationId && a.externalId === b.externalId;
}
