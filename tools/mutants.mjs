// `npm run mutants [-- AREA | FOLDER | FILE … --minutes N --static --report]`: which changes of the code no test
// notices.
import { requireSupportedNode } from './bootstrap/node-version.mjs';

requireSupportedNode();
const { printError } = await import('./bootstrap/failure.mjs');
try {
  const { mutants } = await import('./mutants/main.mjs');
  process.exitCode = await mutants(process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
