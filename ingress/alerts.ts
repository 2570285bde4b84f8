// The alerts of the ingress: forged callbacks, and callbacks that cannot be read or concern no known payment.
import { alertOf, type RecordWords } from '../domain/alert-records.js';
import type { AccountName } from '../domain/provider-accounts.js';
import { type GatewayAlert, insertAlert } from '../store/alerts/alerts.js';
import type { IngressDependencies } from './dependencies.js';

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
export function raiseUnknownObject(
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
