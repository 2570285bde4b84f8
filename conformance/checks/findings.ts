// How a check ends that does not pass.

/** What must hold, and what was seen instead. */
export interface Finding {
  readonly expected: string;
  readonly seen: string;
}

/** The integration did something else. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(`${finding.expected}; ${finding.seen}`);
    this.finding = finding;
  }
}

/** The integration offers nothing to look at. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}
