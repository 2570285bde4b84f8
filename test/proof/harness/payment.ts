// What the payments of a proof have in common: who pays, how long anything may take, and their books and calls.
import type { Reply } from '../../../platform/temporal/calls.js';
import type { SealedPlayer } from '../../../store/sealing/orders.js';
import type { PaymentActKind } from '../../../domain/staff.js';
import { insertAct } from '../../../store/staff/acts.js';
import { ensureClaimedPerson } from '../../../store/staff/people.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { type StoredPayment, readStoredPayment, type Subject } from './stored-payment.js';
import type { Stage } from './stage.js';

export const CPF = '52998224725';
export const OTHER_CPF = '11144477735';

/** Long enough for a machine that is busy with other things. */
export const ACTION_MS = 60_000;

export function sealedPlayer(): SealedPlayer {
  return {
    external_ref: 'player-1',
    document: { type: 'CPF', number: CPF, country: 'BR' },
    name: 'Ana',
    ip: '203.0.113.7',
    device_id: 'device-1',
  };
}

/** What became of a call: the workflow's own answer, or none. */
export type Action<Kind extends string> = Kind | 'closed' | 'unavailable';

export abstract class ProvedPayment<Status extends string> implements Subject {
  constructor(
    readonly stage: Stage,
    readonly operationId: string,
    readonly id: string,
  ) {}

  get ruling() {
    return this.stage.rules.of(this.id);
  }

  /** Stores a person's act on it, as the `gateway` command does. */
  async act(kind: PaymentActKind, person: string, evidence = ''): Promise<string> {
    const { database } = this.stage;
    const row = { where: { id: this.id }, select: { version: true } } as const;
    const stored = kind.startsWith('deposit') ? database.deposit.findUnique(row) : database.withdrawal.findUnique(row);
    const { operationId, id: subjectId } = this;
    const subjectVersion = (await stored)?.version ?? 1;
    const actor = { handle: await ensureClaimedPerson(database, person), means: 'claim', sessionId: null } as const;
    const about = { kind, operationId, subjectId, subjectVersion };
    return insertAct(database, { actor, ...about, reason: 'checked', evidence });
  }

  read(): Promise<StoredPayment | null> {
    return readStoredPayment(this.stage.database, this);
  }

  /** Null until it is stored. */
  abstract status(): Promise<Status | null>;

  async reaches(status: Status): Promise<void> {
    await eventually(async () => (await this.status()) === status, `${this.id} is ${status}`, ACTION_MS);
  }

  /** Its workflow has nothing more to do. */
  async ended(): Promise<void> {
    const handle = this.stage.temporal.client.getHandle(this.id);
    await eventually(
      async () => (await handle.describe()).status.name !== 'RUNNING',
      `${this.id} has ended`,
      ACTION_MS,
    );
  }

  protected abstract queryWorkflow(): Promise<{ readonly status: Status } | null>;

  /** Whether the workflow has processed what it received so far. */
  async barrier(): Promise<void> {
    await this.queryWorkflow();
  }

  /** Its workflow knows that the step was stored: until then it refuses what its earlier state does not allow. */
  async workflowReaches(status: Status): Promise<void> {
    const hasStatus = async () => (await this.queryWorkflow())?.status === status;
    await eventually(hasStatus, `the workflow of ${this.id} says ${status}`, ACTION_MS);
  }

  async leaves(status: Status): Promise<void> {
    await eventually(async () => (await this.status()) !== status, `${this.id} is no longer ${status}`, ACTION_MS);
  }
}

/** The kind of the workflow's answer. What it refused before recording it is answered like any other refusal. */
export function kindOf<Kind extends string>(reply: Reply<unknown>): Action<Kind | 'invalid_state'> {
  if (reply.kind === 'not_possible') return 'invalid_state';
  return reply.kind === 'answer' ? (reply.value as { readonly kind: Kind }).kind : reply.kind;
}
