// Keeps refused sign-ins in the audit trail, with the address they came from (PCI DSS 10.2.2). Nobody has proved
// anything, so no caller decides how many entries there are: the log has every attempt, the trail as many as its limits
// let through, and each entry says how many are missing before it.
import { NOBODY, type StaffMeans } from '../../domain/staff.js';
import { appendAudit } from '../../store/audit/audit.js';
import type { Database } from '../../store/database.js';
import { type BucketRate, takeToken } from '../../store/rate-buckets.js';

/** Refused attempts with a code, passkey or account of one person. */
const OF_PERSON: BucketRate = { perSecond: 1 / 600, burst: 10 };
/** All others together: at most 1,440 entries a day, and these. */
const OF_NOBODY: BucketRate = { perSecond: 1 / 60, burst: 30 };

interface RefusedSignIn {
  readonly means: StaffMeans;
  readonly person: string | null;
  readonly reason: string;
}

/** What one process notes. */
export class RefusedSignIns {
  #missing = 0;

  constructor(private readonly database: Database) {}

  /** The entry's subject is the person; nobody has proved to be them, so it is nobody's act. */
  async note({ means, person, reason }: RefusedSignIn): Promise<void> {
    const [bucket, rate] =
      person === null ? ['refused-sign-in', OF_NOBODY] : [`refused-sign-in:of:${person}`, OF_PERSON];
    if ((await takeToken(this.database, bucket, rate)) > 0) {
      this.#missing += 1;
      return;
    }
    const missing = this.#missing;
    this.#missing = 0;
    await appendAudit(this.database, {
      person: NOBODY,
      action: 'staff.sign_in_refused',
      operationId: null,
      subject: person,
      detail: { means, reason, ...(missing > 0 ? { missing } : {}) },
    });
  }
}
