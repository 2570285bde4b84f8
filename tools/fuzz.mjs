// `npm run fuzz [-- --bounded | --count N | --seconds N | --seed N]`: an outside judge of the contract against a
// running stack.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'fuzz', 'main.js'], ({ fuzz }) => fuzz(process.argv.slice(2)));
