// `npm run bench [-- NAME … --quick]`: what the gateway costs, measured against bare baselines.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { bootstrap } = await import('./bootstrap/bootstrap.mjs');
const { printError } = await import('./bootstrap/failure.mjs');
const { inRoot } = await import('./bootstrap/root.mjs');
try {
  await bootstrap({ tolerateTypeErrors: false });
  const { bench } = await import(inRoot('dist', 'bench', 'main.js'));
  process.exit(await bench(process.argv.slice(2)));
} catch (error) {
  printError(error);
  process.exit(1);
}
