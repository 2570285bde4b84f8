// The builds of the cluster's workers, as staff handle them in production: with the `gateway deploy` commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import type { CommandResult } from '../../tools/stack/gateway-command.js';

type Gateway = (args: string[]) => Promise<CommandResult>;

const FIRST_BUILD = 'build-1';
const WORKERS_WAIT_SECONDS = '60';
const LOOK_AGAIN_MS = 1_000;

interface Build {
  readonly build_id: string;
  readonly state: string;
  readonly open_workflows: number;
}

/** The build that the workers are: what was current when the cluster ended, or the first. */
export async function buildToStart(gateway: Gateway): Promise<string> {
  return (await buildsOf(gateway)).find(({ state }) => state === 'current')?.build_id ?? FIRST_BUILD;
}

/** `build-1` → `build-2`. */
export function buildAfter(build: string): string {
  return `build-${Number(build.slice('build-'.length)) + 1}`;
}

/** New payments begin on this build, once its workers are there. */
export async function promote(gateway: Gateway, build: string): Promise<void> {
  await answerOf(gateway, ['deploy', 'promote', build, '--wait', WORKERS_WAIT_SECONDS, '--as', 'cluster']);
}

/**
 * What a cluster that ended in the middle of a deploy left on other builds goes to this one: here it is the same code.
 */
export async function gatherOpen(gateway: Gateway, build: string): Promise<void> {
  for (const { build_id: other, open_workflows: open } of await buildsOf(gateway)) {
    if (other !== build && open > 0) await answerOf(gateway, ['deploy', 'move', other, build, '--as', 'cluster']);
  }
}

/** Waits until nothing is open on the build. Null then; otherwise what still is, when the time is over. */
export async function untilDrained(
  gateway: Gateway,
  build: string,
  limitMs: number,
): Promise<readonly string[] | null> {
  for (const deadline = Date.now() + limitMs; ; await sleep(LOOK_AGAIN_MS)) {
    const { code, stdout, stderr } = await gateway(['deploy', 'drained', build]);
    if (code === 0) return null;
    if (stdout === '') throw new Failure(`"gateway deploy drained ${build}" failed: ${stderr.trim()}`);
    if (Date.now() >= deadline)
      return (JSON.parse(stdout) as { open: { workflow_id: string }[] }).open.map(({ workflow_id }) => workflow_id);
  }
}

async function buildsOf(gateway: Gateway): Promise<Build[]> {
  return ((await answerOf(gateway, ['deploy', 'status'])) as { builds: Build[] }).builds;
}

async function answerOf(gateway: Gateway, args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await gateway(args);
  if (code !== 0) throw new Failure(`"gateway ${args.join(' ')}" failed: ${stderr.trim()}`);
  return JSON.parse(stdout);
}
