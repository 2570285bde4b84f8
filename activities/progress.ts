// The progress of checks that take several steps. It proves that a step's input was written by the previous step.
import { openProgress, type Progress, proveProgress } from '../store/sealing/proofs.js';
import type { Sealer } from '../store/sealing/sealer.js';
import { forged } from './forged.js';

export class CarriedProgress<State> {
  /** `first`: the state before the first step. */
  constructor(
    private readonly sealer: Sealer,
    private readonly check: string,
    private readonly first: State,
  ) {}

  /** The answer of the previous step; `null` starts from the beginning. Fails if no step wrote it. */
  open(carried: string | null, at: string): Progress<State> {
    if (carried === null) return { startedAt: at, state: this.first };
    const progress = openProgress<State>(this.sealer, this.check, carried, at);
    if (progress === null) throw forged('with a progress that no step wrote');
    return progress;
  }

  /** For the next step. */
  carry(progress: Progress<State>): string {
    return proveProgress(this.sealer, this.check, progress);
  }
}
