// Turns a provider's notices into signals. An open workflow receives its signal; an ended one is reopened for it.
import { depositIdOf, isId, withdrawalIdOf } from '../domain/identifiers.js';
import type { AccountName, CallbackReader, CallbackRequest, ProviderNotice } from '../providers/port.js';
import { keepCallback, type NamedPayment } from '../store/callbacks/callbacks.js';
import { raiseUnknownObject } from './alerts.js';
import type { CallbackServices } from './dependencies.js';

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
