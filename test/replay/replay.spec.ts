// Running payments outlive a release: the histories of every released version must replay in today's workflow code.
// A failure here means that the change needs `patched()`: docs/operating.md says how to change running workflows.
import assert from 'node:assert/strict';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type ReplayWorkerOptions } from '@temporalio/worker';
import { DATA_CONVERTER } from '../../platform/temporal/connection.js';
import { PLANTED } from '../workflow/harness/persons.js';
import { installQuietRuntime, workflowCode } from '../support/temporal.js';
import { traceSinks } from '../../worker/traced.js';
import { readHistories } from './histories.js';
import { LIFE_CYCLES } from './life-cycles.js';

describe('recorded histories', () => {
  const histories = readHistories();

  it('there is one of each life cycle in every release', () => {
    const releases = new Set(histories.map(({ name }) => name.split('/')[0]));
    assert.ok(releases.has('1.0.0'));
    const recorded = histories.map(({ name }) => name);
    for (const lifeCycle of Object.keys(LIFE_CYCLES))
      assert.ok(
        [...releases].some((release) => recorded.includes(`${release}/${lifeCycle}`)),
        `${lifeCycle} is recorded`,
      );
  });

  // They were all written untraced: a worker that begins to trace takes them over in the middle.
  for (const isTraced of [false, true]) {
    it(`all replay in today’s workflow code${isTraced ? ', traced' : ''}`, async function () {
      this.timeout(60_000);
      installQuietRuntime();
      const options: ReplayWorkerOptions = {
        workflowBundle: await workflowCode(isTraced),
        dataConverter: DATA_CONVERTER,
        sinks: isTraced ? traceSinks : {},
      };
      const named = histories.map(({ name, json }) => ({
        workflowId: name,
        history: historyFromJSON(JSON.parse(json)),
      }));
      const failures: string[] = [];
      let replayed = 0;
      for await (const { workflowId, error } of Worker.runReplayHistories(options, named)) {
        replayed += 1;
        if (error !== undefined) failures.push(`${workflowId}: ${error.message}`);
      }
      assert.deepEqual(failures, []);
      assert.equal(replayed, histories.length);
    });
  }

  it('begin with proven orders, and decide by stored acts', () => {
    const payloads = histories.flatMap(({ name, json }) =>
      payloadsOf(JSON.parse(json)).map((payload) => [name, payload] as const),
    );
    const orders = payloads.filter(([, payload]) => payload.startsWith('{"kind":"create"'));
    assert.ok(orders.length > 20);
    for (const [name, payload] of orders) assert.match(payload, /"proof":"[^"]+"/, name);
    const decisions = payloads.filter(([, payload]) => payload.startsWith('{"decision":"'));
    assert.ok(decisions.length > 5);
    for (const [name, payload] of decisions) assert.match(payload, /"actId":"act_/, name);
    for (const kind of ['deposit', 'withdrawal'])
      assert.ok(
        payloads.some(
          ([name, payload]) => name.includes(`${kind}-continued`) && payload.startsWith('{"kind":"reopen"'),
        ),
      );
  });

  it('hold no personal data, neither plain nor in a payload', () => {
    for (const { name, json } of histories) {
      const text = json + payloadsOf(JSON.parse(json)).join('\n');
      for (const [what, personal] of Object.entries(PLANTED))
        assert.ok(!text.includes(personal), `${name} holds the planted ${what}`);
    }
  });

  it('the search for personal data sees into payloads', () => {
    const payloads = histories.flatMap(({ json }) => payloadsOf(JSON.parse(json)));
    assert.ok(payloads.some((payload) => payload.includes('"playerRef":"player-1"')));
  });
});

/** Every payload of a history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own =
    'metadata' in value && 'data' in value && typeof value.data === 'string'
      ? [Buffer.from(value.data, 'base64').toString('utf8')]
      : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}
