#!/usr/bin/env node
// The entry point of `npm run --silent gateway -- …`.
import { runGateway } from './program.js';

process.exitCode = await runGateway(process.argv.slice(2), {
  environment: process.env,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isInteractive: process.stdout.isTTY === true,
});
