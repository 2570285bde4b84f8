// Calls on a way where somebody waits: a slow provider is spared, and never holds many.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { BriefCalls } from '../../../activities/provider/brief-calls.js';

const LONG_MS = 60_000;

describe('brief calls', () => {
  it('answers what the provider answers', async () => {
    assert.equal(await new BriefCalls().ask('a', LONG_MS, async () => 'answer'), 'answer');
  });

  it('no answer in time, a failure, or no time left: null', async () => {
    const calls = new BriefCalls();
    assert.equal(await calls.ask('a', 20, () => new Promise(() => undefined)), null);
    assert.equal(await calls.ask('a', LONG_MS, () => Promise.reject(new Error('inconclusive'))), null);
    assert.equal(await calls.ask('a', 0, () => Promise.reject(new Error('is not asked'))), null);
  });

  it('at most eight wait for one provider; the ninth is not asked, another provider is', async () => {
    const calls = new BriefCalls();
    const answers: ((answer: string) => void)[] = [];
    const waiting = Array.from({ length: 8 }, () =>
      calls.ask('a', LONG_MS, () => new Promise<string>((resolve) => answers.push(resolve))),
    );
    assert.equal(await calls.ask('a', LONG_MS, async () => 'ninth'), null);
    assert.equal(await calls.ask('b', LONG_MS, async () => 'other'), 'other');
    answers.forEach((answer) => answer('late'));
    assert.deepEqual(
      await Promise.all(waiting),
      Array.from({ length: 8 }, () => 'late'),
    );
    assert.equal(await calls.ask('a', LONG_MS, async () => 'again'), 'again');
  });

  it('a provider that was slow is spared for ten seconds', async () => {
    let nowMs = 0;
    const calls = new BriefCalls(() => nowMs);
    assert.equal(await calls.ask('a', LONG_MS, () => sleep(1_300, 'slow')), 'slow');
    nowMs = 9_999;
    assert.equal(await calls.ask('a', LONG_MS, async () => 'asked'), null);
    nowMs = 10_000;
    assert.equal(await calls.ask('a', LONG_MS, async () => 'asked'), 'asked');
  });
});
