// A process that plays the flows of payments and says which files they went through. The machine is installed before
// anything else loads.
import { machine } from '../machine/machine.js';
import { real } from '../machine/real.js';

async function main(): Promise<void> {
  machine();
  const { playFlows } = await import('./flows.js');
  const reached = await playFlows(process.env['LAB_POSTGRES_URL'] ?? '');
  process.send?.({ reached }, () => process.exit(0));
}

main().catch((error: unknown) => {
  process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  real.later(100, () => process.exit(1));
});
