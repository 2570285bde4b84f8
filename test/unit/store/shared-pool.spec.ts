// The shares of a pool, without a server: who waits, for how long, and in which order.
import assert from 'node:assert/strict';
import { Shares } from '../../../store/shared-pool.js';

describe('shares of the pool', () => {
  it('an operation has its turns at once; the next wait in their order, and others do not wait', async () => {
    const shares = new Shares(2, 5_000, () => assert.fail('nobody waits so long'));
    const ends = [await shares.turnOf('op_1'), await shares.turnOf('op_1')];
    const order: number[] = [];
    const later = [1, 2].map(async (place) => {
      const end = await shares.turnOf('op_1');
      order.push(place);
      return end;
    });
    assert.equal(shares.waitingFor('op_1'), 2);
    const other = await shares.turnOf('op_2');
    assert.deepEqual([shares.waitingFor('op_2'), shares.waiting], [0, 2]);
    ends[0]?.();
    const first = await later[0];
    assert.deepEqual(order, [1]);
    first?.();
    (await later[1])?.();
    ends[1]?.();
    other();
    assert.deepEqual([order, shares.waitingFor('op_1'), shares.waiting], [[1, 2], 0, 0]);
  });

  it('a caller that waits too long gets the pool’s own error, and no turn later', async () => {
    let timeouts = 0;
    const shares = new Shares(1, 20, () => (timeouts += 1));
    const end = await shares.turnOf('op_1');
    await assert.rejects(shares.turnOf('op_1'), /timeout exceeded/);
    assert.deepEqual([shares.waitingFor('op_1'), timeouts], [0, 1]);
    end();
    const again = await shares.turnOf('op_1');
    again();
  });
});
