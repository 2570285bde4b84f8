// `npm run conformance -- --help`: the conformance kit for operators.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['conformance', 'main.js'], ({ conformance }) => conformance(process.argv.slice(2)));
