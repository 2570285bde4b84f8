// An operation's webhook secrets: making, reading and rotating them. Stored sealed, returned once.
import { randomUUID } from 'node:crypto';
import type { Doer } from '../../domain/staff.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { placeOf } from '../sealing/places.js';
import type { Sealer } from '../sealing/sealer.js';
import type { Transaction } from '../transactions.js';
import { operationTime } from './clock.js';
import { newWebhookSecret } from './key-material.js';

/** How long the earlier secret still signs after a rotation (specification, "Secret rotation"). */
const WEBHOOK_SECRET_OVERLAP_DAYS = 7;
/** Secrets that sign at once: the newest, and the one before it during a rotation. */
const SIGNING_SECRETS = 2;

/** The operation's secrets that are valid at `now`, newest first. */
export async function readWebhookSecrets(
  database: Database,
  sealer: Sealer,
  operationId: string,
  now: Date,
): Promise<string[]> {
  const rows = await database.webhookSecret.findMany({
    where: { operationId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: { createdAt: 'desc' },
    take: SIGNING_SECRETS,
  });
  return rows.map(({ id, secretSealed: sealed }) => openWebhookSecret(sealer, operationId, { id, sealed }));
}

/** The newest webhook secrets of an operation, ended ones too, without what is sealed. */
export function newestWebhookSecrets(database: Database, operationId: string, take: number) {
  return database.webhookSecret.findMany({
    where: { operationId },
    orderBy: { createdAt: 'desc' },
    take,
    omit: { secretSealed: true },
  });
}

/** The text of a stored secret. */
export function openWebhookSecret(
  sealer: Sealer,
  operationId: string,
  { id, sealed }: { readonly id: string; readonly sealed: Uint8Array },
): string {
  return sealer.openBytes(placeOf('webhook_secret.secret_sealed', operationId, { id }), sealed).toString('utf8');
}

/** A rotation is under way: two secrets sign already. */
export interface RotationUnderWay {
  readonly kind: 'two_active';
  readonly until: Date;
}

export type WebhookSecretRotation =
  | {
      readonly kind: 'rotated';
      readonly secret: string;
      /** When the earlier secret stops signing; null if none does. */
      readonly previousExpiresAt: Date | null;
    }
  | RotationUnderWay;

interface Rotation {
  readonly operationId: string;
  /** The earlier secrets stop signing at once. */
  readonly revokeEarlier: boolean;
}

/** Why a rotation has to wait; null if it need not. The operation is locked. */
export async function rotationUnderWay(
  transaction: Transaction,
  { operationId, revokeEarlier }: Rotation,
): Promise<RotationUnderWay | null> {
  return revokeEarlier
    ? null
    : endingOf(await signingAt(transaction, operationId, await operationTime(transaction, operationId)));
}

function endingOf(active: readonly { readonly expiresAt: Date | null }[]): RotationUnderWay | null {
  const ending = active.find(({ expiresAt }) => expiresAt !== null);
  return active.length > 1 && ending?.expiresAt != null ? { kind: 'two_active', until: ending.expiresAt } : null;
}

function signingAt(transaction: Transaction, operationId: string, now: Date) {
  return transaction.webhookSecret.findMany({
    where: { operationId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true, expiresAt: true },
  });
}

/**
 * Makes a new secret of an operation that is locked. The earlier one signs beside it for seven days or, with
 * `revokeEarlier`, no longer. `approval`: the second person's, where two are needed.
 */
export async function rotateWebhookSecret(
  transaction: Transaction,
  sealer: Sealer,
  rotation: Rotation & { readonly person: Doer; readonly approval: string | null },
): Promise<WebhookSecretRotation> {
  const { operationId, revokeEarlier, person, approval } = rotation;
  const now = await operationTime(transaction, operationId);
  const active = await signingAt(transaction, operationId, now);
  const underWay = revokeEarlier ? null : endingOf(active);
  if (underWay !== null) return underWay;
  const expiresAt = revokeEarlier ? now : new Date(now.getTime() + WEBHOOK_SECRET_OVERLAP_DAYS * 86_400_000);
  await transaction.webhookSecret.updateMany({
    where: { id: { in: active.map(({ id }) => id) } },
    data: { expiresAt },
  });
  const secret = await insertWebhookSecret(transaction, sealer, operationId);
  await appendAudit(transaction, {
    person,
    action: 'webhook_secret.rotate',
    operationId,
    subject: operationId,
    detail: { revoke_earlier: revokeEarlier, ...(approval === null ? {} : { approval }) },
  });
  return { kind: 'rotated', secret, previousExpiresAt: revokeEarlier || active.length === 0 ? null : expiresAt };
}

/** Stores a new secret and returns it. */
export async function insertWebhookSecret(
  transaction: Transaction,
  sealer: Sealer,
  operationId: string,
): Promise<string> {
  const [id, secret] = [randomUUID(), newWebhookSecret()];
  const place = placeOf('webhook_secret.secret_sealed', operationId, { id });
  // Uses createMany, which reads nothing back: the panel makes secrets without the right to read them.
  await transaction.webhookSecret.createMany({
    data: { id, operationId, secretSealed: sealer.sealBytes(place, Buffer.from(secret, 'utf8')) },
  });
  return secret;
}
