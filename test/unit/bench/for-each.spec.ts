// Work on many things, a few at a time.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEach } from '../../../lab/bench/operations.js';

describe('forEach', () => {
  it('does each once, undefined ones too, never more at once than it may', async () => {
    const done: (number | undefined)[] = [];
    let [now, most] = [0, 0];
    await forEach([1, 2, undefined, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, (now += 1));
      await sleep(2);
      now -= 1;
      done.push(item);
    });
    assert.deepEqual(done.filter((item) => item !== undefined).sort(), [1, 2, 4, 5, 6, 7]);
    assert.deepEqual([done.length, most], [7, 3]);
  });

  it('after a failure begins nothing more, and waits for what is under way', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = async (item: number) => {
      begun.push(item);
      await sleep(item === 1 ? 2 : 20);
      if (item === 1) throw new Error('the first fails');
      ended.push(item);
    };
    await assert.rejects(forEach([1, 2, 3, 4, 5], 2, work), /the first fails/);
    assert.deepEqual([begun, ended], [[1, 2], [2]]);
  });
});
