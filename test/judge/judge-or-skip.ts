// Schemathesis needs Python, which nothing else here does: without it its tests are skipped, saying why.
import type { Context } from 'mocha';
import { JudgeUnavailable, resolveJudge } from '../../tools/fuzz/judge.js';

/** The Python that has it. Skips, unless REQUIRE_CONTRACT_JUDGE=true makes its absence a failure. */
export async function judgeOrSkip(context: Context): Promise<string> {
  try {
    return await resolveJudge(process.env);
  } catch (error) {
    if (!(error instanceof JudgeUnavailable) || process.env['REQUIRE_CONTRACT_JUDGE'] === 'true') throw error;
    process.stdout.write(`  SKIPPED: the outside judge of the contract did not run: ${error.message}\n`);
    return context.skip();
  }
}
