// Whether the acts that are stored as signed were signed: by a passkey of their person, over exactly what the row says. The
// database cannot tell when an act is stored, so the nightly verification does.
import { createHash } from 'node:crypto';
import { challengeOf } from '../../domain/signed-act.js';
import type { SignedActKind } from '../../domain/staff.js';
import type { StaffAct, StaffPasskey } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { ActSignature } from './acts.js';

type Passkey = Pick<StaffPasskey, 'staffHandle' | 'publicKey' | 'createdAt' | 'removedAt'>;

export interface UnsignedAct {
  readonly id: string;
  readonly kind: string;
  readonly operationId: string | null;
}

const PRESENT_AND_VERIFIED = 0x05;

/** Verifies the signed acts that were done since then, the newest first. @returns how many, and those that do not hold */
export async function verifySignedActs(
  database: Pick<Database, 'staffAct' | 'staffPasskey'>,
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<{ readonly verified: number; readonly unsigned: UnsignedAct[] }> {
  const acts = await database.staffAct.findMany({
    where: { means: 'signature', outcome: 'done', createdAt: { gte: since } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: most,
  });
  const passkeys = await passkeysById(database, acts.map(signatureOf));
  const unsigned: UnsignedAct[] = [];
  for (const act of acts) {
    const passkey = passkeys.get(signatureOf(act).credentialId);
    if (passkey === undefined || !(await isSigned(act, passkey)))
      unsigned.push({ id: act.id, kind: act.kind, operationId: act.operationId });
  }
  return { verified: acts.length, unsigned };
}

async function passkeysById(
  database: Pick<Database, 'staffPasskey'>,
  signatures: readonly ActSignature[],
): Promise<ReadonlyMap<string, Passkey>> {
  const rows = await database.staffPasskey.findMany({
    where: { id: { in: [...new Set(signatures.map(({ credentialId }) => credentialId))] } },
    select: { id: true, staffHandle: true, publicKey: true, createdAt: true, removedAt: true },
  });
  return new Map(rows.map(({ id, ...passkey }) => [id, passkey]));
}

async function isSigned(act: StaffAct, passkey: Passkey): Promise<boolean> {
  const { authenticatorData, clientData, signature, nonce } = signatureOf(act);
  const wasTheirs =
    passkey.staffHandle === act.staffHandle &&
    passkey.createdAt <= act.createdAt &&
    (passkey.removedAt === null || passkey.removedAt >= act.createdAt);
  if (!wasTheirs) return false;
  // Loaded when it is needed, once a night: every worker would start later.
  const { verifySignature } = await import('@simplewebauthn/server/helpers');
  try {
    const [data, client] = [Buffer.from(authenticatorData, 'base64url'), Buffer.from(clientData, 'base64url')];
    const { type, challenge } = JSON.parse(client.toString('utf8')) as Record<string, unknown>;
    const expected = challengeOf({ ...act, kind: act.kind as SignedActKind }, act.staffHandle, nonce);
    const flags = data[32] ?? 0;
    if (type !== 'webauthn.get' || challenge !== Buffer.from(expected).toString('base64url')) return false;
    if ((flags & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false;
    return await verifySignature({
      signature: Uint8Array.from(Buffer.from(signature, 'base64url')),
      data: Uint8Array.from(Buffer.concat([data, createHash('sha256').update(client).digest()])),
      credentialPublicKey: Uint8Array.from(passkey.publicKey),
    });
  } catch {
    // Bytes that are no signature at all.
    return false;
  }
}

function signatureOf({ signature }: Pick<StaffAct, 'signature'>): ActSignature {
  const none = { credentialId: '', authenticatorData: '', clientData: '', signature: '', nonce: '' };
  return { ...none, ...(signature as unknown as Partial<ActSignature>) };
}
