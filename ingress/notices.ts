// What follows from a verified callback: its notices become signals. An open workflow receives its signal; an ended one
// is reopened for it. Also here: what the ingress depends on, its alerts (forged callbacks, and callbacks that cannot
// be read or concern no known payment), and the note of which callbacks were passed on.
import type { BlockList } from 'node:net';
import type { Logger } from 'pino';
import type { Deadlines, TemporalClient } from '../platform/temporal/calls.js';
import type { DepositWorkflows, WithdrawalWorkflows } from '../platform/temporal/payment-workflows.js';
import type { CallbackReaders, CallbackReader, CallbackRequest, ProviderNotice } from '../providers/port.js';
import type { Database } from '../store/database.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { alertOf, type RecordWords } from '../domain/alert-records.js';
import type { AccountName } from '../domain/provider-accounts.js';
import { type GatewayAlert, insertAlert } from '../store/alerts/alerts.js';
import { notePassedOn, keepCallback, type NamedPayment } from '../store/callbacks/callbacks.js';
import { depositIdOf, isId, withdrawalIdOf } from '../domain/identifiers.js';

export interface IngressDependencies {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly temporal: TemporalClient;
  /** One for each configured provider. Callbacks of any other get 404. */
  readonly readers: CallbackReaders;
  /** The edge's addresses. Only the edge is trusted to name the certificate that a provider presented. */
  readonly trustedProxies: BlockList;
  readonly deadlines: Deadlines;
  /** Wall time. */
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Continue the trace of a verified callback. Only the simulator's callbacks carry our traces. */
  readonly continuesTraces?: boolean;
  /** For `/healthz`. */
  readonly isReady: () => Promise<boolean>;
  readonly passedOn: PassedOn;
}

/** The dependencies with the workflows that a notice can signal. */
export interface CallbackServices extends IngressDependencies {
  readonly deposits: DepositWorkflows;
  readonly withdrawals: WithdrawalWorkflows;
}

type Recorder = Pick<IngressDependencies, 'database' | 'clock' | 'logger'>;

/** At most one open alert per provider. */
export function raiseForged(recorder: Recorder, provider: AccountName, forgery: RecordWords['forgery']): Promise<void> {
  return raise(recorder, provider, alertOf('CALLBACK_FORGED', 'forged', { provider, forgery }));
}

/** At most one open alert per provider. The fields are named; what is in them is not. */
export function raiseUnreadable(recorder: Recorder, provider: AccountName, fields: readonly string[]): Promise<void> {
  const [field = '', ...fault] = (fields[0] ?? '').split(': ');
  const values = { provider, count: fields.length, field, fault: fault.length === 0 ? null : fault.join(': ') };
  return raise(recorder, provider, alertOf('CALLBACK_UNREADABLE', 'unread', values));
}

/** At most one open alert per reference. */
function raiseUnknownObject(
  recorder: Recorder,
  provider: AccountName,
  kind: 'charge' | 'payout' | 'return',
  reference: string,
): Promise<void> {
  return raise(
    recorder,
    `${provider}:${reference}`,
    kind === 'return'
      ? alertOf('CALLBACK_UNKNOWN_OBJECT', 'payment', { provider })
      : alertOf('CALLBACK_UNKNOWN_OBJECT', 'named', { provider, named: kind }),
  );
}

async function raise(
  { database, clock, logger }: Recorder,
  objectId: string,
  { kind, detail }: Pick<GatewayAlert, 'kind' | 'detail'>,
): Promise<void> {
  const at = clock().toISOString();
  if (await insertAlert(database, { kind, detail, occasion: null, operationId: null, objectId, at }))
    logger.warn({ alert: kind, objectId }, detail);
}

const WAIT_MS = 1_000;
/** How many are written at once, before the second ends. */
const MOST_WAITING = 500;

/**
 * Notes which callbacks were passed on, those of a second in one statement. A note that is lost in a crash lets the
 * provider's repeat start one more look-up, and nothing else.
 */
export class PassedOn {
  /** Digests (hex) that are not written yet. */
  readonly #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  note(digest: Uint8Array): void {
    this.#waiting.add(hexOf(digest));
    if (this.#waiting.size >= MOST_WAITING) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), WAIT_MS);
  }

  /** Whether it was passed on, even if the database does not show it yet. */
  has(digest: Uint8Array): boolean {
    return this.#waiting.has(hexOf(digest));
  }

  /** Writes what is waiting. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  async #write(): Promise<void> {
    const digests = [...this.#waiting];
    if (digests.length === 0) return;
    try {
      await notePassedOn(this.database, digests);
    } catch (error) {
      const { name } = error as Error;
      this.logger.warn({ error: name, callbacks: digests.length }, 'callbacks that were passed on could not be noted');
    }
    for (const digest of digests) this.#waiting.delete(digest);
  }
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}

/** Longer than any reference of ours. */
const REFERENCE_MAX_LENGTH = 64;
/**
 * How long the same bytes count as a repeat. Where a new event may have the same bytes, only as long as one delivery
 * takes.
 */
const REPEAT_SECONDS = { reusedBodies: 60, otherwise: 86_400 } as const;

/**
 * Stores the callback and signals its notices in order. False at the first one that could not be delivered: the
 * provider then repeats them all. What was passed on before starts nothing again.
 */
export async function keepAndPassOn(
  services: CallbackServices,
  { name: provider, reusesCallbackBodies }: CallbackReader,
  { path, body }: CallbackRequest,
  notices: readonly ProviderNotice[],
): Promise<boolean> {
  const repeatSeconds = reusesCallbackBodies ? REPEAT_SECONDS.reusedBodies : REPEAT_SECONDS.otherwise;
  const { database, sealer, clock } = services;
  const kept = await keepCallback(
    database,
    sealer,
    { provider, path, body, at: clock(), repeatSeconds },
    {
      deposits: notices.flatMap((notice) => (notice.kind === 'charge' ? (objectIdOf(notice) ?? []) : [])),
      withdrawals: notices.flatMap((notice) => (notice.kind === 'payout' ? (objectIdOf(notice) ?? []) : [])),
      endToEndIds: notices.flatMap((notice) => (notice.kind === 'return' ? notice.endToEndId : [])),
    },
  );
  if (kept.isRepeat || services.passedOn.has(kept.digest)) return true;
  // Stored callbacks too: a crash before the provider's answer may have lost their signals.
  for (const notice of distinct(notices)) {
    const payment = kept.payments.find((candidate) => isNamed(notice, candidate));
    const isDelivered =
      payment === undefined ? await reportUnknown(services, provider, notice) : await passOn(services, payment);
    if (!isDelivered) return false;
  }
  services.passedOn.note(kept.digest);
  return true;
}

function isNamed(notice: ProviderNotice, { id, endToEndId }: NamedPayment): boolean {
  return notice.kind === 'return' ? endToEndId === notice.endToEndId : id === objectIdOf(notice);
}

type Referring = Exclude<ProviderNotice, { kind: 'return' }>;

/** The payment id in a notice's reference; null when the reference is not one of ours. */
function objectIdOf({ kind, reference }: Referring): string | null {
  const id = kind === 'charge' ? depositIdOf(reference) : withdrawalIdOf(reference);
  return isId(kind === 'charge' ? 'deposit' : 'withdrawal', id) ? id : null;
}

async function passOn(
  { deposits, withdrawals }: CallbackServices,
  { operationName, kind, endToEndId: _, ...payment }: NamedPayment,
): Promise<boolean> {
  const workflows = kind === 'charge' ? deposits : withdrawals;
  return (await workflows.notify(payment, operationName)).kind === 'answer';
}

/** No payment waits for this notice. An alert is raised, and the provider should not repeat it. */
async function reportUnknown(services: CallbackServices, provider: AccountName, notice: ProviderNotice): Promise<true> {
  const { kind } = notice;
  const named = notice.kind === 'return' ? notice.endToEndId : notice.reference;
  // It may be arbitrary text: shorten and clean it before it is shown.
  const shown = named.slice(0, REFERENCE_MAX_LENGTH).replace(/[^A-Za-z0-9_.-]/g, '?');
  await raiseUnknownObject(services, provider, kind, shown);
  return true;
}

/** A callback may contain the same notice several times. */
function distinct(notices: readonly ProviderNotice[]): readonly ProviderNotice[] {
  return [
    ...new Map(
      notices.map((notice) => [
        `${notice.kind} ${notice.kind === 'return' ? '' : notice.reference} ${notice.endToEndId ?? ''}`,
        notice,
      ]),
    ).values(),
  ];
}
