// `npm test [-- group… | file… | --serve | mocha options]`: prepares everything that is missing, then runs the tests.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { bootstrap } = await import('./bootstrap/bootstrap.mjs');
const { printError } = await import('./bootstrap/failure.mjs');
const { inRoot } = await import('./bootstrap/root.mjs');
const { buildTemporalCliEarly } = await import('./bootstrap/temporal-cli.mjs');
void buildTemporalCliEarly(process.env);
try {
  const { typeErrors } = await bootstrap({ tolerateTypeErrors: true });
  const { runTests } = await import(inRoot('dist', 'tools', 'test-run', 'main.js'));
  process.exit(await runTests(process.argv.slice(2), typeErrors));
} catch (error) {
  printError(error);
  process.stdout.write('\n0 passed, 1 failed\n');
  process.exit(1);
}
