// The rows of deposits as their steps see them, in memory: the revision guard, events, ledger movements and alerts of
// the real statements. It can be down, or lose the answer of what it has committed, for one deposit at a time.
import type { DepositStore } from '../../../activities/payments/deposit/ports.js';
import type { DepositOrder } from '../../../contract/temporal/payment.js';
import type { PaymentId } from '../../../contract/temporal/payment-steps.js';
import { movementsOf, resolvedBy } from '../../../domain/payments/deposit-record.js';
import type { Permission, PermissionRefusal } from '../../../domain/payments/permissions.js';
import type { ReturnConclusion } from '../../../domain/payments/returns.js';
import type { StaffAct } from '../../../domain/staff.js';
import { MissingRowError } from '../../../store/errors.js';
import type { DepositInsertion, InsertedDeposit } from '../../../store/payments/deposit/insert.js';
import type { DepositRow } from '../../../store/payments/deposit/read.js';
import { depositAfter, type DepositWrite } from '../../../store/payments/deposit/transition.js';
import type { OrderRefusal, RefusedOrder } from '../../../store/payments/insertion.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { openDepositRequest } from '../../../store/sealing/orders.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { PaymentsDatabase } from './payments-database.js';
import { FakeRefusedOrders } from './refused-orders.js';

export class FakeDepositStore implements DepositStore {
  /** Decisions that were stored with a row, and without one. */
  readonly decisions: DecisionRecord[] = [];
  private readonly rows = new Map<string, DepositRow>();
  private readonly refused = new FakeRefusedOrders();

  constructor(
    private readonly database: PaymentsDatabase,
    private readonly sealer: Sealer,
  ) {}

  row(id: string): DepositRow | null {
    return this.rows.get(id) ?? null;
  }

  /** Providers that are paused. */
  readonly paused = new Set<string>();

  /** Deposits that no provider is asked about, and why. */
  readonly refusals = new Map<string, PermissionRefusal>();

  async permitCharge(
    { record: { snapshot }, order: { environment } }: DepositRow,
    of: typeof environment,
  ): Promise<Permission> {
    if (environment !== of) return 'other_environment';
    return this.refusals.get(snapshot.id) ?? (this.paused.has(snapshot.provider) ? 'provider_paused' : 'given');
  }

  async permitReturn({ record: { snapshot } }: DepositRow): Promise<Permission> {
    return this.refusals.get(snapshot.id) ?? 'given';
  }

  /** What people concluded of returns. */
  readonly conclusions: ReturnConclusion[] = [];

  async readConclusion(returnActId: string): Promise<ReturnConclusion | null> {
    return this.conclusions.find((one) => one.returnActId === returnActId) ?? null;
  }

  async readAct(id: string): Promise<StaffAct | null> {
    return this.database.acts.read(id);
  }

  async read({ id, operationId }: PaymentId): Promise<DepositRow> {
    return this.database.step(id, 'load', () => {
      const row = this.rows.get(id);
      if (row?.order.operationId !== operationId) throw new MissingRowError('Deposit', 'no such deposit');
      return row;
    });
  }

  async insert(input: DepositInsertion): Promise<InsertedDeposit> {
    const { id } = input.order;
    return this.database.step(id, 'insert', () => this.insertRow(input));
  }

  async store(write: DepositWrite): Promise<DepositRow | null> {
    const { trigger } = write.change;
    const { id } = write.row.record.snapshot;
    const step = trigger === null ? 'note' : depositAfter(write).row.record.snapshot.status;
    return this.database.step(id, step, () => this.change(write));
  }

  async refuse(refusal: OrderRefusal): Promise<RefusedOrder> {
    return this.database.step(refusal.id, 'refuse', () => this.refused.refuse(refusal, this.rows.has(refusal.id)));
  }

  async storeDecision(decision: DecisionRecord): Promise<void> {
    this.database.step(decision.objectId, 'decision', () => this.decisions.push(decision));
  }

  raiseAlert: DepositStore['raiseAlert'] = async (alert) =>
    this.database.step(alert.objectId, 'alert', () => this.database.raise(alert, alert.operationId, alert.objectId));

  resolveAlerts: DepositStore['resolveAlerts'] = async ({ id }, kind) =>
    this.database.step(id, 'alert', () => this.database.resolve(id, [kind]));

  private insertRow(input: DepositInsertion): InsertedDeposit {
    const { order, record, playerRevision, decision } = input;
    if (this.refused.has(order.id)) return { kind: 'order_refused' };
    const stored = this.rows.get(order.id);
    if (stored !== undefined) return { kind: 'found', row: stored };
    if (order.environment !== input.environment) return { kind: 'other_environment' };
    if (this.paused.has(order.provider)) return { kind: 'provider_paused' };
    const existing = [...this.rows.values()].find((row) => isSameExternalId(row.order, order));
    if (existing !== undefined) return { kind: 'duplicate', existingId: existing.order.id };
    if (playerRevision !== null && playerRevision !== this.database.playerRevision(order)) return { kind: 'stale' };
    const { player } = openDepositRequest(this.sealer, order);
    if (!this.database.fixDocument(order, player.document.number)) return { kind: 'document_mismatch' };
    const { proof: _, ...kept } = order;
    const row: DepositRow = { record, order: kept, sealedPayer: null };
    this.rows.set(order.id, row);
    if (decision !== null) this.decisions.push(decision);
    return { kind: 'inserted', row };
  }

  private change(write: DepositWrite): DepositRow | null {
    const { row: before, change, decision } = write;
    const { snapshot } = before.record;
    if (this.rows.get(snapshot.id)?.record.revision !== before.record.revision) return null;
    if (change.uses !== undefined && !this.database.acts.use(change.uses, snapshot)) return null;
    const { row, event } = depositAfter(write);
    const after = row.record.snapshot;
    const movements = movementsOf(after, change);
    this.database.assertNotTaken(after.id, movements);
    this.rows.set(after.id, row);
    if (decision !== null) this.decisions.push(decision);
    const { alert = null } = change;
    this.database.applyEffects(after, { event, movements, alert, resolves: resolvedBy(before.record, change) });
    return row;
  }
}

function isSameExternalId(a: Pick<DepositOrder, 'operationId' | 'externalId'>, b: typeof a): boolean {
  return a.operationId === b.operationId && a.externalId === b.externalId;
}
