// Builds what is missing or stale, then runs one of the project's own programs. Loaded only once Node is known to be
// new enough.
import { bootstrap } from './bootstrap.mjs';
import { printError } from './failure.mjs';
import { inRoot } from './root.mjs';

/**
 * Runs a built module and ends this process with the exit code that it answers; 1 when it cannot be built or throws.
 * @param {readonly string[]} module its path below dist/
 * @param {(exports: any) => Promise<number>} run
 * @returns {Promise<never>}
 */
export async function runBuilt(module, run) {
  try {
    await bootstrap({ tolerateTypeErrors: false });
    process.exit(await run(await import(inRoot('dist', ...module))));
  } catch (error) {
    printError(error);
    process.exit(1);
  }
}
