// What the ingress writes down: callbacks as they came (sealed, once) and alerts for those that should not have come.
import { createHash } from 'node:crypto';
import type { AlertKind } from '../../domain/alerts.js';
import { newId } from '../../domain/identifiers.js';
import type { CallbackRequest, ProviderName } from '../../providers/port.js';
import type { IngressDependencies } from './server.js';

type Recorder = Pick<IngressDependencies, 'database' | 'sealer' | 'clock' | 'logger'>;

/** Keeps a verified callback; the same bytes again only raise its count. */
export async function keepCallback({ database, sealer, clock }: Recorder, provider: ProviderName, { path, body }: CallbackRequest): Promise<void> {
  const digest = new Uint8Array(createHash('sha256').update(`${provider}\n${path}\n`, 'utf8').update(body).digest());
  await database.$executeRaw`
    INSERT INTO provider_callback (provider, digest, body_sealed, received_at)
    VALUES (${provider}, ${digest}, ${sealer.sealBytes(body)}, ${clock()})
    ON CONFLICT (digest) DO UPDATE SET repetitions = provider_callback.repetitions + 1`;
}

/** One open alert per provider, however many forgeries come. */
export function raiseForged(recorder: Recorder, provider: ProviderName, reason: string): Promise<void> {
  return raise(recorder, 'CALLBACK_FORGED', provider, `provider ${provider}: ${reason}`);
}

/** One open alert per reference. */
export function raiseUnknownObject(recorder: Recorder, provider: ProviderName, kind: 'charge' | 'payout', reference: string): Promise<void> {
  return raise(recorder, 'CALLBACK_UNKNOWN_OBJECT', `${provider}:${reference}`, `provider ${provider} announced a ${kind} that does not exist here`);
}

async function raise({ database, clock, logger }: Recorder, kind: AlertKind, objectId: string, detail: string): Promise<void> {
  const raised = await database.$executeRaw`
    INSERT INTO alert (id, kind, object_id, detail, created_at) VALUES (${newId('alert')}, ${kind}, ${objectId}, ${detail}, ${clock()})
    ON CONFLICT DO NOTHING`;
  if (raised > 0) logger.warn({ alert: kind, objectId }, detail);
}
