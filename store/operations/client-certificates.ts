// The record of client certificates: which authority issued which to which operation, and which were revoked. The
// operators have the certificates themselves; the TLS edge checks the authority's signature and its revocation list.
import type { ClientCertificate } from '../../prisma/generated/client.js';
import { appendAudit } from '../audit/audit.js';
import type { Database } from '../database.js';
import { inTransaction } from '../transactions.js';
import { lockOperation } from './access.js';

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

export type IssueRecord =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'no_such_operation' }
  | { readonly kind: 'other_environment'; readonly environment: string }
  | { readonly kind: 'too_many_certificates'; readonly serials: readonly string[] };

/** Records a certificate before it is handed out, or refuses it; `environment` is the authority's. */
export async function recordCertificate(
  database: Database,
  environment: string,
  certificate: IssuedCertificate,
): Promise<IssueRecord> {
  const { operationId, serial, issuedBy: person, notAfter } = certificate;
  return inTransaction(database, async (transaction) => {
    const operation = await lockOperation(transaction, operationId);
    if (operation === null) return { kind: 'no_such_operation' };
    if (operation.environment !== environment) return { kind: 'other_environment', environment: operation.environment };
    const valid = await transaction.clientCertificate.findMany({
      where: { operationId, revokedAt: null, notAfter: { gt: new Date() } },
      orderBy: { notBefore: 'asc' },
      select: { serial: true },
    });
    if (valid.length >= VALID_CERTIFICATES_PER_OPERATION)
      return { kind: 'too_many_certificates', serials: valid.map((one) => one.serial) };
    await transaction.clientCertificate.create({ data: certificate });
    await appendAudit(transaction, {
      person,
      action: 'certificate.issue',
      operationId,
      subject: serial,
      detail: { not_after: notAfter.toISOString() },
    });
    return { kind: 'recorded' };
  });
}

/**
 * Marks a certificate as revoked, once. Null if there is none with that serial. The edge refuses it from the next
 * revocation list on.
 */
export async function revokeCertificate(
  database: Database,
  { serial, person }: { serial: string; person: string },
): Promise<ClientCertificate | null> {
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.clientCertificate.updateMany({
      where: { serial, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    const certificate = await transaction.clientCertificate.findUnique({ where: { serial } });
    if (certificate !== null && count === 1) {
      await appendAudit(transaction, {
        person,
        action: 'certificate.revoke',
        operationId: certificate.operationId,
        subject: serial,
      });
    }
    return certificate;
  });
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
