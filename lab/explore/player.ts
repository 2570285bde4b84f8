// A process that plays lives for the search, one after the other. The machine is installed before anything else loads.
import { machine } from '../machine/machine.js';
import { real } from '../machine/real.js';
import type { Message, Order } from './messages.js';

const say = (message: Message) => void process.send?.(message);
const { settle } = machine();

process.on('unhandledRejection', (error) => say({ kind: 'broken', text: textOf(error) }));
process.on('uncaughtException', (error) => say({ kind: 'broken', text: textOf(error) }));
process.on('disconnect', () => process.exit(0));

const ALIVE_EVERY_MS = 5_000;

function sayAlive(): void {
  say({ kind: 'alive', processorMs: real.processorMs() });
  real.later(ALIVE_EVERY_MS, sayAlive);
}

async function main(): Promise<void> {
  sayAlive();
  const { openPlayer } = await import('../open-player.js');
  const player = await openPlayer(process.env['LAB_POSTGRES_URL'] ?? '');
  process.on('message', (order: Order) => {
    play(order).catch((error: unknown) => say({ kind: 'broken', text: textOf(error) }));
  });
  say({ kind: 'ready' });

  async function play(order: Order): Promise<void> {
    const { end, coverage } = await player.play(order);
    if (end.findings.length === 0) return say({ kind: 'played', end, coverage });
    if (!order.shrinks) return say({ kind: 'failed', end, shrunk: null });
    say({ kind: 'found', end });
    const { shrink } = await import('./shrink.js');
    const again = async (smaller: Pick<Order, 'until' | 'without'>) =>
      (await player.play({ ...order, ...smaller, isTold: false })).end;
    say({ kind: 'failed', end, shrunk: await shrink(end, order, again) });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  say({ kind: 'broken', text: textOf(error) });
  void settle().then(() => real.later(100, () => process.exit(1)));
});
