// An outside judge (Schemathesis) of the served contract against a whole gateway: the bounded run of `npm run fuzz`,
// one test a route.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES } from '../../contract/http/routes.js';
import { makeOperation } from '../../tools/fuzz/operation.js';
import { BOUNDED } from '../../tools/fuzz/options.js';
import { tableOf } from '../../tools/fuzz/report.js';
import { runJudge, SCHEMATHESIS } from '../../tools/fuzz/run.js';
import { judged, labelOf, type Verdict, verdictOf } from '../../tools/fuzz/verdict.js';
import { startStack } from '../../tools/harness/stack.js';
import { judgeOrSkip } from './judge-or-skip.js';

describe('the served contract, judged from outside', () => {
  let verdict: Verdict;

  before(async function () {
    this.timeout((BOUNDED.limitSeconds + 150) * 1_000);
    const python = await judgeOrSkip(this, SCHEMATHESIS);
    const folder = mkdtempSync(join(tmpdir(), 'judge-'));
    const stack = await startStack();
    let output = '';
    try {
      const operation = await makeOperation(stack.baseUrl, stack.gateway);
      const report = await runJudge({
        python,
        baseUrl: stack.baseUrl,
        operation,
        options: BOUNDED,
        folder,
        print: (text) => (output += text),
      });
      verdict = verdictOf(report, ROUTES, BOUNDED.count);
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
