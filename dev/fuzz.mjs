// `npm run fuzz [-- --bounded | --count N | --seconds N | --seed N]`: an outside judge of the contract against a running stack.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { bootstrap } = await import('./bootstrap/bootstrap.mjs');
const { printError } = await import('./bootstrap/failure.mjs');
const { inRoot } = await import('./bootstrap/root.mjs');
try {
  await bootstrap({ tolerateTypeErrors: false });
  const { fuzz } = await import(inRoot('dist', 'dev', 'fuzz', 'main.js'));
  process.exit(await fuzz(process.argv.slice(2)));
} catch (error) {
  printError(error);
  process.exit(1);
}
