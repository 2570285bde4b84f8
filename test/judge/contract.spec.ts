// An outside judge (Schemathesis) of the served contract against a whole gateway: the bounded run of `npm run fuzz`,
// one test a route. JUDGE_DIALECT names the dialect of the bank behind the slot; the sandbox's own by default.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROUTES } from '../../contract/http/routes.js';
import { DIALECT_NAMES } from '../../providers/settings.js';
import { DIALECTS } from '../../providers/index.js';
import { makeOperation } from '../../lab/fuzz/operation.js';
import { BOUNDED } from '../../lab/fuzz/options.js';
import { tableOf } from '../../lab/fuzz/report.js';
import { runJudge, SCHEMATHESIS } from '../../lab/fuzz/run.js';
import { judged, labelOf, type Verdict, verdictOf, WITHOUT_PAYOUTS } from '../../lab/fuzz/verdict.js';
import { startStack } from '../../lab/harness/stack.js';
import { dialectSettings } from '../integration/stack/simulated-slot.js';
import { judgeOrSkip } from './judge-or-skip.js';

const dialect = z.enum(DIALECT_NAMES).parse(process.env['JUDGE_DIALECT'] || 'simulator');
const { sendsPayouts } = DIALECTS[dialect].capabilities;

describe(`the served contract, judged from outside, at ${dialect}`, () => {
  let verdict: Verdict;

  before(async function () {
    this.timeout((BOUNDED.limitSeconds + 150) * 1_000);
    const python = await judgeOrSkip(this, SCHEMATHESIS);
    const folder = mkdtempSync(join(tmpdir(), 'judge-'));
    const stack = await startStack({ variables: dialectSettings(dialect) });
    let output = '';
    try {
      const operation = await makeOperation(stack.baseUrl, stack.gateway, sendsPayouts);
      const report = await runJudge({
        python,
        baseUrl: stack.baseUrl,
        operation,
        options: BOUNDED,
        folder,
        print: (text) => (output += text),
      });
      verdict = verdictOf(report, ROUTES, BOUNDED.count, sendsPayouts ? {} : WITHOUT_PAYOUTS);
      const isRight = verdict.run.length === 0 && verdict.routes.every(({ findings }) => findings.length === 0);
      // How to repeat a failure stands in what it prints.
      process.stdout.write(`${isRight ? '' : output}\n${tableOf(report)}\n\n`);
    } finally {
      await stack.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the run is whole, and goes through sequences of requests', () => assert.deepEqual(verdict.run, []));

  for (const label of judged(ROUTES).map(labelOf)) {
    it(label, () => assert.deepEqual(verdict.routes.find((route) => route.label === label)?.findings, []));
  }
});
