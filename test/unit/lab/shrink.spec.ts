// A failing life is made smaller: what is left out, and how few payments, while it fails in the same way.
import assert from 'node:assert/strict';
import { shrink } from '../../../lab/explore/shrink.js';
import type { Order, Shrunk } from '../../../lab/explore/messages.js';
import type { LifeEnd } from '../../../lab/life.js';

const FAULTS = ['rain', 'snow', 'hail', 'wind'];
const HABITS = ['late', 'twice'];
const ORDER: Order = { seed: 1, scale: 1, until: null, without: [], isTold: false, shrinks: true };

/** As the player plays it: `failing` says by which rule a life with these payments and names fails. */
function play(failing: (payments: number, names: readonly string[]) => string | null, most = 40) {
  return (order: Pick<Order, 'until' | 'without'>): Promise<LifeEnd> => {
    const payments = Math.min(order.until ?? most, most);
    const has = (name: string) => !order.without.includes(name);
    const rule = failing(payments, [...FAULTS, ...HABITS].filter(has));
    const faults = Object.fromEntries(FAULTS.filter(has).map((name) => [name, 1]));
    const habits = Object.fromEntries(HABITS.map((name) => [name, has(name) ? 1 : 0]));
    const findings = rule === null ? [] : [{ rule, detail: `${payments}` }];
    return Promise.resolve({ seed: 1, mix: { faults, habits }, payments, findings } as unknown as LifeEnd);
  };
}

async function shrunk(failing: Parameters<typeof play>[0], most?: number): Promise<Shrunk> {
  const player = play(failing, most);
  return shrink(await player(ORDER), ORDER, player);
}

describe('a failing life', () => {
  it('keeps only the faults and habits that it needs, and the fewest payments', async () => {
    const needs = (payments: number, names: readonly string[]) =>
      payments >= 13 && names.includes('snow') && names.includes('twice') ? 'money is lost' : null;
    const { end, until, without, played } = await shrunk(needs);
    assert.deepEqual([...without].sort(), ['hail', 'late', 'rain', 'wind']);
    assert.equal(until, 13);
    assert.equal(end.payments, 13);
    assert.ok(played <= 24, `${played} lives`);
  });

  it('fails by the same rule as before, not by another', async () => {
    const other = (payments: number) => (payments >= 30 ? 'money is lost' : 'nothing happens');
    const { end, until } = await shrunk(other);
    assert.equal(end.findings[0]?.rule, 'money is lost');
    assert.equal(until, 30);
  });
});
