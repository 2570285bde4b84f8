// Step 1: node_modules as package-lock.json lists it.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { mustRun } from './run-command.mjs';
import { hashFiles, isStamped, writeStamp } from './stamp.mjs';
import { step } from './progress.mjs';

const LOCK_FILE = inRoot('package-lock.json');
const STAMP = inRoot('node_modules', '.installed-by-bootstrap');
const INSTALL_TIMEOUT_MS = 20 * 60_000;

/**
 * Runs `npm ci` unless node_modules already matches package-lock.json.
 * @param {string} logFile
 */
export async function ensureInstalled(logFile) {
  const hash = hashFiles([LOCK_FILE], root);
  if (isStamped(STAMP, hash)) return;
  if (!installedByHand()) {
    await step('installing packages (npm ci)', () =>
      mustRun('npm', ['ci', '--no-audit', '--no-fund'], {
        what: 'npm ci',
        cwd: root,
        logFile,
        timeoutMs: INSTALL_TIMEOUT_MS,
      }),
    );
  }
  writeStamp(STAMP, hash);
}

/**
 * Whether somebody ran `npm ci` or `npm install` themselves: npm's own record of what it installed matches the lock.
 */
function installedByHand() {
  const record = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = readPackages(LOCK_FILE);
  const installed = readPackages(record);
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') ||
      entry.optional === true ||
      entry.link === true ||
      installed[path]?.version === entry.version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, link?: boolean }>}
 */
function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
}
