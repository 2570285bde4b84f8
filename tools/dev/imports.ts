// Which compiled files a program consists of, by following its imports.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;

/** The entry files and everything that they import, directly or not. Absolute paths. */
export function filesOf(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || !existsSync(file)) continue;
    found.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
      open.push(resolve(dirname(file), specifier));
  }
  return found;
}
