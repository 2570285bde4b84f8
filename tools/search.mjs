// `npm run search [-- proof | property] [--times N] [--seed N]`: the random tests, many times longer than in CI and
// from another seed.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'test-run', 'search.js'], ({ search }) => search(process.argv.slice(2)));
