// The rows of deposits as their steps see them, in memory: the revision guard, events, ledger movements and alerts of
// the real statements. It can be down, or lose the answer of what it has committed, for one deposit at a time.
import type { DepositStore } from '../../../activities/deposits/ports.js';
import type { DepositOrder } from '../../../contract/temporal/deposit.js';
import { movementsOf, resolvedBy } from '../../../domain/deposit-record.js';
import type { Permission, PermissionRefusal } from '../../../domain/permissions.js';
import type { ReturnConclusion } from '../../../domain/return-conclusion.js';
import type { StaffAct } from '../../../domain/staff.js';
import type { DepositInsertion, DepositInsertionInput } from '../../../store/deposits/insert.js';
import type { DepositToRead, KeptDeposit } from '../../../store/deposits/read.js';
import { type DepositWrite, writtenBy } from '../../../store/deposits/transition.js';
import type { OrderRefusal, RefusedOrder } from '../../../store/payments/refused-orders.js';
import type { DecisionRecord } from '../../../store/rules/decisions.js';
import { openDepositRequest } from '../../../store/sealing/sealed-requests.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { PaymentsDatabase } from './payments-database.js';
import { FakeRefusedOrders } from './refused-orders.js';

/** How long before a forestalled step was stored. */
const EARLIER_MS = 3_000;

export class FakeDepositStore implements DepositStore {
  /** Decisions that were stored with a row, and without one. */
  readonly decisions: DecisionRecord[] = [];
  private readonly rows = new Map<string, KeptDeposit>();
  private readonly refused = new FakeRefusedOrders();

  constructor(
    private readonly database: PaymentsDatabase,
    private readonly sealer: Sealer,
  ) {}

  kept(id: string): KeptDeposit | null {
    return this.rows.get(id) ?? null;
  }

  /** Providers that are paused. */
  readonly paused = new Set<string>();

  /** Deposits that no provider is asked about, and why. */
  readonly refusals = new Map<string, PermissionRefusal>();

  async permitCharge({ snapshot, environment }: KeptDeposit, of: typeof environment): Promise<Permission> {
    if (environment !== of) return 'other_environment';
    return this.refusals.get(snapshot.id) ?? (this.paused.has(snapshot.provider) ? 'provider_paused' : 'given');
  }

  async permitReturn({ snapshot }: KeptDeposit): Promise<Permission> {
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

  async read({ id, operationId }: DepositToRead): Promise<KeptDeposit | null> {
    return this.database.step(id, 'load', () => {
      const kept = this.rows.get(id);
      return kept?.snapshot.operationId === operationId ? kept : null;
    });
  }

  async insert(input: DepositInsertionInput): Promise<DepositInsertion> {
    const { depositId } = input.order;
    return this.database.step(depositId, 'insert', () => {
      if (this.database.isForestalled(depositId, 'insert')) this.insertRow(earlierInsertion(input));
      return this.insertRow(input);
    });
  }

  async store(write: DepositWrite): Promise<KeptDeposit | null> {
    const { trigger } = write.change;
    const { id } = write.kept.snapshot;
    const step = trigger === null ? 'note' : writtenBy(write).kept.snapshot.status;
    return this.database.step(id, step, () => {
      if (this.database.isForestalled(id, step)) this.change({ ...write, at: earlier(write.at) });
      return this.change(write);
    });
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

  private insertRow(input: DepositInsertionInput): DepositInsertion {
    const { order, deposit, playerRevision, decision } = input;
    if (this.refused.has(order.depositId)) return { kind: 'order_refused' };
    if (this.rows.has(order.depositId)) return { kind: 'found' };
    if (order.environment !== input.environment) return { kind: 'other_environment' };
    if (this.paused.has(order.provider)) return { kind: 'provider_paused' };
    const existing = [...this.rows.values()].find(({ snapshot }) => isSameExternalId(snapshot, order));
    if (existing !== undefined) return { kind: 'duplicate', existingId: existing.snapshot.id };
    if (playerRevision !== null && playerRevision !== this.database.playerRevision(order)) return { kind: 'stale' };
    const { player } = openDepositRequest(this.sealer, order);
    if (!this.database.fixDocument(order, player.document.number)) return { kind: 'document_mismatch' };
    const { operationName, environment, sealedRequest } = order;
    const row = {
      revision: 1,
      returnRequest: null,
      returns: 0,
      extraPayments: [],
      fees: {},
      returnedParts: [],
      suspenseCredits: {},
      isReturnInDoubt: false,
      sealedPayer: null,
    };
    this.rows.set(order.depositId, { snapshot: deposit, ...row, operationName, environment, sealedRequest });
    if (decision !== null) this.decisions.push(decision);
    return { kind: 'inserted', updatedAt: deposit.updatedAt };
  }

  private change(write: DepositWrite): KeptDeposit | null {
    const { change, decision } = write;
    const { id } = write.kept.snapshot;
    if (this.rows.get(id)?.revision !== write.kept.revision) return null;
    if (change.uses !== undefined && !this.database.acts.use(change.uses, write.kept.snapshot)) return null;
    const { kept, event } = writtenBy(write);
    const { snapshot } = kept;
    const movements = movementsOf(snapshot, change);
    this.database.assertNotTaken(id, movements);
    this.rows.set(id, kept);
    if (decision !== null) this.decisions.push(decision);
    const { alert = null } = change;
    const resolves = resolvedBy(write.kept, change);
    this.database.applyEffects(snapshot, { event, movements, alert, resolves });
    return kept;
  }
}

function isSameExternalId(a: Pick<DepositOrder, 'operationId' | 'externalId'>, b: typeof a): boolean {
  return a.operationId === b.operationId && a.externalId === b.externalId;
}

function earlierInsertion(input: DepositInsertionInput): DepositInsertionInput {
  const at = earlier(input.deposit.createdAt);
  return { ...input, deposit: { ...input.deposit, createdAt: at, updatedAt: at } };
}

function earlier(instant: string): string {
  return new Date(Date.parse(instant) - EARLIER_MS).toISOString();
}
