// The nightly verification: every operation's ledger, the audit chain, a sample of stored decisions, and what people
// signed. A check that fails does not stop the others.
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import {
  VERIFICATION_START,
  type VerificationInput,
  type VerificationResult,
} from '../contract/temporal/verification.js';
import { verifications } from './steps/activity-proxies.js';
import { now } from './steps/clock.js';

/** Operations per run. It bounds the history; the next run continues with the rest. */
const OPERATIONS_PER_RUN = 200;

export async function verification({
  after,
  ledgerProblems,
}: VerificationInput = VERIFICATION_START): Promise<VerificationResult> {
  const at = now();
  let [cursor, problems] = [after, ledgerProblems as number | null];
  for (let operations = 0; operations < OPERATIONS_PER_RUN && problems !== null; operations += 1) {
    const order = { at, after: cursor };
    const ledger = await unlessBroken(() => verifications.verifyLedger("verify an operation's ledger", order));
    if (ledger === null || ledger.operationId === null) return conclude(at, ledger === null ? null : problems);
    problems += ledger.problems;
    cursor = ledger.operationId;
    setCurrentDetails(`ledger: ${problems} problems · last: ${cursor}`);
  }
  return continueAsNew<typeof verification>({ after: cursor, ledgerProblems: problems ?? 0 });
}

async function conclude(at: string, ledger: number | null): Promise<VerificationResult> {
  if (ledger !== null) await verifications.noteLedger('note that the ledger was verified', { at, problems: ledger });
  const audit = await unlessBroken(() => verifications.verifyAuditChain('verify the audit chain', { at }));
  const decisions = await unlessBroken(() => verifications.verifyDecisions('replay a sample of decisions', { at }));
  const signatures = await unlessBroken(() => verifications.verifySignatures('verify what people signed', { at }));
  const result = {
    ledger,
    audit: audit?.problems ?? null,
    decisions: decisions?.problems ?? null,
    signatures: signatures?.problems ?? null,
  };
  setCurrentDetails(
    Object.entries(result)
      .map(([check, problems]) => `${check}: ${problems === null ? 'not verified' : `${problems} problems`}`)
      .join(' · '),
  );
  return result;
}

/** Null when the check itself could not be made; the metric of its last success then grows old. */
async function unlessBroken<Result>(check: () => Promise<Result>): Promise<Result | null> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return null;
  }
}
