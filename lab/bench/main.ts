// `npm run bench`: runs the benchmarks that are asked for one after the other, shows and keeps what they find.
import { cpus, totalmem } from 'node:os';
import { printError } from '../../tools/bootstrap/failure.mjs';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import { onTermination } from '../../tools/processes/termination.js';
import { growth } from './benches/growth.js';
import { costs } from './benches/costs.js';
import { decisions } from './benches/decisions.js';
import { reads } from './benches/reads.js';
import { lifeCycles } from './benches/life-cycles.js';
import { oneOperation } from './benches/one-operation.js';
import { openDeposits } from './benches/open-deposits.js';
import { outbox } from './benches/outbox.js';
import { workers } from './benches/workers.js';
import { type BenchOptions, readBenchOptions } from './options.js';
import { keepResult, resultText } from './report.js';
import { writeScalingTables } from './scaling/sections.js';
import { type Bench, type BenchContext, type BenchResult, isBroken } from './result.js';
import { type BenchServers, openBenchServers, type TemporalKind } from './servers.js';

const BENCHES: readonly Bench[] = [
  decisions,
  reads,
  growth,
  costs,
  oneOperation,
  outbox,
  lifeCycles,
  workers,
  openDeposits,
];

const EXIT_INTERRUPTED = 130;

/** @returns the exit code: 0 when every promise was kept */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readBenchOptions(
      args,
      BENCHES.map(({ name }) => name),
    );
    if (options.help) {
      say(help());
      return 0;
    }
    const chosen = options.names.length === 0 ? BENCHES : BENCHES.filter(({ name }) => options.names.includes(name));
    const code = await runUntilInterrupted(chosen, options);
    if (!options.quick && code !== EXIT_INTERRUPTED) writeScalingTables();
    return code;
  } catch (error) {
    printError(error);
    return 1;
  }
}

/** Always ends servers and stacks before it returns; a second interruption leaves that to the watchdogs. */
async function runUntilInterrupted(chosen: readonly Bench[], options: BenchOptions): Promise<number> {
  const opened: BenchServers[] = [];
  const interrupted = new Promise<number>((resolve) => {
    onTermination((reason, count) => {
      if (count > 1) process.exit(EXIT_INTERRUPTED);
      say(`\n${reason}: ending the benchmarks …`);
      resolve(EXIT_INTERRUPTED);
    });
  });
  try {
    return await Promise.race([runAll(chosen, options, opened), interrupted]);
  } finally {
    await Promise.all(opened.map((servers) => servers.close()));
  }
}

async function runAll(chosen: readonly Bench[], options: BenchOptions, opened: BenchServers[]): Promise<number> {
  const results: BenchResult[] = [];
  for (const kind of options.temporal) {
    const ofThisKind = chosen.filter(({ needsTemporal }) => needsTemporal === true || kind === options.temporal[0]);
    if (ofThisKind.length === 0) continue;
    const servers = await openBenchServers(kind);
    opened.push(servers);
    for (const one of ofThisKind) results.push(await runOne(one, { servers, ...options }, kind));
    await servers.close();
  }
  for (const result of results) say(resultText(result));
  const broken = results.filter(isBroken).map((result) => result.bench);
  say(broken.length === 0 ? '\nEvery promise was kept.' : `\nPromises were broken in: ${broken.join(', ')}.`);
  if (options.quick) say('A quick run says that it works, not how fast: nothing was kept in var/bench.');
  return broken.length === 0 ? 0 : 1;
}

async function runOne(one: Bench, context: BenchContext, kind: TemporalKind): Promise<BenchResult> {
  const startedAt = performance.now();
  say(`\n━━ ${one.name}${one.needsTemporal ? ` (Temporal: ${kind})` : ''}: ${one.title}`);
  const findings = await one.run(context);
  const tookMs = performance.now() - startedAt;
  say(`━━ ${one.name}: done in ${formatDuration(tookMs)}`);
  const temporal = one.needsTemporal === true ? { temporal: kind } : {};
  const result = {
    bench: one.name,
    title: one.title,
    ...temporal,
    ranAt: new Date().toISOString(),
    tookSeconds: Math.round(tookMs / 100) / 10,
    machine: machine(),
    ...findings,
  };
  // Kept at once: a later benchmark that fails takes nothing away.
  if (!context.quick) keepResult(result);
  return result;
}

/** What the figures come from, without naming anybody. */
function machine(): string {
  const processors = cpus();
  return (
    `${processors.length} × ${processors[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ` +
    `${process.versions.node}`
  );
}

function help(): string {
  const width = Math.max(...BENCHES.map(({ name }) => name.length));
  return [
    'npm run bench [-- NAME …] [--quick] [--temporal dev|postgres|both] [--count N]',
    '',
    'Benchmarks (all of them without a name):',
    ...BENCHES.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`),
    '',
    '--quick      small sizes: shows that it works, keeps nothing',
    '--temporal   for those that need Temporal: its dev server (dev, the default), its four roles over ' +
      'PostgreSQL (postgres), or both',
    '--count      open-deposits: how many wait (20000 without); costs: how many of each (300); workers: how many ' +
      'rounds (3)',
    '--help       this',
    '',
    'Results are kept in var/bench; the exit code is 1 when a promise was broken. ' +
      'lab/bench/README.md says how to read them.',
  ].join('\n');
}
