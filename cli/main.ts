#!/usr/bin/env node
// The entry point of `npm run --silent gateway -- …`.
import { runGateway } from './program.js';

// Whoever reads may have had enough (`… | head`): the command ends as it would have.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runGateway(process.argv.slice(2), {
  environment: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
});
