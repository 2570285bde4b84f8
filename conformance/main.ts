// The command behind `npm run conformance`: runs the checks, makes a key, verifies a report.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { CHECKS } from './checks/index.js';
import { AdapterError } from './operator/adapter.js';
import { pageOf } from './report/page.js';
import { readSignedReport } from './report/read.js';
import type { CheckResult, Report } from './report/report.js';
import { isSignedBy, newReportKey, signReport } from './report/signature.js';
import type { SignedReport } from './report/signature.js';
import { runConformance } from './run.js';

const EXIT_CODES: Record<Report['outcome'], number> = { passed: 0, failed: 1, incomplete: 2 };

interface RunFlags {
  readonly operator: string;
  readonly adapter: string;
  readonly webhooks: string;
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly waitSeconds: number;
  readonly settleSeconds: number;
  readonly recoverySeconds: number;
  readonly atOnce: number;
  readonly only?: string[];
  readonly key?: string;
  readonly out: string;
  readonly guide: string;
}

/** Runs the command and answers its exit code. */
export async function conformance(args: readonly string[], print: (line: string) => void = printLine): Promise<number> {
  let code = 0;
  const program = new Command('conformance')
    .description('Plays the gateway for your integration, also at its worst, and says what the integration did.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => print(text.trimEnd()) });
  program
    .command('run')
    .description('play the checks; exit code 0: all passed, 1: one failed, 2: not all were played')
    .requiredOption('--operator <name>', 'who is tested, for the report')
    .requiredOption('--adapter <url>', 'the five calls that you provide (docs/conformance.md)', url)
    .requiredOption('--webhooks <url>', 'where your program takes webhooks', url)
    .option('--host <address>', 'where the kit listens', '127.0.0.1')
    .option('--port <number>', 'where the kit listens', count, 4480)
    .option(
      '--public-url <url>',
      'how your program reaches the kit, ending in /v1, if a tunnel or proxy is in front',
      url,
    )
    .option('--recovery-seconds <seconds>', 'how often your program reads GET /events', count, 300)
    .option('--wait-seconds <seconds>', 'how long your program may take for one thing', count, 30)
    .option('--settle-seconds <seconds>', 'how long a balance is watched that must not change', seconds, 3)
    .option('--at-once <number>', 'how many checks are played at once', count, 6)
    .option('--only <checks...>', 'only these checks; the outcome is then never better than "incomplete"', checkId)
    .option('--key <file>', 'the private key that signs the report; without it no report is written')
    .option('--out <folder>', 'where the report is written, as JSON and as a page', '.')
    .option('--guide <link>', 'where the guide is, for the links of the report', link, 'integrating.md')
    .action(async (flags: RunFlags) => void (code = await run(flags, print)));
  program
    .command('checks')
    .description('list the checks')
    .action(() => CHECKS.forEach(({ id, title }) => print(`${id.padEnd(32)}${title}`)));
  program
    .command('keygen')
    .description('make a key pair for reports (Ed25519): report-key.pem and report-key.public.pem')
    .option('--out <folder>', 'where to write it', '.')
    .action(({ out }: { out: string }) => writeKey(out, print));
  program
    .command('verify')
    .description('check that a report (JSON or page) is as the holder of the key signed it')
    .argument('<file>')
    .requiredOption('--public-key <file>', 'the public key that you were given, not one that came with the report')
    .action((file: string, flags: { publicKey: string }) => void (code = verifyFile(file, flags.publicKey, print)));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!isExpected(error)) throw error;
    print(`conformance: ${error.message}`);
    return 1;
  }
}

async function run(flags: RunFlags, print: (line: string) => void): Promise<number> {
  // Read first: a run of minutes must not end with a missing key.
  const privateKey = flags.key === undefined ? null : readFileSync(flags.key, 'utf8');
  const { host, port, publicUrl, only } = flags;
  const report = await runConformance({
    operator: flags.operator,
    adapterUrl: flags.adapter,
    webhookUrl: flags.webhooks,
    gateway: { host, port, ...(publicUrl === undefined ? {} : { publicUrl }) },
    pace: {
      waitMs: flags.waitSeconds * 1000,
      settleMs: flags.settleSeconds * 1000,
      recoveryMs: flags.recoverySeconds * 1000,
    },
    guide: flags.guide,
    atOnce: flags.atOnce,
    ...(only === undefined ? {} : { only }),
    onResult: (result) => printResult(result, print),
  });
  print(`${report.outcome}: ${report.checks.length} of ${CHECKS.length} checks, ${report.requests_seen} requests seen`);
  if (privateKey !== null) writeReport(signReport(report, privateKey), flags.out, print);
  return EXIT_CODES[report.outcome];
}

const MARKS: Record<CheckResult['result'], string> = { passed: 'ok  ', failed: 'FAIL', not_run: '–   ' };

function printResult({ id, title, result, finding }: CheckResult, print: (line: string) => void): void {
  print(`${MARKS[result]} ${id.padEnd(32)}${title}`);
  if (finding !== null) print(`       expected ${finding.expected}\n       seen     ${finding.seen}`);
}

function writeReport(signed: SignedReport, folder: string, print: (line: string) => void): void {
  mkdirSync(folder, { recursive: true });
  const { operator, started_at: startedAt, run: runId } = signed.report;
  const slug = operator
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const path = join(folder, `conformance-${slug}-${startedAt.slice(0, 10)}-${runId}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(signed, null, 2)}\n`);
  writeFileSync(`${path}.html`, pageOf(signed));
  print(`report: ${path}.html and .json, signed by the key ${signed.signature.key}`);
}

function writeKey(folder: string, print: (line: string) => void): void {
  mkdirSync(folder, { recursive: true });
  const { privatePem, publicPem } = newReportKey();
  const path = join(folder, 'report-key');
  // `wx`: a key that signed reports is never overwritten.
  writeFileSync(`${path}.pem`, privatePem, { mode: 0o600, flag: 'wx' });
  writeFileSync(`${path}.public.pem`, publicPem, { flag: 'wx' });
  print(`key: ${path}.pem (keep it) and ${path}.public.pem (give it to whoever verifies)`);
}

function verifyFile(file: string, publicKeyFile: string, print: (line: string) => void): number {
  const signed = readSignedReport(readFileSync(file));
  if (signed === null) {
    print('not genuine: the file is no report, or was changed');
    return 1;
  }
  if (!isSignedBy(signed, readFileSync(publicKeyFile, 'utf8'))) {
    print('not genuine: another key signed it, or it was changed');
    return 1;
  }
  const { operator, outcome, ended_at: endedAt, run: runId } = signed.report;
  print(`genuine: ${operator}, ${outcome}, run ${runId} of ${endedAt}`);
  return 0;
}

function url(value: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) throw new InvalidArgumentError('It must be an http(s) URL.');
  return value;
}

function link(value: string): string {
  if (!/^(https?:\/\/[^\s"'<>#]+|[\w./-]+)$/.test(value)) throw new InvalidArgumentError('It must be a URL or a path.');
  return value;
}

function count(value: string): number {
  if (!/^[0-9]{1,5}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

function seconds(value: string): number {
  if (!/^[0-9]{1,4}(\.[0-9]{1,3})?$/.test(value)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(value);
}

function checkId(value: string, before: readonly string[] = []): string[] {
  if (!CHECKS.some(({ id }) => id === value)) throw new InvalidArgumentError('There is no such check: see "checks".');
  return [...before, value];
}

/** What is the caller's to mend: files, ports, keys, the adapter. */
function isExpected(error: unknown): error is Error {
  return error instanceof AdapterError || (error instanceof Error && 'code' in error && typeof error.code === 'string');
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
