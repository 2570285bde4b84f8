// `npm run explore:planted [-- --only NAME --shard I/N --minutes N --by COMMAND …]`: which planted faults are found.
import { requireSupportedNode } from '../../tools/bootstrap/node-version.mjs';

requireSupportedNode();
const { printError } = await import('../../tools/bootstrap/failure.mjs');
try {
  const { plantedFaults } = await import('./planted-faults.mjs');
  process.exitCode = await plantedFaults(process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
