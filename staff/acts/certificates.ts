// Client certificates: recorded before they are handed out, and revoked. In production a second person approves each
// one before it is issued.
import { appendAudit } from '../../store/audit/audit.js';
import { lockOperation } from '../../store/operations/access.js';
import {
  type IssuedCertificate,
  type RevokedCertificate,
  certificateBySerial,
  insertCertificate,
  markCertificateRevoked,
  tooManyCertificates,
} from '../../store/operations/client-certificates.js';
import { type Actor, doAct, mayAct } from '../../store/staff/acts.js';
import { inTransaction } from '../../store/transactions.js';
import type { Payloads } from './effects.js';
import type { ChangeServices } from './requests.js';
import { type ApprovalRequested, useApproval } from './used-approvals.js';

export interface CertificateOrder {
  /** The environment of the authority that signed it. */
  readonly environment: string;
  readonly certificate: Omit<IssuedCertificate, 'issuedBy'>;
  /** The request that a second person approves in production. */
  readonly asked: Payloads['certificate'];
}

export type CertificateIssue =
  /** It is recorded and may be delivered. */
  | { readonly kind: 'recorded' }
  | ApprovalRequested
  | { readonly kind: 'no_such_operation' | 'not_permitted' }
  | { readonly kind: 'other_environment'; readonly environment: string }
  | { readonly kind: 'too_many_certificates'; readonly serials: readonly string[] };

/** Records a certificate, or requests it. The caller has made the certificate, and delivers it only after this. */
export async function issueCertificate(
  { database, deployment }: ChangeServices,
  actor: Actor,
  { environment, certificate, asked }: CertificateOrder,
): Promise<CertificateIssue> {
  const { operationId, serial, notAfter } = certificate;
  return inTransaction(database, async (transaction): Promise<CertificateIssue> => {
    const operation = await lockOperation(transaction, operationId);
    if (operation === null) return { kind: 'no_such_operation' };
    if (operation.environment !== environment) return { kind: 'other_environment', environment: operation.environment };
    const act = { actor, kind: 'certificate.issue', operationId, subjectId: serial, deployment } as const;
    if (!(await mayAct(transaction, act))) return { kind: 'not_permitted' };
    const serials = await tooManyCertificates(transaction, operationId);
    if (serials !== null) return { kind: 'too_many_certificates', serials };
    const order = { environment, operationId, kind: 'certificate', payload: { ...asked } } as const;
    const used = await useApproval(transaction, act, order);
    if (used.kind === 'requested') return used;
    const { approval } = used;
    await insertCertificate(transaction, { ...certificate, issuedBy: actor.handle });
    const person = (await doAct(transaction, act)) ?? actor;
    const detail = { not_after: notAfter.toISOString(), ...(approval === null ? {} : { approval }) };
    await appendAudit(transaction, { person, operationId, action: 'certificate.issue', subject: serial, detail });
    return { kind: 'recorded' };
  });
}

export type CertificateRevocation =
  | { readonly kind: 'done'; readonly certificate: RevokedCertificate }
  | { readonly kind: 'no_such_certificate' }
  | { readonly kind: 'not_permitted' };

/** Revokes a certificate, once. The edge refuses it from the next revocation list on. */
export async function revokeCertificate(
  { database, deployment }: ChangeServices,
  actor: Actor,
  serial: string,
): Promise<CertificateRevocation> {
  return inTransaction(database, async (transaction): Promise<CertificateRevocation> => {
    const known = await certificateBySerial(transaction, serial);
    if (known === null) return { kind: 'no_such_certificate' };
    const { operationId } = known;
    const act = { actor, kind: 'certificate.revoke', operationId, subjectId: serial, deployment } as const;
    const person = await doAct(transaction, act);
    if (person === null) return { kind: 'not_permitted' };
    const { certificate, isNew } = await markCertificateRevoked(transaction, serial);
    const entry = { person, action: 'certificate.revoke', operationId, subject: serial } as const;
    if (isNew) await appendAudit(transaction, entry);
    return { kind: 'done', certificate };
  });
}
