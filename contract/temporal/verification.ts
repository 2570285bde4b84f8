// The nightly verification of the stored books: its schedule, its workflow's name, input and result.

export const VERIFICATION_WORKFLOW = 'verification';
/** The Temporal schedule's id; its runs are `verification-<time>`. */
export const VERIFICATION_SCHEDULE = 'verification';
/** After the day close and housekeeping. */
export const VERIFICATION_HOUR_UTC = 4;

export interface VerificationInput {
  /** The last operation whose ledger the previous run of the same night verified; null in the first. */
  readonly after: string | null;
  readonly ledgerProblems: number;
}

/** Numbers of problems; each kind has an alert. Null: the check itself failed. */
export interface VerificationResult {
  readonly ledger: number | null;
  readonly audit: number | null;
  readonly decisions: number | null;
  readonly signatures: number | null;
}

export const VERIFICATION_START: VerificationInput = { after: null, ledgerProblems: 0 };
