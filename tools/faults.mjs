// `npm run faults [-- FAMILY … --count N --seed N]`: what the gateway survives, played against real processes.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'faults', 'main.js'], ({ faults }) => faults(process.argv.slice(2)));
