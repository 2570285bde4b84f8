// Step 3: the database client, generated from prisma/schema.prisma into prisma/generated.
import { existsSync } from 'node:fs';
import { inRoot, root } from './root.mjs';
import { mustRun } from './run-command.mjs';
import { hashFiles, isStamped, writeStamp } from './stamp.mjs';
import { step } from './progress.mjs';

const STAMP = inRoot('prisma', 'generated', '.generated-by-bootstrap');
const INPUTS = [
  inRoot('prisma', 'schema.prisma'),
  inRoot('prisma.config.ts'),
  inRoot('tools', 'schema', 'write-datamodel.mjs'),
  inRoot('node_modules', 'prisma', 'package.json'),
];
const GENERATE_TIMEOUT_MS = 3 * 60_000;

/** @param {string} logFile */
export async function ensureGenerated(logFile) {
  const hash = hashFiles(INPUTS, root);
  if (isStamped(STAMP, hash) && existsSync(inRoot('prisma', 'generated', 'client.ts'))) return;
  await step('generating the database client', () =>
    mustRun(process.execPath, [inRoot('node_modules', 'prisma', 'build', 'index.js'), 'generate'], {
      what: 'prisma generate',
      cwd: root,
      logFile,
      timeoutMs: GENERATE_TIMEOUT_MS,
      env: { PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
    }),
  );
  writeStamp(STAMP, hash);
}
