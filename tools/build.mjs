// `npm run build`: brings node_modules, the generated client and dist/ up to date.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { bootstrap } = await import('./bootstrap/bootstrap.mjs');
const { printError } = await import('./bootstrap/failure.mjs');
try {
  await bootstrap({ tolerateTypeErrors: false });
  process.stdout.write('built\n');
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
