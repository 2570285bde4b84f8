// `npm run bench | cluster | compose-check | explore | faults | fuzz [-- OPTIONS]`: builds what is missing or stale,
// then runs that program of the lab.
import { requireSupportedNode } from '../tools/bootstrap/node-version.mjs';

requireSupportedNode();
const { runBuilt } = await import('../tools/bootstrap/run-built.mjs');
const [name = '', ...args] = process.argv.slice(2);
await runBuilt(['lab', name, 'main.js'], ({ main }) => main(args));
