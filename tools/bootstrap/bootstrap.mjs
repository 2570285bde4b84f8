// From a fresh clone to something that runs: install, generate, compile, bundle; each step only when it is needed.
// Needs nothing but Node: node_modules may be missing. Two commands at once are safe, the second waits.
import { ensureBundled } from './bundle.mjs';
import { ensureCompiled } from './compile.mjs';
import { ensureEmbeddedPostgresLinks } from './embedded-postgres.mjs';
import { Failure } from './failure.mjs';
import { ensureGenerated } from './generate.mjs';
import { ensureInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { say } from './progress.mjs';
import { ensurePage } from './page.mjs';
import { ensureReference } from './reference.mjs';
import { inRoot } from './root.mjs';

/**
 * @typedef {object} BootstrapResult
 * @property {string | undefined} typeErrors the compiler's messages, only when `tolerateTypeErrors` was asked for
 */

/**
 * @param {{ tolerateTypeErrors: boolean }} options the test run continues with type errors and counts them as a failure
 * @returns {Promise<BootstrapResult>} throws a {@link Failure} when a step fails
 */
export async function bootstrap({ tolerateTypeErrors }) {
  return withLock(
    inRoot('dist', '.build.lock'),
    () => buildAll(tolerateTypeErrors),
    (pid) => say(`  · another build is running (process ${pid}); waiting for it …`),
  );
}

/**
 * @param {boolean} tolerateTypeErrors
 * @returns {Promise<BootstrapResult>}
 */
async function buildAll(tolerateTypeErrors) {
  const log = (/** @type {string} */ name) => inRoot('var', 'logs', `build-${name}.log`);
  await ensureInstalled(log('install'));
  ensureEmbeddedPostgresLinks();
  await ensureGenerated(log('generate'));
  const { typeErrors } = await ensureCompiled(log('compile'));
  if (typeErrors !== undefined && !tolerateTypeErrors)
    throw new Failure(`There are type errors:\n${typeErrors}`, log('compile'));
  await ensureBundled(log('bundle'));
  ensureReference();
  await ensurePage();
  return { typeErrors };
}
