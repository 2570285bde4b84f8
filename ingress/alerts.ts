// The alerts of the ingress: forged callbacks, and callbacks that cannot be read or concern no known payment.
import type { AlertKind } from '../domain/alerts.js';
import type { AccountName } from '../domain/provider-accounts.js';
import { insertAlert } from '../store/alerts/alerts.js';
import type { IngressDependencies } from './dependencies.js';

type Recorder = Pick<IngressDependencies, 'database' | 'clock' | 'logger'>;

/** At most one open alert per provider. */
export function raiseForged(recorder: Recorder, provider: AccountName, reason: string): Promise<void> {
  return raise(recorder, 'CALLBACK_FORGED', provider, `provider ${provider}: ${reason}`);
}

/** At most one open alert per provider. The fields are named; what is in them is not. */
export function raiseUnreadable(recorder: Recorder, provider: AccountName, fields: readonly string[]): Promise<void> {
  const detail = `provider ${provider}: ${fields.length} of a batch could not be read (${fields[0] ?? ''})`;
  return raise(recorder, 'CALLBACK_UNREADABLE', provider, detail);
}

/** At most one open alert per reference. */
export function raiseUnknownObject(
  recorder: Recorder,
  provider: AccountName,
  kind: 'charge' | 'payout' | 'return',
  reference: string,
): Promise<void> {
  return raise(
    recorder,
    'CALLBACK_UNKNOWN_OBJECT',
    `${provider}:${reference}`,
    kind === 'return'
      ? `provider ${provider} announced something about a payment that does not exist here`
      : `provider ${provider} announced a ${kind} that does not exist here`,
  );
}

async function raise(
  { database, clock, logger }: Recorder,
  kind: AlertKind,
  objectId: string,
  detail: string,
): Promise<void> {
  const at = clock().toISOString();
  if (await insertAlert(database, { kind, detail, occasion: null, operationId: null, objectId, at }))
    logger.warn({ alert: kind, objectId }, detail);
}
