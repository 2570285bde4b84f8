// `npm run faults`: runs the chosen scenarios one after the other, prints what held, and records it in docs/faults.md.
import { printError } from '../bootstrap/failure.mjs';
import { formatDuration, say } from '../bootstrap/progress.mjs';
import { onTermination } from '../processes/termination.js';
import { type Environment, startEnvironment } from './environment/environment.js';
import { startServers } from './environment/servers.js';
import { openTrafficJudge, type Traffic } from './environment/traffic.js';
import { helpText, type FaultOptions, readFaultOptions } from './options.js';
import { type Outcome, play } from './play.js';
import { playedCode } from './played-code.js';
import { writeFaultsPage } from './report.js';
import { keepOutcomes, readResults, staleIn } from './results.js';
import { isPlayedAt, type Scenario } from './scenario.js';
import { SETTINGS } from './settings.js';
import { SCENARIOS } from './scenarios/index.js';

/** @returns the exit code: 0 when everything held */
export async function faults(args: readonly string[]): Promise<number> {
  try {
    const options = readFaultOptions(args);
    const chosen = chosenScenarios(options);
    if (options.help) say(helpText());
    else if (options.list) for (const { family, name } of chosen) say(`${family}: ${name}`);
    else return await playAll(chosen, options);
    return 0;
  } catch (error) {
    printError(error);
    return 1;
  }
}

function chosenScenarios(options: FaultOptions): readonly Scenario[] {
  const chosen = SCENARIOS.filter((scenario) => isChosen(scenario, options));
  if (!options.stale) return chosen;
  const byName = new Map(chosen.map((scenario) => [scenario.name, scenario]));
  return staleIn(readResults()[options.setting], [...byName.keys()]).map((name) => byName.get(name)!);
}

function isChosen(scenario: Scenario, options: FaultOptions): boolean {
  const { family, name, bounded } = scenario;
  const isNamed = options.only.length === 0 || options.only.some((text) => name.includes(text));
  return (
    options.families.includes(family) &&
    isNamed &&
    (bounded || !options.bounded) &&
    isPlayedAt(scenario, options.setting)
  );
}

async function playAll(chosen: readonly Scenario[], options: FaultOptions): Promise<number> {
  const { count, seed, setting, record } = options;
  const { shape, dialect } = SETTINGS[setting];
  const judge = record ? openTrafficJudge(dialect, process.env) : null;
  say(`${chosen.length} scenarios, ${count} ${count === 1 ? 'time' : 'times'} each, from seed ${seed}.`);
  const servers = await startServers(shape);
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= servers.close());
  onTermination((reason, times) => {
    if (times > 1) process.exit(130);
    say(`\n${reason}: ending the campaign …`);
    void close().finally(() => process.exit(130));
  });
  try {
    const environment = await startEnvironment(servers, dialect, judge);
    try {
      const outcomes = await playRounds(environment, chosen, options);
      return isAllHeld(outcomes, environment.traffic) ? 0 : 1;
    } finally {
      await environment.close();
    }
  } finally {
    await close();
  }
}

async function playRounds(
  environment: Environment,
  chosen: readonly Scenario[],
  { count, seed, setting }: FaultOptions,
): Promise<Outcome[]> {
  const commit = playedCode();
  const outcomes: Outcome[] = [];
  for (let round = 0; round < count; round += 1) {
    for (const scenario of chosen) {
      outcomes.push(await playOne(scenario, () => play(environment, scenario, seed + round)));
      // Recorded at once, so that an interrupted run keeps its results.
      keepOutcomes(
        outcomes.filter((outcome) => outcome.scenario === scenario),
        { setting, commit, names: SCENARIOS.map(({ name }) => name) },
      );
      writeFaultsPage();
    }
  }
  return outcomes;
}

/** Says how it ended. A run in which nothing was played or judged proves nothing. */
function isAllHeld(outcomes: readonly Outcome[], traffic: Traffic | null): boolean {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (traffic !== null) say(`\n${traffic.judged()} exchanges with the bank were judged by its document.`);
  say(
    failed.length === 0
      ? `\nEverything held: ${outcomes.length} runs.`
      : `\n${failed.length} of ${outcomes.length} runs did not hold. Repeat one with --seed and --only.`,
  );
  return failed.length === 0 && outcomes.length > 0 && traffic?.judged() !== 0;
}

async function playOne(scenario: Scenario, run: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await run();
  const { problems, seed, tookMs } = outcome;
  say(
    `  ${problems.length === 0 ? '✓' : '✗'} ${scenario.family}: ${scenario.name} ` +
      `(${formatDuration(tookMs)}${problems.length === 0 ? '' : `, seed ${seed}`})`,
  );
  for (const problem of problems) say(`      ${problem}`);
  return outcome;
}
