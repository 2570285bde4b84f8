// The commands of docs/running.md, Containers, in their order: what a person with Docker types.
import { readFileSync } from 'node:fs';
import { inRoot } from '../../tools/bootstrap/root.mjs';
import type { Report } from './report.js';
import type { Shell } from './shell.js';

const SECTION = /^## Containers\n([\s\S]*?)(?=^## )/m;
const DEPLOY = '### A deploy';

/** The blocks of commands of the section, each unchanged; `deploy` are those of its last part. */
export function pageBlocks(text = readFileSync(inRoot('docs', 'running.md'), 'utf8')): {
  readonly start: readonly string[];
  readonly deploy: readonly string[];
} {
  const [, section = ''] = SECTION.exec(text) ?? [];
  const [start = '', deploy = ''] = section.split(DEPLOY);
  const blocksOf = (part: string) => [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return { start: blocksOf(start), deploy: blocksOf(deploy) };
}

/** Each block is one check. After a failure the others are still tried, although they may depend on it. */
export async function followPage(shell: Shell, report: Report): Promise<void> {
  for (const block of pageBlocks().start) await report.check(nameOf(block), async () => void (await shell.must(block)));
}

/** Its first command, short. */
export function nameOf(block: string): string {
  const [first = ''] = block.trim().split('\n');
  return `page: ${first.length > 90 ? `${first.slice(0, 90)} …` : first}`;
}
