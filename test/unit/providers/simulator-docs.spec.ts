// docs/simulator.md shows the sentinel table as it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { SENTINELS, sentinelTable } from '../../../sandbox/simulator/behaviours.js';

describe('docs/simulator.md', () => {
  const page = readFileSync(join(projectRoot(), 'docs', 'simulator.md'), 'utf8');
  for (const subject of ['deposit', 'payout', 'key'] as const) {
    it(`shows the ${subject} sentinels as they are; if not, paste sentinelTable('${subject}') there`, () => {
      assert.ok(page.includes(`\n${sentinelTable(subject)}\n`), sentinelTable(subject));
    });
  }
  it('has a row for each sentinel', () => {
    const rows = page
      .split('\n')
      .filter((line) => /^\| `/.test(line) && !/^\| `(POST|PUT|GET|SIMULATOR|PROVIDER|LOG)/.test(line));
    assert.equal(rows.length, SENTINELS.length);
  });
});
