// How long the played banks wait before they repeat a callback.
import assert from 'node:assert/strict';
import { EFI_PAUSES_MS, WOOVI_PAUSES_MS } from '../../../sandbox/simulator/callback-format.js';

describe('the repetition of callbacks', () => {
  it('Efí: at once, then after 5, 10, 20 … 1,280 minutes, and once more after 52,560', () =>
    assert.deepEqual(
      EFI_PAUSES_MS.map((ms) => ms / 60_000),
      [0, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 52_560],
    ));

  it('Woovi: at once, then after 10 × 2ⁿ seconds, eight times', () =>
    assert.deepEqual(
      WOOVI_PAUSES_MS.map((ms) => ms / 1_000),
      [0, 10, 20, 40, 80, 160, 320, 640, 1_280],
    ));
});
