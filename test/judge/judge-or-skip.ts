// The outside judges in Python, which nothing else here needs: without it their tests are skipped, saying why.
import type { Context } from 'mocha';
import { type PythonPackages, PythonUnavailable, resolvePython } from '../../lab/harness/python-packages.js';

/** The Python that has the judge. Skips, unless REQUIRE_CONTRACT_JUDGE=true makes its absence a failure. */
export async function judgeOrSkip(context: Context, judge: PythonPackages): Promise<string> {
  try {
    return await resolvePython(judge, process.env);
  } catch (error) {
    if (!(error instanceof PythonUnavailable) || process.env['REQUIRE_CONTRACT_JUDGE'] === 'true') throw error;
    process.stdout.write(`  SKIPPED: ${judge.name} did not run: ${error.message}\n`);
    return context.skip();
  }
}
