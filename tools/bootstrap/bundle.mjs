// Step 5: the workflow bundle, built ahead so that a worker starts at once.
import { existsSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { mustRun } from './run-command.mjs';
import { hashFiles, isStamped, listFiles, writeStamp } from './stamp.mjs';
import { step } from './progress.mjs';

const BUNDLER = inRoot('dist', 'worker', 'bundle-workflows.js');
const STAMP = inRoot('dist', '.bundled-by-bootstrap');
const INPUT_FOLDERS = ['workflows', 'domain', 'contract', 'worker'].map((name) => inRoot('dist', name));
const BUNDLES = ['workflow-bundle.js', 'workflow-bundle-traced.js'].map((name) => inRoot('dist', name));
const BUNDLE_TIMEOUT_MS = 3 * 60_000;

/** @param {string} logFile */
export async function ensureBundled(logFile) {
  if (!existsSync(BUNDLER)) return;
  const inputs = INPUT_FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    listFiles(folder, (name) => name.endsWith('.js')),
  );
  const hash = hashFiles([...inputs, inRoot('package-lock.json')], root);
  if (isStamped(STAMP, hash) && BUNDLES.every((bundle) => existsSync(bundle))) return;
  await step('bundling the workflows', () =>
    mustRun(process.execPath, [BUNDLER], {
      what: 'bundling the workflows',
      cwd: root,
      logFile,
      timeoutMs: BUNDLE_TIMEOUT_MS,
    }),
  );
  writeStamp(STAMP, hash);
}
