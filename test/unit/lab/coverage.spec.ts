// What a search has reached: steps with the faults before them, and what a long search must have met.
import assert from 'node:assert/strict';
import { Coverage, noteCoverage } from '../../../lab/coverage.js';
import type { LabDatabase } from '../../../lab/database.js';

const EXPIRY = { kind: 'deposit', before: 'pending', status: 'expired', by_list: false, at_ms: 700_000 } as const;

function databaseOf(...steps: object[]): LabDatabase {
  const query = (text: string) => Promise.resolve(text.includes('FROM event') ? steps : []);
  return { query } as unknown as LabDatabase;
}

describe('coverage', () => {
  it('counts a step with every fault of the ten minutes before it', async () => {
    const coverage = new Coverage();
    const troubles = [
      { atMs: 50_000, name: 'the api is killed' },
      { atMs: 600_000, name: 'a workflow is evicted' },
      { atMs: 800_000, name: 'PostgreSQL is restarted' },
    ];
    await noteCoverage(databaseOf(EXPIRY), coverage, troubles);
    assert.deepEqual(coverage.counts, [
      ['cell: deposit pending + expiry | a workflow is evicted', 1],
      ['step: deposit pending + expiry', 1],
    ]);
    await noteCoverage(databaseOf(EXPIRY), coverage, []);
    assert.equal(coverage.cells.reached, 2);
  });

  it('fails a long search that has not met everything that it must', () => {
    const coverage = new Coverage();
    coverage.note('sometimes', 'a payout was written off');
    assert.deepEqual(coverage.unmet(19_999), []);
    const unmet = coverage.unmet(20_000);
    assert.ok(unmet.includes('sometimes: a worker replayed a history'));
    assert.ok(unmet.includes('step: deposit pending + expiry'));
    assert.ok(!unmet.includes('sometimes: a payout was written off'));
  });
});
