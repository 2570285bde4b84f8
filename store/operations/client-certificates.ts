// The record of client certificates: which authority issued which to which operation, and which were revoked. The
// operators have the certificates themselves; the TLS edge checks the authority's signature and its revocation list.
import type { ClientCertificate } from '../../prisma/generated/client.js';
import type { Database } from '../database.js';
import type { Transaction } from '../transactions.js';

/** Valid certificates of an operation: one, and its successor during a renewal (specification, "Authentication"). */
const VALID_CERTIFICATES_PER_OPERATION = 2;

export interface IssuedCertificate {
  readonly serial: string;
  readonly operationId: string;
  readonly authority: string;
  readonly fingerprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly issuedBy: string;
}

export type RevokedCertificate = Omit<ClientCertificate, 'revokedAt'> & { readonly revokedAt: Date };

/** The serials of the valid certificates, if there are too many for another. The caller holds the operation's lock. */
export async function tooManyCertificates(transaction: Transaction, operationId: string): Promise<string[] | null> {
  const valid = await transaction.clientCertificate.findMany({
    where: { operationId, revokedAt: null, notAfter: { gt: new Date() } },
    orderBy: { notBefore: 'asc' },
    select: { serial: true },
  });
  return valid.length >= VALID_CERTIFICATES_PER_OPERATION ? valid.map(({ serial }) => serial) : null;
}

export async function insertCertificate(transaction: Transaction, certificate: IssuedCertificate): Promise<void> {
  await transaction.clientCertificate.create({ data: certificate });
}

/** Marks an existing certificate as revoked. A certificate that was revoked before keeps its time. */
export async function markCertificateRevoked(
  transaction: Transaction,
  serial: string,
): Promise<{ certificate: RevokedCertificate; isNew: boolean }> {
  const { count } = await transaction.clientCertificate.updateMany({
    where: { serial, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  const certificate = await transaction.clientCertificate.findUniqueOrThrow({ where: { serial } });
  return { certificate: certificate as RevokedCertificate, isNew: count === 1 };
}

/** The row of a certificate; `null` if there is none. */
export function certificateBySerial(
  database: Pick<Database, 'clientCertificate'>,
  serial: string,
): Promise<ClientCertificate | null> {
  return database.clientCertificate.findUnique({ where: { serial } });
}

/** The certificates of an operation that are valid the longest, ended ones too. */
export function latestCertificates(
  database: Database,
  operationId: string,
  take: number,
): Promise<ClientCertificate[]> {
  return database.clientCertificate.findMany({ where: { operationId }, orderBy: { notAfter: 'desc' }, take });
}

/** Certificates, newest first. */
export async function listCertificates(
  database: Database,
  { operationId, limit }: { operationId: string | null; limit: number },
): Promise<ClientCertificate[]> {
  return database.clientCertificate.findMany({
    where: operationId === null ? {} : { operationId },
    orderBy: { notBefore: 'desc' },
    take: limit,
  });
}

/** The entries of an authority's revocation list: revoked certificates that have not expired. */
export async function revokedCertificates(
  database: Database,
  authority: string,
): Promise<{ serial: string; revokedAt: Date }[]> {
  const rows = await database.clientCertificate.findMany({
    where: { authority, revokedAt: { not: null }, notAfter: { gt: new Date() } },
    orderBy: { serial: 'asc' },
    select: { serial: true, revokedAt: true },
  });
  return rows.map(({ serial, revokedAt }) => ({ serial, revokedAt: revokedAt as Date }));
}
