// Postgres as the workflows see it, in memory: rows with the version guard, events, ledger movements and alerts. It can be
// down, or lose the answer of what it has committed, for one payment at a time.
import { ApplicationFailure } from '@temporalio/common';
import type { DepositAdmissions, StoreActivities } from '../../../activities/types.js';
import type {
  AlertNote,
  DepositTransitionInput,
  FoundDeposit,
  FoundWithdrawal,
  PublishedEvent,
  TransitionEffects,
  WithdrawalTransitionInput,
} from '../../../contract/temporal/transitions.js';
import type { DepositOrder } from '../../../contract/temporal/deposit.js';
import type { WithdrawalOrder } from '../../../contract/temporal/withdrawal.js';
import type { DepositSnapshot } from '../../../domain/deposit.js';
import { type LedgerAccount, type LedgerMovement, type LedgerPosting, postingsOf } from '../../../domain/ledger.js';
import type { WithdrawalSnapshot } from '../../../domain/withdrawal.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import type { SealedDepositRequest, SealedWithdrawalRequest } from '../../../store/sealing/sealed-requests.js';

export type Snapshot = DepositSnapshot | WithdrawalSnapshot;

export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly operationId: string;
  readonly objectId: string;
  readonly version: number;
  /** The object as the event shows it. */
  readonly object: Snapshot;
}

export interface StoredMovement {
  readonly transferId: string;
  readonly operationId: string;
  readonly objectId: string;
  readonly name: LedgerMovement | 'funding';
  readonly postings: readonly LedgerPosting[];
}

export interface StoredAlert extends AlertNote {
  readonly operationId: string;
  readonly objectId: string;
  resolved: boolean;
}

/** `refuses`: nothing is written. `loses_answer`: it is written, and the caller does not learn of it. */
export type DatabaseFault = 'refuses' | 'loses_answer';

interface DepositRow {
  readonly order: DepositOrder;
  snapshot: DepositSnapshot;
  sealedPayer: string | null;
}
interface WithdrawalRow {
  readonly order: WithdrawalOrder;
  snapshot: WithdrawalSnapshot;
}
interface PlayerRow {
  readonly document: string;
  revision: number;
}

export class FakeDatabase {
  readonly events: StoredEvent[] = [];
  readonly movements: StoredMovement[] = [];
  readonly alerts: StoredAlert[] = [];
  /** Withdrawals for which the operation's automatic cap has no room when they come to be stored. */
  readonly capReached = new Set<string>();
  private readonly depositRows = new Map<string, DepositRow>();
  private readonly withdrawalRows = new Map<string, WithdrawalRow>();
  private readonly players = new Map<string, PlayerRow>();
  private readonly faults = new Map<string, { fault: DatabaseFault; step: string | null; hits: number }>();
  private readonly forestalled = new Map<string, string>();

  constructor(private readonly sealer: Sealer) {}

  deposit(id: string): DepositSnapshot | null {
    return this.depositRows.get(id)?.snapshot ?? null;
  }

  withdrawal(id: string): WithdrawalSnapshot | null {
    return this.withdrawalRows.get(id)?.snapshot ?? null;
  }

  sealedPayerOf(depositId: string): string | null {
    return this.depositRows.get(depositId)?.sealedPayer ?? null;
  }

  /**
   * From now on steps of this payment fail; `step` picks one: `admit`, `load`, `alert`, `note`, or the status of a
   * transition.
   */
  breakDown(objectId: string, fault: DatabaseFault, step: string | null = null): void {
    this.faults.set(objectId, { fault, step, hits: 0 });
  }

  /** This step was stored some seconds before, by a workflow task that was then lost: what comes now finds it. */
  forestall(objectId: string, step: string): void {
    this.forestalled.set(objectId, step);
  }

  /** How many steps of this payment have failed. */
  failuresOf(objectId: string): number {
    return this.faults.get(objectId)?.hits ?? 0;
  }

  /** Works again. Answers how many steps had failed. */
  repair(objectId: string): number {
    const hits = this.failuresOf(objectId);
    this.faults.delete(objectId);
    return hits;
  }

  heal(): void {
    this.faults.clear();
  }

  /** Puts money into an operation's cash box. */
  fund(operationId: string, amountMinor: bigint): void {
    const postings = [
      { account: 'provider_clearing', amountMinor: -amountMinor },
      { account: 'available', amountMinor },
    ] as const;
    this.movements.push({
      transferId: `funding:${this.movements.length}`,
      operationId,
      objectId: operationId,
      name: 'funding',
      postings,
    });
  }

  /** The sum of an operation's entries on an account. */
  balance(operationId: string, account: LedgerAccount): bigint {
    return sumOf(
      this.movements.filter((movement) => movement.operationId === operationId),
      account,
    );
  }

  playerRevision(order: { operationId: string; playerRef: string }): string {
    return String(this.players.get(playerKey(order))?.revision ?? 0);
  }

  /** Something else happened to the player: decisions on older facts are stale. */
  touchPlayer(order: { operationId: string; playerRef: string }): void {
    const player = this.players.get(playerKey(order)) ?? { document: '', revision: 0 };
    this.players.set(playerKey(order), { ...player, revision: player.revision + 1 });
  }

  readonly admissions: DepositAdmissions = {
    admitDeposit: async ({ order, deposit, playerRevision }) =>
      this.step(order.depositId, 'admit', () => {
        if (this.isForestalled(order.depositId, 'admit'))
          this.depositRows.set(order.depositId, { order, snapshot: earlier(deposit), sealedPayer: null });
        const stored = this.depositRows.get(order.depositId);
        if (stored !== undefined) return { kind: 'admitted', found: this.foundDeposit(stored, 0) };
        const existing = [...this.depositRows.values()].find((row) => isSameExternalId(row.order, order));
        if (existing !== undefined) return { kind: 'duplicate', existingId: existing.order.depositId };
        if (playerRevision !== null && playerRevision !== this.playerRevision(order)) return { kind: 'stale' };
        const { player } = this.sealer.openJson<SealedDepositRequest>(order.sealedRequest);
        if (!this.fixDocument(order, player.document.number)) return { kind: 'document_mismatch' };
        this.depositRows.set(order.depositId, { order, snapshot: deposit, sealedPayer: null });
        return { kind: 'admitted', found: null };
      }),
  };

  readonly activities: StoreActivities = {
    storeDeposit: async (input) =>
      this.step(input.deposit.id, stepName(input, input.deposit), () => this.storeDeposit(input)),
    loadDeposit: async ({ depositId }) =>
      this.step(depositId, 'load', () => {
        const row = this.depositRows.get(depositId);
        if (row === undefined) throw ApplicationFailure.nonRetryable('no such deposit', 'DepositMissing');
        return { order: row.order, deposit: row.snapshot, sealedPayer: row.sealedPayer };
      }),
    admitWithdrawal: async (input) => this.step(input.order.withdrawalId, 'admit', () => this.admitWithdrawal(input)),
    storeWithdrawal: async (input) =>
      this.step(input.withdrawal.id, stepName(input, input.withdrawal), () => this.storeWithdrawal(input)),
    loadWithdrawal: async ({ withdrawalId }) =>
      this.step(withdrawalId, 'load', () => {
        const row = this.withdrawalRows.get(withdrawalId);
        if (row === undefined) throw ApplicationFailure.nonRetryable('no such withdrawal', 'WithdrawalMissing');
        return { order: row.order, withdrawal: row.snapshot };
      }),
    raiseAlert: async (alert) =>
      this.step(alert.objectId, 'alert', () => {
        this.raise(alert, alert.operationId, alert.objectId);
      }),
  };

  /** Raises an alert unless one of its kind is open for the object, or its occasion had one. */
  raise(alert: AlertNote, operationId: string, objectId: string): void {
    const { kind, detail, occasion } = alert;
    const isKnown = this.alerts.some(
      (other) =>
        other.kind === kind &&
        other.objectId === objectId &&
        other.occasion === occasion &&
        (occasion !== null || !other.resolved),
    );
    if (!isKnown) this.alerts.push({ kind, detail, occasion, operationId, objectId, resolved: false });
  }

  private step<Result>(objectId: string, step: string, write: () => Result): Result {
    const broken = this.faults.get(objectId);
    const fails = broken !== undefined && (broken.step === null || broken.step === step);
    if (!fails) return write();
    broken.hits += 1;
    if (broken.fault === 'loses_answer') write();
    throw ApplicationFailure.retryable('the database does not answer', 'DatabaseDown');
  }

  private storeDeposit(input: DepositTransitionInput): 'stored' | FoundDeposit {
    const row = this.depositRows.get(input.deposit.id);
    if (row === undefined) throw new Error('the deposit was never admitted');
    if (this.isForestalled(input.deposit.id, stepName(input, input.deposit)))
      this.storeDeposit({ ...input, deposit: earlier(input.deposit) });
    if (!this.mayStore(row.snapshot, input.deposit, input)) return this.foundDeposit(row, input.fromVersion);
    row.snapshot = input.deposit;
    row.sealedPayer = input.sealedPayer;
    this.applyEffects(input.deposit, input);
    return 'stored';
  }

  private storeWithdrawal(input: WithdrawalTransitionInput): Awaited<ReturnType<StoreActivities['storeWithdrawal']>> {
    const row = this.withdrawalRows.get(input.withdrawal.id);
    if (row === undefined) throw new Error('the withdrawal was never admitted');
    if (this.isForestalled(input.withdrawal.id, stepName(input, input.withdrawal)))
      this.storeWithdrawal({ ...input, withdrawal: earlier(input.withdrawal) });
    if (!this.mayStore(row.snapshot, input.withdrawal, input)) return this.foundWithdrawal(row, input.fromVersion);
    if (input.automaticUse && this.capReached.has(input.withdrawal.id)) return 'cap_reached';
    row.snapshot = input.withdrawal;
    this.applyEffects(input.withdrawal, input);
    return 'stored';
  }

  private foundDeposit({ snapshot, sealedPayer }: DepositRow, fromVersion: number): FoundDeposit {
    return { deposit: snapshot, sealedPayer, events: this.eventsSince(snapshot.id, fromVersion) };
  }

  private foundWithdrawal({ snapshot }: WithdrawalRow, fromVersion: number): FoundWithdrawal {
    return { withdrawal: snapshot, events: this.eventsSince(snapshot.id, fromVersion) };
  }

  private eventsSince(objectId: string, fromVersion: number): PublishedEvent[] {
    return this.events
      .filter((event) => event.objectId === objectId && event.version > fromVersion)
      .map(({ id, type }) => ({ id, type }));
  }

  /** The version guard of the real statement: a repeat changes nothing, a gap is a fault. */
  private mayStore(
    stored: Snapshot,
    next: Snapshot,
    { fromVersion, movement }: TransitionEffects & { fromVersion: number },
  ): boolean {
    if (stored.version !== fromVersion) {
      if (stored.version >= next.version) return false;
      throw ApplicationFailure.retryable(
        `version ${next.version} does not follow version ${stored.version}`,
        'VersionGap',
      );
    }
    const isRepeatedNote =
      fromVersion === next.version &&
      movement !== null &&
      this.movements.some(({ transferId }) => transferId === movement.transferId);
    return !isRepeatedNote;
  }

  private admitWithdrawal(
    input: Parameters<StoreActivities['admitWithdrawal']>[0],
  ): Awaited<ReturnType<StoreActivities['admitWithdrawal']>> {
    const { order, withdrawal, event, playerRevision } = input;
    if (this.isForestalled(order.withdrawalId, 'admit'))
      this.admitWithdrawal({ ...input, withdrawal: earlier(withdrawal) });
    const stored = this.withdrawalRows.get(order.withdrawalId);
    if (stored !== undefined) return { kind: 'admitted', found: this.foundWithdrawal(stored, 0) };
    const existing = [...this.withdrawalRows.values()].find((row) => isSameExternalId(row.order, order));
    if (existing !== undefined) return { kind: 'duplicate', existingId: existing.order.withdrawalId };
    if (this.balance(order.operationId, 'available') < BigInt(order.amountMinor))
      return { kind: 'insufficient_balance' };
    if (playerRevision !== null && playerRevision !== this.playerRevision(order)) return { kind: 'stale' };
    const { player } = this.sealer.openJson<SealedWithdrawalRequest>(order.sealedRequest);
    if (!this.fixDocument(order, player.document.number)) return { kind: 'stale' };
    this.withdrawalRows.set(order.withdrawalId, { order, snapshot: withdrawal });
    const movement = {
      name: 'withdrawal_reserved',
      amountMinor: order.amountMinor,
      transferId: `${withdrawal.id}:1`,
    } as const;
    this.applyEffects(withdrawal, { event, movement, alert: null, resolves: [] });
    return { kind: 'admitted', found: null };
  }

  private isForestalled(objectId: string, step: string): boolean {
    return this.forestalled.get(objectId) === step && this.forestalled.delete(objectId);
  }

  private fixDocument(order: { operationId: string; playerRef: string }, document: string): boolean {
    const player = this.players.get(playerKey(order));
    if (player !== undefined && player.document !== '' && player.document !== document) return false;
    this.players.set(playerKey(order), { document, revision: (player?.revision ?? 0) + 1 });
    return true;
  }

  private applyEffects(object: Snapshot, { event, movement, alert, resolves }: TransitionEffects): void {
    const { id: objectId, operationId, version } = object;
    if (event !== null) this.events.push({ ...event, operationId, objectId, version, object });
    if (movement !== null) this.move(operationId, objectId, movement);
    if (alert !== null) this.raise(alert, operationId, objectId);
    for (const open of this.alerts)
      if (open.objectId === objectId && resolves.includes(open.kind)) open.resolved = true;
  }

  private move(
    operationId: string,
    objectId: string,
    { name, amountMinor, transferId }: NonNullable<TransitionEffects['movement']>,
  ): void {
    if (this.movements.some((movement) => movement.transferId === transferId))
      throw new Error(`transfer ${transferId} exists`);
    this.movements.push({ transferId, operationId, objectId, name, postings: postingsOf(name, BigInt(amountMinor)) });
  }
}

/** What movements leave on an account. */
export function sumOf(movements: readonly StoredMovement[], account: LedgerAccount): bigint {
  const postings = movements.flatMap((movement) => movement.postings);
  return postings
    .filter((posting) => posting.account === account)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The same, stored three seconds before. */
function earlier<One extends Snapshot>(snapshot: One): One {
  const before = (instant: string) => new Date(Date.parse(instant) - 3_000).toISOString();
  return {
    ...snapshot,
    createdAt: snapshot.version === 1 ? before(snapshot.createdAt) : snapshot.createdAt,
    updatedAt: before(snapshot.updatedAt),
  };
}

function stepName({ fromVersion }: { fromVersion: number }, { version, status }: Snapshot): string {
  return fromVersion === version ? 'note' : status;
}

function isSameExternalId(
  a: { operationId: string; externalId: string },
  b: { operationId: string; externalId: string },
): boolean {
  return a.operationId === b.operationId && a.externalId === b.externalId;
}

function playerKey({ operationId, playerRef }: { operationId: string; playerRef: string }): string {
  return `${operationId}/${playerRef}`;
}
