// The Markdown pages of the project, for tests of all of them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

/** Markdown pages that people read; not those of packages or builds. */
export function pages(): readonly string[] {
  const skipped = new Set(['node_modules', 'dist', 'var', '.git', 'deployment']);
  const below = (folder: string): string[] =>
    readdirSync(join(projectRoot(), folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : below(path);
      return entry.name.endsWith('.md') ? [path] : [];
    });
  return below('.');
}

export function withoutCodeBlocks(page: string): string {
  return page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
}
