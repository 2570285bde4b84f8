// Plays the checks against one integration and makes the report.
import { randomBytes } from 'node:crypto';
import { GUIDE_SECTIONS } from './checks/check.js';
import type { Check } from './checks/check.js';
import { issueCredentials } from './checks/credentials.js';
import { CheckFailure, NotApplicable } from './checks/findings.js';
import { CHECKS } from './checks/index.js';
import { openStage } from './checks/stage.js';
import type { Pace, Stage, World } from './checks/stage.js';
import { startGateway } from './gateway/server.js';
import type { GatewayOptions } from './gateway/server.js';
import { AdapterError, openAdapter } from './operator/adapter.js';
import { outcomeOf } from './report/report.js';
import type { CheckResult, Report } from './report/report.js';

export interface RunOptions {
  /** Who is tested, for the report. */
  readonly operator: string;
  readonly adapterUrl: string;
  readonly webhookUrl: string;
  readonly gateway: GatewayOptions;
  readonly pace: Pace;
  /** Where the guide is, for the links of the report. */
  readonly guide: string;
  /** How many checks are played at once. */
  readonly atOnce: number;
  /** Only these; absent: all. */
  readonly only?: readonly string[];
  /** Called as each check ends. */
  readonly onResult?: (result: CheckResult) => void;
}

/** A story is for people: a program that runs wild must not make the report unreadable. */
const MOST_NOTES = 80;

/** Runs the checks. Rejects only if the stand-in gateway cannot listen or the adapter does not take the credentials. */
export async function runConformance(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const gateway = await startGateway(options.gateway);
  try {
    const adapter = openAdapter(options.adapterUrl);
    const credentials = await issueCredentials(gateway, adapter);
    const run = randomBytes(4).toString('hex');
    const { webhookUrl, pace } = options;
    const results = await playAll({ gateway, adapter, credentials, webhookUrl, pace, run }, options);
    return {
      form: 1,
      operator: options.operator,
      run,
      started_at: startedAt.toISOString(),
      ended_at: new Date().toISOString(),
      contract: CONTRACT,
      pace: { wait_ms: pace.waitMs, settle_ms: pace.settleMs, recovery_ms: pace.recoveryMs },
      requests_seen: gateway.requests.length,
      outcome: outcomeOf(results, CHECKS.length),
      checks: results,
    };
  } finally {
    await gateway.close();
  }
}

/** The contract whose rules are checked. */
const CONTRACT = 'v1, 1.1.0';

async function playAll(world: World, options: RunOptions): Promise<CheckResult[]> {
  const wanted = CHECKS.filter(({ id }) => options.only?.includes(id) ?? true);
  const results = new Map<string, CheckResult>();
  let players = 0;
  const play = async (check: Check): Promise<void> => {
    const stage = openStage(world, () => (players += 1));
    const result = await playOne(check, stage, options.guide);
    results.set(check.id, result);
    options.onResult?.(result);
  };

  const together = wanted.filter(({ when }) => when === 'together');
  const next = async (): Promise<void> => {
    for (let check = together.shift(); check !== undefined; check = together.shift()) await play(check);
  };
  await Promise.all(Array.from({ length: options.atOnce }, next));
  for (const when of ['alone', 'last'] as const)
    for (const check of wanted.filter((one) => one.when === when)) await play(check);
  return wanted.flatMap(({ id }) => results.get(id) ?? []);
}

async function playOne(check: Check, stage: Stage, guideAt: string): Promise<CheckResult> {
  const startedMs = Date.now();
  const { id, title, played, mustHold, why, guide } = check;
  const ended = await check.play(stage).then(
    () => ({ result: 'passed', finding: null }) as const,
    (error: unknown) => endOf(error),
  );
  return {
    ...{ id, title, played, must_hold: mustHold, why, guide: `${guideAt}#${GUIDE_SECTIONS[guide]}` },
    ...ended,
    took_ms: Date.now() - startedMs,
    story: stage
      .story()
      .slice(0, MOST_NOTES)
      .map(({ atMs, who, text }) => ({ at: new Date(atMs).toISOString(), who, text })),
  };
}

/** What an error says about the integration. A fault of the kit itself is thrown on: it is no finding. */
function endOf(error: unknown): Pick<CheckResult, 'result' | 'finding'> {
  if (error instanceof CheckFailure) return { result: 'failed', finding: error.finding };
  if (error instanceof AdapterError)
    return { result: 'failed', finding: { expected: 'an adapter that does its part', seen: error.message } };
  if (error instanceof NotApplicable)
    return { result: 'not_run', finding: { expected: 'to be played', seen: error.message } };
  throw error;
}
