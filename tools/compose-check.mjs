// `npm run compose-check [-- --help]`: follows docs/running.md, Containers, word for word, and then breaks what runs.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'compose-check', 'main.js'], ({ checkCompose }) => checkCompose(process.argv.slice(2)));
