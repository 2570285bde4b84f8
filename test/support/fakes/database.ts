// Postgres as the workflows see it, in memory: rows with the version guard, events, ledger movements and alerts. It can
// be down, or lose the answer of what it has committed, for one payment at a time.
import { ApplicationFailure } from '@temporalio/common';
import type { AlertActivities } from '../../../activities/types.js';
import type { AlertKind, AlertNote } from '../../../domain/alerts.js';
import { processAlert } from '../../../domain/payments/outside-waits.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import {
  type LedgerAccount,
  type LedgerMovement,
  type LedgerPosting,
  type LedgerTransfer,
  postingsOf,
} from '../../../domain/ledger.js';
import type { WithdrawalSnapshot } from '../../../domain/payments/withdrawal.js';
import { MovementTakenError } from '../../../store/ledger/bank-movements.js';
import type { Sealer } from '../../../store/sealing/sealer.js';
import { FakeActs } from './acts.js';
import { FakeDepositStore } from './deposit-store.js';
import type { PaymentsDatabase, TransitionEffects } from './payments-database.js';
import { FakeWithdrawalStore } from './withdrawal-store.js';

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
  readonly step: string;
  readonly operationId: string;
  readonly objectId: string;
  /** The end-to-end id of a received payment; `null` for any other movement. */
  readonly bankId: string | null;
  readonly name: LedgerMovement | 'funding';
  readonly postings: readonly LedgerPosting[];
}

export interface StoredAlert extends AlertNote {
  readonly operationId: string | null;
  readonly objectId: string;
  resolved: boolean;
}

/** `refuses`: nothing is written. `loses_answer`: it is written, and the caller does not learn of it. */
export type DatabaseFault = 'refuses' | 'loses_answer';

interface PlayerRow {
  readonly document: string;
  revision: number;
}

export class FakeDatabase implements PaymentsDatabase {
  readonly acts = new FakeActs();
  readonly events: StoredEvent[] = [];
  readonly movements: StoredMovement[] = [];
  readonly alerts: StoredAlert[] = [];
  /** Withdrawals for which the operation's automatic cap has no room when they come to be stored. */
  readonly capReached = new Set<string>();
  /** Gets every event that is stored. */
  onPublished: (event: StoredEvent) => void = () => undefined;
  private readonly players = new Map<string, PlayerRow>();
  private readonly faults = new Map<string, { fault: DatabaseFault; step: string | null; hits: number }>();

  readonly deposits: FakeDepositStore;
  readonly withdrawals: FakeWithdrawalStore;

  constructor(sealer: Sealer) {
    this.deposits = new FakeDepositStore(this, sealer);
    this.withdrawals = new FakeWithdrawalStore(this, sealer);
  }

  deposit(id: string): DepositSnapshot | null {
    return this.deposits.row(id)?.record.snapshot ?? null;
  }

  withdrawal(id: string): WithdrawalSnapshot | null {
    return this.withdrawals.record(id)?.snapshot ?? null;
  }

  /**
   * From now on steps of this payment fail; `step` picks one: `insert`, `load`, `alert`, `note`, `clear`, `claim`,
   * `not_sent`, `traceless`, or the status of a transition.
   */
  breakDown(objectId: string, fault: DatabaseFault, step: string | null = null): void {
    this.faults.set(objectId, { fault, step, hits: 0 });
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
      step: `funding:${this.movements.length}`,
      bankId: null,
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

  readonly activities: AlertActivities = {
    raiseAlert: async ({ id, operationId, condition, code }) =>
      this.step(id, 'alert', () => this.raise(processAlert(condition, id, code), operationId, id)),
  };

  /** Raises an alert unless one of its kind is open for the object, or its occasion had one. */
  raise(alert: AlertNote, operationId: string | null, objectId: string): void {
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

  /** Resolves the open alerts of these kinds about the object. */
  resolve(objectId: string, kinds: readonly AlertKind[]): void {
    for (const open of this.alerts) if (open.objectId === objectId && kinds.includes(open.kind)) open.resolved = true;
  }

  /** Runs a step of a payment, unless it was broken down. */
  step<Result>(objectId: string, step: string, write: () => Result): Result {
    const broken = this.faults.get(objectId);
    const fails = broken !== undefined && (broken.step === null || broken.step === step);
    if (!fails) return write();
    broken.hits += 1;
    if (broken.fault === 'loses_answer') write();
    throw ApplicationFailure.retryable('the database does not answer', 'DatabaseDown');
  }

  /** Fixes the player's document at first use. False if it is another one. */
  fixDocument(order: { operationId: string; playerRef: string }, document: string): boolean {
    const player = this.players.get(playerKey(order));
    if (player !== undefined && player.document !== '' && player.document !== document) return false;
    this.players.set(playerKey(order), { document, revision: (player?.revision ?? 0) + 1 });
    return true;
  }

  applyEffects(object: Snapshot, { event, movements, alert, resolves }: TransitionEffects): void {
    const { id: objectId, operationId, version } = object;
    for (const movement of movements) this.move(operationId, objectId, movement);
    if (alert !== null) this.raise(alert, operationId, objectId);
    this.resolve(objectId, resolves);
    if (event !== null) this.publish({ ...event, operationId, objectId, version, object });
  }

  /** Throws MovementTakenError: the first payment that has it keeps it. */
  assertNotTaken(objectId: string, movements: readonly LedgerTransfer[]): void {
    for (const { bank } of movements) {
      const other = this.movements.find((one) => one.bankId !== null && one.bankId === bank?.bankId);
      if (bank?.kind === 'received' && other !== undefined && other.objectId !== objectId)
        throw new MovementTakenError(bank.bankId, other.objectId);
    }
  }

  publish(event: StoredEvent): void {
    this.events.push(event);
    this.onPublished(event);
  }

  private move(operationId: string, objectId: string, { name, amountMinor, step, bank }: LedgerTransfer): void {
    if (this.movements.some((movement) => movement.objectId === objectId && movement.step === step))
      throw new Error(`transfer ${step} of ${objectId} exists`);
    const bankId = bank?.kind === 'received' ? bank.bankId : null;
    const postings = postingsOf(name, amountMinor);
    this.movements.push({ step, bankId, operationId, objectId, name, postings });
  }
}

/** What movements leave on an account. */
export function sumOf(movements: readonly StoredMovement[], account: LedgerAccount): bigint {
  const postings = movements.flatMap((movement) => movement.postings);
  return postings
    .filter((posting) => posting.account === account)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function playerKey({ operationId, playerRef }: { operationId: string; playerRef: string }): string {
  return `${operationId}/${playerRef}`;
}
