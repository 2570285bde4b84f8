// The conformance kit against small operators: a right one passes, each wrong one fails the check about its mistake.
import assert from 'node:assert/strict';
import { CHECKS } from '../../../conformance/checks/index.js';
import type { Report } from '../../../conformance/report/report.js';
import { runConformance } from '../../../conformance/run.js';
import { startOperator } from '../../support/conformance/operator.js';
import type { Habits } from '../../support/conformance/operator.js';
import { MORE_WRONG_OPERATORS, WRONG_OPERATORS } from '../../support/conformance/wrong-operators.js';

interface Trial {
  readonly does: string;
  readonly habits: Partial<Habits>;
  readonly only?: readonly string[];
}

/** A run mostly waits, so several run at once; but each must get its turn while the machine is busy. */
const AT_ONCE = 7;

/** The eight play everything, which shows that no other check blames them; the others play the check that is theirs. */
const TRIALS: readonly Trial[] = [
  { does: 'right', habits: {} },
  ...WRONG_OPERATORS,
  ...MORE_WRONG_OPERATORS.map(({ does, check, habits }) => ({ does, habits, only: [check] })),
];

async function reportOn({ does, habits, only }: Trial): Promise<Report> {
  const operator = await startOperator(habits);
  try {
    return await runConformance({
      operator: does,
      adapterUrl: operator.url,
      webhookUrl: `${operator.url}/webhooks`,
      gateway: { host: '127.0.0.1', port: 0 },
      pace: { waitMs: 25_000, settleMs: 500, recoveryMs: 1_000 },
      guide: 'integrating.md',
      atOnce: 10,
      ...(only === undefined ? {} : { only }),
    });
  } finally {
    await operator.close();
  }
}

function failuresOf({ checks }: Report): string[] {
  return checks
    .filter(({ result }) => result !== 'passed')
    .map(({ id, finding }) => `${id}: expected ${finding?.expected}; seen ${finding?.seen}`);
}

describe('conformance: an operator', function () {
  this.timeout(180_000);
  const reports = new Map<string, Report>();

  before('play all of them', async () => {
    const waiting = [...TRIALS];
    const next = async (): Promise<void> => {
      for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift())
        reports.set(trial.does, await reportOn(trial));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  });

  const reportOf = (does: string): Report => {
    const report = reports.get(does);
    assert.ok(report);
    return report;
  };

  it('that does everything right passes every check', () => {
    assert.deepEqual(failuresOf(reportOf('right')), []);
    assert.equal(reportOf('right').outcome, 'passed');
    assert.equal(reportOf('right').checks.length, CHECKS.length);
  });

  for (const { does, check } of [...WRONG_OPERATORS, ...MORE_WRONG_OPERATORS]) {
    it(`that ${does} fails ${check}`, () => {
      const failures = failuresOf(reportOf(does));
      assert.deepEqual(
        failures.filter((failure) => !failure.startsWith(`${check}: `)),
        [],
        'no other check fails',
      );
      assert.equal(failures.length, 1, 'it fails');
      assert.equal(reportOf(does).outcome, 'failed');
    });
  }

  it('exists for every check: each was seen to fail', () => {
    const seen = new Set([...WRONG_OPERATORS, ...MORE_WRONG_OPERATORS].map(({ check }) => check));
    assert.deepEqual(
      CHECKS.filter(({ id }) => !seen.has(id)).map(({ id }) => id),
      [],
    );
  });
});
