// `npm run explore [-- --minutes N] [--seed N]`: plays whole lives of the gateway from seeds and judges them.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['lab', 'explore', 'main.js'], ({ explore }) => explore(process.argv.slice(2)));
