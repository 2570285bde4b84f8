// Which file runs next: the long ones first, at most one slot with files that compute, and a slot stays in its group
// when it can.
import type { SpecFile } from './groups.js';

/** Seconds of the files that take long on two cores, so that they begin first. A file that is not here is short. */
const LONG_FILES: Readonly<Record<string, number>> = {
  'test/fault/campaign.spec.ts': 180,
  'test/judge/contract.spec.ts': 170,
  'test/integration/bench/plans.spec.ts': 150,
  'test/browser/pages.spec.ts': 140,
  'test/browser/widths.spec.ts': 140,
  'test/integration/stack/one-stack.spec.ts': 110,
  'test/fault/deploy.spec.ts': 90,
  'test/fault/rules-engine.spec.ts': 80,
  'test/integration/stack/account-lists.spec.ts': 80,
  'test/fault/keys.spec.ts': 70,
  'test/browser/decisions.spec.ts': 70,
  'test/proof/matrix.spec.ts': 40,
  'test/browser/stack.spec.ts': 65,
  'test/integration/stack/healing.spec.ts': 60,
  'test/integration/stack/verdicts.spec.ts': 55,
  'test/integration/stack/observed.spec.ts': 50,
  'test/integration/stack/traces.spec.ts': 50,
  'test/integration/stack/account-sweep.spec.ts': 45,
  'test/proof/by-hand.spec.ts': 45,
  'test/browser/misuse.spec.ts': 40,
  'test/integration/stack/several-processes.spec.ts': 40,
  'test/integration/stack/statement-cost.spec.ts': 40,
};

/** A queue of files for several slots. */
export class Schedule {
  readonly #waiting: SpecFile[];

  constructor(files: readonly SpecFile[]) {
    this.#waiting = [...files].sort((a, b) => secondsOf(b) - secondsOf(a));
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /**
   * Takes the next file for a slot that comes from a file of `group` (undefined: it is new). `canCompute`: no other
   * slot runs a file that computes. `hasServers`: the servers are up. @returns undefined when nothing that is left may
   * run now
   */
  take(group: string | undefined, canCompute: boolean, hasServers: boolean): SpecFile | undefined {
    const isOpen = (file: SpecFile) => hasServers || !file.group.needsServers;
    const waiting = this.#waiting.filter((file) => isOpen(file) && !file.group.isComputing);
    const computing = this.#waiting.filter((file) => isOpen(file) && file.group.isComputing);
    // One slot computes while the others wait; with nothing to wait for, all of them compute.
    const candidates = canCompute && computing.length > 0 ? computing : waiting.length > 0 ? waiting : computing;
    const isLong = candidates[0] !== undefined && secondsOf(candidates[0]) > 0;
    const next = (isLong ? undefined : candidates.find((file) => file.group.name === group)) ?? candidates[0];
    if (next !== undefined) this.#waiting.splice(this.#waiting.indexOf(next), 1);
    return next;
  }

  /** Takes everything that is left and needs servers. */
  dropServed(): SpecFile[] {
    const dropped = this.#waiting.filter(({ group }) => group.needsServers);
    for (const file of dropped) this.#waiting.splice(this.#waiting.indexOf(file), 1);
    return dropped;
  }
}

function secondsOf({ source }: SpecFile): number {
  return LONG_FILES[source] ?? 0;
}
