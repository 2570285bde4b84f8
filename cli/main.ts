#!/usr/bin/env node
// The entry point of `npm run --silent gateway -- …`.
import { runGateway } from './program.js';
import { secretReader } from './terminal/secret.js';

// A reader may close the pipe early (`… | head`): that is no failure. Any other lost output is.
let isLost = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = 1;
  process.stderr.write(`gateway: standard output cannot be written: ${code ?? 'unknown reason'}\n`);
});
// A problem that cannot be printed is dropped; the exit code stays.
process.stderr.on('error', () => undefined);

const exitCode = await runGateway(process.argv.slice(2), {
  environment: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
  width: process.stdout.columns,
  readSecret: secretReader(process.stdin, process.stderr),
});
// A write can have failed while the command ran.
process.exitCode ??= exitCode;
