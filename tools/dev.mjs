// `npm run dev [-- --help]`: the stack of `npm start`, with processes that restart when a file is saved.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();

const HELP = `npm run dev

Starts the stack of "npm start" without its demo. Saving a source file compiles it and restarts the processes that use
it, the workflow bundle included. Types are not checked: your editor or "npm run typecheck" does that. Ctrl-C ends everything.

Environment: as for "npm start" (npm start -- --help).
`;

const args = process.argv.slice(2);
if (args.length > 0) {
  const isHelp = args.every((arg) => arg === '--help' || arg === '-h');
  process.stdout.write(isHelp ? HELP : `There is no option ${args[0]}. See "npm run dev -- --help".\n`);
  process.exit(isHelp ? 0 : 2);
}

const { buildTemporalCliEarly } = await import('./bootstrap/temporal-cli.mjs');
void buildTemporalCliEarly(process.env);
const { runBuilt } = await import('./bootstrap/run-built.mjs');
await runBuilt(['tools', 'dev', 'main.js'], ({ dev }) => dev());
