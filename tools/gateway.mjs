// `npm run --silent gateway -- …`: the `gateway` command with the running stack's environment under the caller's own.
// No build check: it has to be quick, and its standard output belongs to the command.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './bootstrap/root.mjs';

const program = inRoot('dist', 'cli', 'main.js');
if (!existsSync(program)) fail('The gateway is not built yet: run "npm start" (or "npm run build") first.');

const stackFile = inRoot('var', 'stack.json');
if (existsSync(stackFile)) {
  const { environment } = JSON.parse(readFileSync(stackFile, 'utf8'));
  for (const [name, value] of Object.entries(environment)) process.env[name] ??= value;
} else if (!process.env.DATABASE_URL && !worksAlone(process.argv.slice(2))) {
  fail('No stack was started from this folder yet, and DATABASE_URL is not set: run "npm start" first.');
}

process.setSourceMapsEnabled(true);
process.argv[1] = program;
await import(program);

/**
 * Help and signing need no servers.
 * @param {string[]} args
 */
function worksAlone(args) {
  return (
    args.length === 0 || args[0] === 'sign' || args[0] === 'help' || args.includes('--help') || args.includes('-h')
  );
}

/** @param {string} line */
function fail(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
