// `npm run explore -- --engine real`: lives against real processes, one after the other, until the time is over or one
// fails.
import { cpSync } from 'node:fs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import { formatDuration, say } from '../../tools/bootstrap/progress.mjs';
import { startEnvironment } from '../faults/environment/environment.js';
import { startServers } from '../harness/servers.js';
import { onTermination } from '../../tools/processes/termination.js';
import { Coverage } from '../coverage.js';
import type { ExploreOptions } from '../explore/options.js';
import { liveForReal, type RealLifeEnd } from './life.js';
import { openStage, type RealStage } from './real-world.js';

const STORY_LINES = 80;

/** @returns the exit code: 1 if a life failed */
export async function exploreForReal(options: ExploreOptions, firstSeed: number): Promise<number> {
  const servers = await startServers('cluster');
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= servers.close());
  const ignoreTermination = onTermination(() => void close().finally(() => process.exit(130)));
  try {
    const environment = await startEnvironment(servers);
    const stage = openStage(environment);
    try {
      return await search(options, firstSeed, stage);
    } finally {
      await stage.close();
      await environment.close();
    }
  } finally {
    await close();
    ignoreTermination();
  }
}

async function search({ seed, minutes, scale }: ExploreOptions, firstSeed: number, stage: RealStage): Promise<number> {
  const endsAt = performance.now() + minutes * 60_000;
  const coverage = new Coverage();
  let [lives, payments, faults, acts] = [0, 0, 0, 0];
  const notPlayed = new Set<string>();
  do {
    const present = firstSeed + lives;
    const end = await liveForReal({ seed: present, scale: scale ?? 1, stage, coverage, isTold: seed !== null });
    lives += 1;
    [payments, faults, acts] = [payments + end.payments, faults + end.faults, acts + end.acts];
    end.notPlayed.forEach((name) => notPlayed.add(name));
    const isSound = end.findings.length === 0;
    say(
      `  ${isSound ? '✓' : '✗'} seed ${present}: ${end.payments} payments, ${end.faults} faults, ` +
        `${end.acts} acts of people (${formatDuration(end.tookMs)})`,
    );
    if (!isSound) return failed(end, stage.environment.folder);
  } while (seed === null && performance.now() < endsAt);
  say(`\n${lives} lives, ${payments} payments, ${faults} faults, ${acts} acts of people: nothing was found.`);
  if (notPlayed.size > 0) say(`drawn, and not played by this engine: ${[...notPlayed].join('; ')}`);
  return 0;
}

function failed({ seed, findings, story }: RealLifeEnd, folder: string): number {
  for (const { rule, detail } of findings.slice(0, 8)) say(`    ${rule}: ${detail}`);
  say('  the end of its story:');
  for (const line of story.slice(-STORY_LINES)) say(`    ${line}`);
  const logs = inRoot('var', 'failed-lives', String(seed));
  cpSync(folder, logs, { recursive: true, filter: (path) => !path.includes('postgres') });
  say(`\n  the logs of its processes: ${logs}`);
  say(`  play the seed again: npm run explore -- --engine real --seed ${seed}`);
  say('  on virtual time, step by step: the same command without --engine real');
  return 1;
}
