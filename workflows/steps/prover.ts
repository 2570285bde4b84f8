// Computes the report of a proposed rule change concurrently with the workflow's loop, so that a rejection never waits
// for it.
import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { RuleChangeInput } from '../../contract/temporal/rule-change.js';
import type { RuleChangeProofSummary } from '../../domain/rule-change.js';
import { step } from './step.js';

/** The result of a computation. `proof` is null when it failed; a person may request it again. */
export interface ProofResult {
  readonly kind: 'proven';
  readonly proof: RuleChangeProofSummary | null;
}

/** Runs at most one computation at a time. */
export class Prover {
  private scope: CancellationScope | null = null;

  constructor(
    private readonly input: RuleChangeInput,
    private readonly done: (proven: ProofResult) => void,
  ) {}

  get isBusy(): boolean {
    return this.scope !== null;
  }

  /** Computes the report, over the last 30 days. */
  start(): void {
    const scope = new CancellationScope();
    this.scope = scope;
    void scope
      .run(() => step.proveRuleChange(this.input))
      .then((proof) => this.end(proof))
      .catch((error: unknown) => {
        if (!isCancellation(error)) this.end(null);
      });
  }

  /** Cancels the computation. */
  stop(): void {
    this.scope?.cancel();
    this.scope = null;
  }

  private end(proof: RuleChangeProofSummary | null): void {
    this.scope = null;
    this.done({ kind: 'proven', proof });
  }
}
