// What the ingress stores: callbacks (sealed, once each) and alerts for forged or unexpected ones.
import { createHash } from 'node:crypto';
import type { AlertKind } from '../domain/alerts.js';
import { newId } from '../domain/identifiers.js';
import { placeOf } from '../store/sealing/places.js';
import type { CallbackRequest, AccountName } from '../providers/port.js';
import type { PaymentCard } from '../platform/temporal/start-options.js';
import type { IngressDependencies } from './dependencies.js';

type Recorder = Pick<IngressDependencies, 'database' | 'sealer' | 'clock' | 'logger'>;

/** A payment named by a callback, with what its workflow needs to be reopened. */
export interface NamedPayment extends Omit<PaymentCard, 'kind' | 'waitingFor'> {
  readonly kind: 'charge' | 'payout';
  /** Of a payment that was received, or of a payout that was sent; null before. */
  readonly endToEndId: string | null;
}

/** A stored callback. */
export interface KeptCallback {
  /** All of it was passed on before. */
  readonly isRepeat: boolean;
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly payments: readonly NamedPayment[];
}

/**
 * For so long the same bytes say nothing new. Afterwards they may: some providers tell a change, such as a payout that
 * came back, in the words of the one before.
 */
const REPEATED_FOR_SECONDS = 60;

/**
 * Stores a verified callback and reads the payments that it names, in one statement. The same bytes again only raise
 * its count. Payments of another provider are never returned.
 */
export async function keepCallback(
  { database, sealer, clock }: Recorder,
  provider: AccountName,
  { path, body }: CallbackRequest,
  ids: { readonly deposits: string[]; readonly withdrawals: string[]; readonly endToEndIds: string[] },
): Promise<KeptCallback> {
  const digest = new Uint8Array(createHash('sha256').update(`${provider}\n${path}\n`, 'utf8').update(body).digest());
  const sealed = sealer.sealBytes(placeOf('provider_callback.body_sealed', null, { digest }), body);
  const [kept] = await database.$queryRaw<Omit<KeptCallback, 'digest'>[]>`
    WITH kept AS (
      INSERT INTO provider_callback (provider, digest, body_sealed, received_at)
      VALUES (${provider}, ${digest}::bytea, ${sealed}::bytea, ${clock()}::timestamptz)
      ON CONFLICT (digest) DO UPDATE SET repetitions = provider_callback.repetitions + 1
      RETURNING passed_on_at > now() - make_interval(secs => ${REPEATED_FOR_SECONDS}::int) AS is_repeat
    ), named AS (
      SELECT 'charge' AS kind, id, operation_id, external_id, status, amount_minor, provider,
        end_to_end_id
      FROM deposit WHERE id = ANY(${ids.deposits}::text[]) OR end_to_end_id = ANY(${ids.endToEndIds}::text[])
      UNION ALL
      SELECT 'payout', id, operation_id, external_id, status, amount_minor, provider, psp_reference
      FROM withdrawal WHERE id = ANY(${ids.withdrawals}::text[]) OR psp_reference = ANY(${ids.endToEndIds}::text[])
    )
    SELECT (SELECT coalesce(is_repeat, false) FROM kept) AS "isRepeat", (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'kind', named.kind, 'id', named.id, 'operationId', operation_id, 'operationName', operation.name,
        'externalId', external_id, 'status', named.status, 'amountMinor', amount_minor::text,
        'endToEndId', end_to_end_id
      )), '[]')
      FROM named JOIN operation ON operation.id = named.operation_id WHERE named.provider = ${provider}
    ) AS payments`;
  if (kept === undefined) throw new Error('the statement that keeps a callback answered nothing');
  return { ...kept, digest };
}

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
  const raised = await database.$executeRaw`
    INSERT INTO alert (id, kind, object_id, detail, created_at)
    VALUES (${newId('alert')}, ${kind}, ${objectId}, ${detail}, ${clock()})
    ON CONFLICT DO NOTHING`;
  if (raised > 0) logger.warn({ alert: kind, objectId }, detail);
}
