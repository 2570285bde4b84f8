// Workflows in a thread without a server: what never yields is ended, and the thread stays fit for the others.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { projectRoot } from '../../../platform/config/project-root.js';
import { ENDLESS_TYPES } from '../../support/broken-workflows.js';
import { CODE_LIMIT_MESSAGE } from '../../../worker/workflow-code-limit.js';
import type { Seen } from './thread-program.js';

const ADAPTED_SDK = pathToFileURL(join(projectRoot(), 'dist', 'worker', 'adapted-sdk.js')).href;

describe('workflow code that does not yield', () => {
  const seen: Seen[] = [];

  function seenOf(kind: string): Seen {
    const found = seen.find((one) => one.kind === kind);
    assert.ok(found, `nothing came back of ${kind}`);
    return found;
  }

  before(async () => {
    const thread = new Worker(new URL('./thread-program.js', import.meta.url), {
      execArgv: ['--import', ADAPTED_SDK],
    });
    thread.on('message', (one: Seen) => seen.push(one));
    const code = await new Promise<number>((resolve, reject) => {
      thread.once('exit', resolve);
      thread.once('error', reject);
    });
    assert.equal(code, 0);
  });

  for (const kind of ENDLESS_TYPES)
    it(`is ended, and another workflow of its thread goes on: ${kind}`, () => {
      const { started, broken, after, end } = seenOf(kind);
      assert.deepEqual(started.commands, ['startTimer']);
      assert.equal(broken.error, CODE_LIMIT_MESSAGE);
      assert.ok(broken.tookMs < 3_000, `${broken.tookMs} ms`);
      // One timer is its own: nothing of the ended workflow runs in its name.
      assert.deepEqual([after.error, after.commands], [null, ['startTimer']]);
      assert.deepEqual([end.error, end.commands], [null, [`completed honest-${kind}`]]);
    });
});
