// Queries of open workflows: one operation that floods takes its share of the workers and no more.
import assert from 'node:assert/strict';
import { QueryGate, type Reply } from '../../../platform/temporal/calls.js';

const AT_ONCE = 8;

describe('the gate of queries', () => {
  it('one operation floods with workflows that nobody has cached: others are asked as before', async () => {
    const gate = new QueryGate(() => 0);
    const answers: (() => void)[] = [];
    const replays = () => new Promise<Reply<string>>((resolve) => answers.push(() => resolve(answer('slow'))));
    const flood = Array.from({ length: 100 }, () => gate.pass('op_flooding', replays));
    assert.equal(answers.length, AT_ONCE);
    // The rest is answered at once, from the rows.
    assert.deepEqual(await Promise.all(flood.slice(AT_ONCE)), Array(100 - AT_ONCE).fill(null));
    assert.equal(await gate.pass('op_other', () => Promise.resolve(answer('fresh'))), 'fresh');
    answers.forEach((end) => end());
    assert.deepEqual(await Promise.all(flood.slice(0, AT_ONCE)), Array(AT_ONCE).fill('slow'));
    assert.equal(await gate.pass('op_flooding', () => Promise.resolve(answer('again'))), 'again');
  });

  it('after a query that timed out nobody asks for three seconds', async () => {
    let nowMs = 0;
    const gate = new QueryGate(() => nowMs);
    assert.equal(await gate.pass('op_1', () => Promise.resolve({ kind: 'unavailable' })), null);
    assert.equal(await gate.pass('op_2', () => Promise.reject(new Error('asked'))), null);
    nowMs = 3_000;
    assert.equal(await gate.pass('op_2', () => Promise.resolve(answer('back'))), 'back');
  });
});

const answer = (value: string): Reply<string> => ({ kind: 'answer', value });
