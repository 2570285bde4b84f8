// `npm run bench [-- NAME … --quick]`: what the gateway costs, measured against bare baselines.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'bench', 'main.js'], ({ bench }) => bench(process.argv.slice(2)));
