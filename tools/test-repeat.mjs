// `npm run test:repeat [-- --times N --files N --fresh GROUP … FILE …]`: runs tests again and again on a busy machine.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'test-run', 'repeat.js'], ({ repeat }) => repeat(process.argv.slice(2)));
