// What the panel knows of a dependency that may be down: it asks now and then, and remembers the last answer.
import assert from 'node:assert/strict';
import { DependencyWatch } from '../../../panel/dependency-watch.js';

describe('panel: a dependency that may be away', () => {
  const ANSWER = { yes: () => Promise.resolve(), no: () => Promise.reject(new Error('away')) };
  let now: number;
  let answer: keyof typeof ANSWER;
  let asked: number;
  let watch: DependencyWatch;
  beforeEach(() => {
    [now, answer, asked] = [0, 'yes', 0];
    watch = new DependencyWatch(
      () => {
        asked += 1;
        return ANSWER[answer]();
      },
      () => now,
    );
  });

  /** As of the answer to this question; the next one is due. */
  const asks = async () => {
    watch.answers();
    await new Promise((resolve) => setImmediate(resolve));
    now += 2_000;
  };

  it('is away after two answers that failed, and back with the first that came', async () => {
    const seen: boolean[] = [];
    for (const next of ['yes', 'no', 'no', 'no', 'yes', 'no'] as const) {
      answer = next;
      await asks();
      // What this answer has changed; the next question is not due yet.
      now -= 1;
      seen.push(watch.answers());
      now += 1;
    }
    assert.deepEqual(seen, [true, true, false, false, true, true]);
    assert.equal(asked, 6);
  });

  it('is asked once at a time, however long its answer takes', async () => {
    let release = () => undefined as void;
    const slow = new DependencyWatch(
      () => {
        asked += 1;
        return new Promise<void>((resolve) => (release = resolve));
      },
      () => now,
    );
    for (now = 0; now < 20_000; now += 1_000) assert.equal(slow.answers(), true);
    assert.equal(asked, 1);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    slow.answers();
    assert.equal(asked, 2);
  });
});
