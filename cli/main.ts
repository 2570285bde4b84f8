#!/usr/bin/env node
// The entry point of `npm run --silent gateway -- …`.
import { runGateway } from './program.js';

// Whoever reads may have had enough (`… | head`): the command ends as it would have. An answer that is lost otherwise is a failure.
let isLost = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isLost) return;
  isLost = true;
  process.exitCode = 1;
  process.stderr.write(`gateway: standard output cannot be written: ${code ?? 'unknown reason'}\n`);
});
// There is no other place to say it; the exit code stays what it is.
process.stderr.on('error', () => undefined);

const exitCode = await runGateway(process.argv.slice(2), {
  environment: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
  width: process.stdout.columns,
});
// A write can have failed while the command ran.
process.exitCode ??= exitCode;
