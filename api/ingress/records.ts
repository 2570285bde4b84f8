// What the ingress stores: callbacks (sealed, once each) and alerts for forged or unexpected ones.
import { createHash } from 'node:crypto';
import type { AlertKind } from '../../domain/alerts.js';
import { newId } from '../../domain/identifiers.js';
import { placeOf } from '../../store/sealing/places.js';
import type { CallbackRequest, ProviderName } from '../../providers/port.js';
import type { PaymentCard } from '../../platform/temporal/start-options.js';
import type { IngressDependencies } from './dependencies.js';

type Recorder = Pick<IngressDependencies, 'database' | 'sealer' | 'clock' | 'logger'>;

/** A payment named by a callback, with what its workflow needs to be reopened. */
export interface NamedPayment extends Omit<PaymentCard, 'kind' | 'waitingFor'> {
  readonly kind: 'charge' | 'payout';
}

const digestOf = (provider: ProviderName, { path, body }: CallbackRequest) =>
  new Uint8Array(createHash('sha256').update(`${provider}\n${path}\n`, 'utf8').update(body).digest());

/**
 * Counts a callback whose bytes were all passed on before, in one statement by its digest. False: it is new, or was
 * never answered.
 */
export async function isRepeat(
  { database }: Recorder,
  provider: ProviderName,
  request: CallbackRequest,
): Promise<boolean> {
  const repeated = await database.$executeRaw`
    UPDATE provider_callback SET repetitions = repetitions + 1
    WHERE digest = ${digestOf(provider, request)}::bytea AND passed_on_at IS NOT NULL`;
  return repeated > 0;
}

/**
 * Stores a verified callback and reads the payments that it names, in one statement. The same bytes again only raise
 * its count. Payments of another provider are never returned.
 */
export async function keepCallback(
  { database, sealer, clock }: Recorder,
  provider: ProviderName,
  request: CallbackRequest,
  ids: { readonly deposits: string[]; readonly withdrawals: string[] },
): Promise<NamedPayment[]> {
  const digest = digestOf(provider, request);
  const sealed = sealer.sealBytes(placeOf('provider_callback.body_sealed', null, { digest }), request.body);
  return database.$queryRaw<NamedPayment[]>`
    WITH kept AS (
      INSERT INTO provider_callback (provider, digest, body_sealed, received_at)
      VALUES (${provider}, ${digest}::bytea, ${sealed}::bytea, ${clock()}::timestamptz)
      ON CONFLICT (digest) DO UPDATE SET repetitions = provider_callback.repetitions + 1
    ), named AS (
      SELECT 'charge' AS kind, id, operation_id, external_id, status, amount_minor, provider
      FROM deposit WHERE id = ANY(${ids.deposits}::text[])
      UNION ALL
      SELECT 'payout', id, operation_id, external_id, status, amount_minor, provider
      FROM withdrawal WHERE id = ANY(${ids.withdrawals}::text[])
    )
    SELECT named.kind, named.id, operation_id AS "operationId", operation.name AS "operationName",
      external_id AS "externalId", named.status, amount_minor::text AS "amountMinor"
    FROM named JOIN operation ON operation.id = named.operation_id WHERE named.provider = ${provider}`;
}

/** From now on the same bytes are a repeat. */
export async function notePassedOn(
  { database, clock }: Recorder,
  provider: ProviderName,
  request: CallbackRequest,
): Promise<void> {
  await database.$executeRaw`
    UPDATE provider_callback SET passed_on_at = ${clock()}::timestamptz
    WHERE digest = ${digestOf(provider, request)}::bytea`;
}

/** At most one open alert per provider. */
export function raiseForged(recorder: Recorder, provider: ProviderName, reason: string): Promise<void> {
  return raise(recorder, 'CALLBACK_FORGED', provider, `provider ${provider}: ${reason}`);
}

/** At most one open alert per reference. */
export function raiseUnknownObject(
  recorder: Recorder,
  provider: ProviderName,
  kind: 'charge' | 'payout',
  reference: string,
): Promise<void> {
  return raise(
    recorder,
    'CALLBACK_UNKNOWN_OBJECT',
    `${provider}:${reference}`,
    `provider ${provider} announced a ${kind} that does not exist here`,
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
