// The nightly verification of the stored books: its schedule, its workflow's name, input and result.

export const VERIFICATION_WORKFLOW = 'verification';
/** The Temporal schedule's id; its runs are `verification-<time>`. */
export const VERIFICATION_SCHEDULE = 'verification';
/** After the day close and housekeeping. */
export const VERIFICATION_HOUR_UTC = 4;

export interface VerificationInput {
  /** How far the previous run of the same night came with the ledgers; null in the first. */
  readonly progress: string | null;
}

/** Numbers of problems; each kind has an alert. Null: the check itself failed. */
export interface VerificationResult {
  readonly ledger: number | null;
  readonly audit: number | null;
  readonly decisions: number | null;
  readonly signatures: number | null;
}

export const VERIFICATION_START: VerificationInput = { progress: null };
