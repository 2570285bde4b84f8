// Content stamps: a step is skipped when everything it depends on is as it was when the step last succeeded.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Every file under `folder` that `accept` wants, sorted, as absolute paths. Folders named in `skip` are not entered.
 * @param {string} folder
 * @param {(name: string) => boolean} accept
 * @param {ReadonlySet<string>} [skip]
 * @returns {string[]}
 */
export function listFiles(folder, accept, skip = new Set()) {
  /** @type {string[]} */
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skip.has(entry.name)) found.push(...listFiles(path, accept, skip));
    } else if (accept(entry.name)) {
      found.push(path);
    }
  }
  return found.sort();
}

/**
 * A hash over names and contents; a missing file counts as such.
 * @param {readonly string[]} files absolute paths
 * @param {string} base names are taken relative to it, so that a copied folder has the same hash
 * @param {string} [extra] anything else that the step depends on (versions, flags)
 * @returns {string}
 */
export function hashFiles(files, base, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const file of files) {
    hash.update(`\0${relative(base, file)}\0`).update(readIfPresent(file) ?? 'missing');
  }
  return hash.digest('hex');
}

/**
 * @param {string} file
 * @returns {Buffer | undefined}
 */
function readIfPresent(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} stampFile
 * @param {string} hash
 * @returns {boolean} whether the step that this stamp is for last succeeded with this hash
 */
export function isStamped(stampFile, hash) {
  return readIfPresent(stampFile)?.toString('utf8').trim() === hash;
}

/**
 * @param {string} stampFile
 * @param {string} hash
 */
export function writeStamp(stampFile, hash) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${hash}\n`);
}
