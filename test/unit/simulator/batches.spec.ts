// Callbacks that are held back go out together: once there are so many, or once nobody waits for more.
import assert from 'node:assert/strict';
import { Batches } from '../../../sandbox/simulator/batches.js';
import type { CallbackFormat } from '../../../sandbox/simulator/callback-format.js';

const FORMAT = {
  mergeCallbacks: (bodies: readonly object[]) => ({ of: bodies.flatMap((body) => (body as { of: string[] }).of) }),
} as unknown as CallbackFormat;
const message = (...of: string[]) => ({ target: '/pix', body: { of } });

describe('callbacks in one call', () => {
  it('go out once there are so many, and then each alone again', () => {
    const batches = new Batches();
    const batch = batches.open('a', 2);
    assert.equal(batches.take('a', message('one'), FORMAT), null);
    assert.deepEqual(batches.take('a', message('two'), FORMAT), message('one', 'two'));
    assert.equal(batches.close('a', batch, FORMAT), null);
    assert.deepEqual(batches.take('a', message('three'), FORMAT), message('three'));
  });

  it('go out as many as there are when nobody fills the batch', () => {
    const batches = new Batches();
    const batch = batches.open('a', 3);
    assert.equal(batches.take('a', message('one'), FORMAT), null);
    assert.deepEqual(batches.close('a', batch, FORMAT), message('one'));
    assert.deepEqual(batches.take('a', message('two'), FORMAT), message('two'));
    assert.equal(batches.close('a', batches.open('a', 2), FORMAT), null);
  });
});
