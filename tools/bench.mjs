// `npm run bench [-- NAME … --quick]`: what the gateway costs, measured against bare baselines.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
const { inRoot } = await import('./bootstrap/root.mjs');
await runBuilt(['tools', 'bench', 'main.js'], async ({ bench }) => {
  // docs/scaling.md is computed from the results.
  const { writeSections } = await import(inRoot('dist', 'tools', 'docs', 'generated-sections.js'));
  return bench(process.argv.slice(2), writeSections);
});
