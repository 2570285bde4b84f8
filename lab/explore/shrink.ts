// Makes a failing life small: fewer faults, fewer habits, fewer payments, as long as it fails in the same way.
import type { LifeEnd } from '../life.js';
import { real } from '../machine/real.js';
import type { Order, Shrunk } from './messages.js';

/** Play no more lives than this to make one smaller. */
const MOST_PLAYED = 24;
/** Begin no other after so much real time. */
const LONGEST_MS = 90_000;

type Play = (order: Pick<Order, 'until' | 'without'>) => Promise<LifeEnd>;

/** @param found the life that failed */
export async function shrink(found: LifeEnd, order: Order, play: Play): Promise<Shrunk> {
  const rule = found.findings[0]?.rule;
  let best: Shrunk = { end: found, until: order.until, without: order.without, played: 0 };
  let played = 0;
  const began = real.nowMs();
  const isOver = () => played >= MOST_PLAYED || real.nowMs() - began > LONGEST_MS;
  const tryWith = async (change: Partial<Pick<Order, 'until' | 'without'>>): Promise<boolean> => {
    if (isOver()) return false;
    played += 1;
    const smaller = { until: best.until, without: best.without, ...change };
    const end = await play(smaller);
    if (end.findings[0]?.rule !== rule) return false;
    best = { end, ...smaller, played };
    return true;
  };
  // Halves of what goes wrong, then smaller parts, then single things.
  for (let size = Math.ceil(namesOf(best.end).length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    const names = namesOf(best.end);
    for (let from = 0; from < names.length; from += size)
      await tryWith({ without: [...best.without, ...names.slice(from, from + size)] });
  }
  // The fewest payments that fail so lie between what did not fail and what did.
  for (let [low, high] = [0, best.end.payments]; high - low > 1 && !isOver();) {
    const middle = Math.floor((low + high) / 2);
    if (await tryWith({ until: middle })) high = middle;
    else low = middle;
  }
  return { ...best, played };
}

/** What is left to leave out. */
function namesOf({ mix }: LifeEnd): string[] {
  const habits = Object.entries(mix.habits).filter(([, weight]) => weight > 0);
  return [...Object.keys(mix.faults), ...habits.map(([name]) => name)];
}
