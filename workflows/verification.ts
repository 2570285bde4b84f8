// The nightly verification: every operation's ledger, the audit chain, a sample of stored decisions, and what people
// signed. A check that fails does not stop the others.
import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import {
  VERIFICATION_START,
  type VerificationInput,
  type VerificationResult,
} from '../contract/temporal/scheduled-work.js';
import { step } from './steps/step.js';

/** Operations per run. It bounds the history; the next run continues with the rest. */
const OPERATIONS_PER_RUN = 200;

export async function verification({ progress }: VerificationInput = VERIFICATION_START): Promise<VerificationResult> {
  let carried = progress;
  for (let operations = 0; operations < OPERATIONS_PER_RUN; operations += 1) {
    const ledger = await unlessBroken(() => step.verifyLedger({ progress: carried }));
    if (ledger === null || ledger.progress === null) return finish(ledger?.problems ?? null);
    carried = ledger.progress;
    setCurrentDetails(`ledger: ${ledger.problems} problems · last: ${ledger.operationId}`);
  }
  return continueAsNew<typeof verification>({ progress: carried });
}

async function finish(ledger: number | null): Promise<VerificationResult> {
  const audit = await unlessBroken(() => step.verifyAuditChain({}));
  const decisions = await unlessBroken(() => step.verifyDecisions({}));
  const signatures = await unlessBroken(() => step.verifySignatures({}));
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

/** `null` when the check itself failed; the metric of its last success then grows old. */
async function unlessBroken<Result>(check: () => Promise<Result>): Promise<Result | null> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return null;
  }
}
