// Verifies that the acts that are stored as signed were signed by a passkey of their person, over exactly what the row
// contains. SQL cannot verify signatures, so the step that performs an act verifies it first, and the nightly
// verification checks all of them again.
import { createHash } from 'node:crypto';
import { signsAct } from '../../domain/new-passkeys.js';
import { type ActSignature, challengeOf, type SignedAct } from '../../domain/signed-act.js';
import { isPasskeyAct } from '../../domain/staff.js';
import type { StaffAct, StaffPasskey } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';

type Passkey = Pick<StaffPasskey, 'staffHandle' | 'publicKey' | 'createdAt' | 'signsFrom' | 'removedAt'>;

export interface UnsignedAct {
  readonly id: string;
  readonly kind: string;
  readonly operationId: string | null;
  /** The person in whose name it is stored. */
  readonly handle: string;
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
  const passkeys = await passkeysById(
    database,
    acts.map(({ signature }) => signatureOf(signature)),
  );
  const unsigned: UnsignedAct[] = [];
  for (const act of acts) {
    const passkey = passkeys.get(signatureOf(act.signature).credentialId);
    if (passkey === undefined || !(await holds(act, passkey)))
      unsigned.push({ id: act.id, kind: act.kind, operationId: act.operationId, handle: act.staffHandle });
  }
  return { verified: acts.length, unsigned };
}

async function passkeysById(
  database: Pick<Database, 'staffPasskey'>,
  signatures: readonly ActSignature[],
): Promise<ReadonlyMap<string, Passkey>> {
  const rows = await database.staffPasskey.findMany({
    where: { id: { in: [...new Set(signatures.map(({ credentialId }) => credentialId))] } },
    select: { id: true, staffHandle: true, publicKey: true, createdAt: true, signsFrom: true, removedAt: true },
  });
  return new Map(rows.map(({ id, ...passkey }) => [id, passkey]));
}

async function holds(act: StaffAct, passkey: Passkey): Promise<boolean> {
  const wasTheirs =
    passkey.staffHandle === act.staffHandle &&
    passkey.createdAt <= act.createdAt &&
    signsAct(passkey, act.kind, act.createdAt) &&
    (passkey.removedAt === null || passkey.removedAt >= act.createdAt);
  const signed = { ...act, handle: act.staffHandle };
  return wasTheirs && isSigned(signed, act.signature, passkey.publicKey);
}

/** The signed content of an act of any kind. Only acts of some kinds are signed. */
type Signable = Omit<SignedAct, 'kind'> & { readonly kind: string; readonly handle: string };

/**
 * Whether this passkey signed exactly this text. `signature` is the stored one, which may have been written by anyone.
 */
export async function isSigned(act: Signable, signature: unknown, publicKey: Uint8Array): Promise<boolean> {
  if (!isPasskeyAct(act.kind)) return false;
  const { authenticatorData, clientData, signature: bytes, nonce } = signatureOf(signature);
  // Loaded when it is needed: every worker would start later.
  const { verifySignature } = await import('@simplewebauthn/server/helpers');
  try {
    const [data, client] = [Buffer.from(authenticatorData, 'base64url'), Buffer.from(clientData, 'base64url')];
    const { type, challenge } = JSON.parse(client.toString('utf8')) as Record<string, unknown>;
    const expected = challengeOf({ ...act, kind: act.kind }, act.handle, nonce);
    const flags = data[32] ?? 0;
    if (type !== 'webauthn.get' || challenge !== Buffer.from(expected).toString('base64url')) return false;
    if ((flags & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return false;
    return await verifySignature({
      signature: Uint8Array.from(Buffer.from(bytes, 'base64url')),
      data: Uint8Array.from(Buffer.concat([data, createHash('sha256').update(client).digest()])),
      credentialPublicKey: Uint8Array.from(publicKey),
    });
  } catch {
    // Bytes that are no signature at all.
    return false;
  }
}

function signatureOf(stored: unknown): ActSignature {
  const none = { credentialId: '', authenticatorData: '', clientData: '', signature: '', nonce: '' };
  return { ...none, ...(stored as Partial<ActSignature> | null) };
}
