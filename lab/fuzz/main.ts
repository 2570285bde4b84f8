// `npm run fuzz`: Schemathesis reads the served contract and tries to find an answer that breaks it.
import { ROUTES } from '../../contract/http/routes.js';
import { printError } from '../../tools/bootstrap/failure.mjs';
import { say, step } from '../../tools/bootstrap/progress.mjs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { onTermination } from '../../tools/processes/termination.js';
import { PythonUnavailable, resolvePython } from '../harness/python-packages.js';
import { startServers } from '../harness/servers.js';
import { startStack } from '../harness/stack.js';
import { makeOperation } from './operation.js';
import { asksForHelp, type FuzzOptions, HELP, readFuzzOptions } from './options.js';
import { tableOf } from './report.js';
import { runJudge, SCHEMATHESIS } from './run.js';
import { type Verdict, verdictOf } from './verdict.js';

/**
 * Judges a stack of its own.
 * @returns the exit code: 0 when nothing was found, and also if it had to be skipped, which the last line then reports
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    if (!asksForHelp(args)) return await run(readFuzzOptions(args));
    say(HELP);
    return 0;
  } catch (error) {
    printError(error);
    return 1;
  }
}

async function run(options: FuzzOptions): Promise<number> {
  let python: string;
  try {
    python = await resolvePython(SCHEMATHESIS, process.env);
  } catch (error) {
    if (!(error instanceof PythonUnavailable)) throw error;
    say(`SKIPPED: the outside judge of the contract did not run: ${error.message}`);
    return 0;
  }
  const ending = new AbortController();
  onTermination(() => ending.abort());
  const servers = await startServers();
  try {
    const { superuserUrl: postgresUrl } = servers.postgres;
    const { address: temporalAddress } = servers.temporal;
    const place = { postgresUrl, temporalAddress, folder: servers.run.folder, isDirect: true };
    const stack = await step('starting a stack', () => startStack({ servers: place }));
    const { baseUrl, gateway } = stack;
    const operation = await makeOperation(baseUrl, gateway);
    const report = await runJudge({
      python,
      baseUrl,
      operation,
      options,
      folder: inRoot('var', 'fuzz'),
      print: (text) => process.stdout.write(text),
      signal: ending.signal,
    });
    say(`\n${tableOf(report)}\n`);
    return print(verdictOf(report, ROUTES, options.count), options);
  } finally {
    // Its processes end with this one.
    await servers.close();
  }
}

function print({ routes, run: about }: Verdict, { seed }: FuzzOptions): number {
  const findings = [
    ...about,
    ...routes.flatMap(({ label, findings: found }) => found.map((finding) => `${label}: ${finding}`)),
  ];
  for (const finding of findings) say(`✗ ${finding}`);
  say(
    findings.length === 0
      ? `The outside judge of the contract found nothing (seed ${seed}).`
      : `The outside judge of the contract found ${findings.length} (seed ${seed}): see above.`,
  );
  return findings.length === 0 ? 0 : 1;
}
