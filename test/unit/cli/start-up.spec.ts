// The command starts fast because what is slow to load (Prisma, Temporal, zod) is loaded only by the commands that need
// it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';

/** Modules loaded before a command runs: value imports of `file`, and theirs. */
function staticImports(file: string, found: Map<string, string>): Map<string, string> {
  const source = readFileSync(file, 'utf8');
  for (const [, clause = '', from = ''] of source.matchAll(/^import\s+([\s\S]*?)\s*from '([^']+)';$/gm)) {
    const importsOnlyTypes = clause.startsWith('type ') || /^\{(\s*type\s+\w+,?)+\s*\}$/.test(clause);
    if (importsOnlyTypes) continue;
    const module = from.startsWith('.') ? join(dirname(file), from.replace(/\.js$/, '.ts')) : from;
    if (found.has(module)) continue;
    found.set(module, relative(projectRoot(), file));
    if (from.startsWith('.')) staticImports(module, found);
  }
  return found;
}

describe('gateway: start-up', () => {
  it('loads nothing but commander and Node before a command runs', () => {
    const loaded = staticImports(join(projectRoot(), 'cli', 'main.ts'), new Map());
    assert.ok(
      [...loaded.keys()].some((module) => module.endsWith('commands/operation.ts')),
      'the walk reaches the commands',
    );
    for (const [module, from] of loaded) {
      const isLight = module.startsWith('/') || module.startsWith('node:') || module === 'commander';
      assert.ok(
        isLight,
        `${from} imports ${module} for every command: import it inside the action (it costs every start-up)`,
      );
    }
  });
});
