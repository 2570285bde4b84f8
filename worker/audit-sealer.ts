// Seals the audit trail every few seconds, in every worker of the payments queue. A timer of the process and not a
// schedule, because anyone who reaches Temporal could pause one.
import type { Logger } from 'pino';
import { raiseAuditAlert } from '../activities/operations/audit-alert.js';
import { type SealOutcome, sealAudit, type Sealing } from '../store/audit/sealing.js';
import type { Database } from '../store/database.js';
import { noteCheck } from '../store/operations/checks.js';
import { keepRepeating } from './keep-repeating.js';

/** How long an entry waits for its seal: until then the owner of the database can rewrite it. */
const SEAL_EVERY_MS = 5_000;
/** How often a quiet trail notes that it is sealed. */
const NOTE_EVERY_MS = 60_000;

/** Seals until stopped. A failure is retried at the next turn; until then the age of the check `audit_seals` grows. */
export function keepSealing(database: Database, sealing: Sealing, logger: Logger): { stop(): Promise<void> } {
  let notedAtMs = -Infinity;
  const seal = async () => {
    const now = new Date();
    const outcome = await sealAudit(database, sealing, now);
    report(outcome, logger);
    if (outcome.kind === 'nothing_new' && now.getTime() - notedAtMs < NOTE_EVERY_MS) return;
    await note(database, outcome, logger, now.toISOString());
    notedAtMs = now.getTime();
  };
  return keepRepeating(async () => {
    try {
      await seal();
    } catch (error) {
      logger.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'the audit trail could not be sealed');
    }
    return SEAL_EVERY_MS;
  });
}

/** A log that is kept elsewhere is one more witness of what was sealed. */
function report(outcome: SealOutcome, logger: Logger): void {
  if (outcome.kind !== 'sealed') return;
  const { number, sequence, hashes } = outcome.seal;
  logger.info({ seal: `${number}`, sequence: `${sequence}`, headHash: hashes.at(-1) }, 'audit trail sealed');
}

async function note(database: Database, outcome: SealOutcome, logger: Logger, at: string): Promise<void> {
  if (outcome.kind === 'overtaken') return;
  const problems = outcome.kind === 'refused' ? 1 : 0;
  await noteCheck(database, { name: 'audit_seals', at, problems });
  if (outcome.kind === 'refused') await raiseAuditAlert(database, logger, { first: outcome.finding, problems, at });
}
