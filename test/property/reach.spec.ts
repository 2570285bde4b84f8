// How many files a payment goes through (lab/reach): those of which a function is called, by V8's count, while the
// gateway handles one payment to whom nothing happens, in one process, over the model of Temporal. A figure may fall,
// and then its limit falls with it.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { testPostgresUrl } from '../../lab/harness/database.js';
import type { Reached } from '../../lab/reach/flows.js';
import { inRoot } from '../../tools/bootstrap/root.mjs';

const MOST: Readonly<Record<keyof Reached, number>> = { pending: 123, paid: 143, withdrawn: 151 };

describe('the files of a payment', function () {
  this.timeout(120_000);
  let reached: Reached;

  before(async () => {
    const player = fork(inRoot('dist', 'lab', 'reach', 'player.js'), [], {
      env: { ...process.env, LAB_POSTGRES_URL: testPostgresUrl() },
      execArgv: ['--no-deprecation'],
    });
    const [message] = (await once(player, 'message')) as [{ reached?: Reached; error?: string }];
    assert.ok(message.reached !== undefined, message.error);
    reached = message.reached;
  });

  for (const [flow, most] of Object.entries(MOST) as [keyof Reached, number][])
    it(`${flow}: at most ${most}`, () => {
      assert.ok(reached[flow].length <= most, `${reached[flow].length}: ${reached[flow].join(', ')}`);
    });

  it('are seen on every side: request, workflow, step, statement, provider', () => {
    const { pending, paid, withdrawn } = reached;
    for (const file of ['api/routes/deposits.ts', 'workflows/deposit.ts', 'activities/payments/deposit/open.ts'])
      assert.ok(pending.includes(file), file);
    assert.ok(paid.includes('ingress/app.ts') && !pending.includes('ingress/app.ts'));
    for (const file of ['store/payments/withdrawal/transition.ts', 'providers/pix-api/payouts.ts'])
      assert.ok(withdrawn.includes(file), file);
    for (const file of new Set([...paid, ...withdrawn])) assert.ok(existsSync(inRoot(file)), file);
  });
});
