// What the running processes say of themselves: every metric of the table, nothing of a person, and an orderly end.
// About a minute; most of it is the budgets of calls that hang on purpose.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../tools/processes/ports.js';
import { METRICS, type MetricProcess, SDK_METRICS } from '../../../platform/telemetry/metrics.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { setProviderOutage } from '../../../lab/harness/provider-books.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { eventually } from '../../../lab/harness/eventually.js';

/** Series of an exposition: `name{labels}` and value. */
interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function parse(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^([a-z_A-Z0-9]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? assert.fail(`not a series: ${line}`);
      return {
        name,
        labels: Object.fromEntries(
          [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, said]) => [label, said]),
        ),
        value: Number(value),
      };
    });
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  return { status: response.status, text: await response.text() };
}

describe('metrics, readiness and end of the real processes', function () {
  this.timeout(120_000);
  let stack: Stack;
  // The panel is no part of what serves payments: test/integration/panel has its own.
  let urls: Record<Exclude<MetricProcess, 'panel'> | 'sdk', string>;
  let texts: typeof urls;
  const player = newPlayer();

  before(async () => {
    const [api, ingress, sdk] = [await findFreePort(), await findFreePort(), await findFreePort()];
    stack = await startStack({
      variables: {
        API_METRICS_PORT: String(api),
        INGRESS_METRICS_PORT: String(ingress),
        WORKER_SDK_METRICS_PORT: String(sdk),
        API_DRAIN_SECONDS: '2',
      },
    });
    urls = {
      api: `http://127.0.0.1:${api}`,
      ingress: `http://127.0.0.1:${ingress}`,
      worker: stack.workerHealthUrl,
      simulator: stack.simulatorUrl,
      sdk: `http://127.0.0.1:${sdk}`,
    };
  });
  after(() => stack.close());

  const scrape = async () => {
    const entries = await Promise.all(
      Object.entries(urls).map(async ([name, url]) => [name, (await get(`${url}/metrics`)).text] as const),
    );
    return Object.fromEntries(entries) as typeof texts;
  };
  const valueOf = (process: keyof typeof urls, name: string, labels: Record<string, string> = {}) =>
    parse(texts[process])
      .filter(
        (series) =>
          series.name === name && Object.entries(labels).every(([label, value]) => series.labels[label] === value),
      )
      .reduce((sum, { value }) => sum + value, 0);

  it('a life of payments moves them', async () => {
    const key = once();
    const body = newDeposit('5000', player);
    const { body: deposit } = await stack.client.createDeposit(body, key);
    await stack.client.createDeposit(body, key);
    await stack.client.sandbox.payDeposit(deposit.id, once());
    await stack.receiver.waitFor(deposit.id, 'deposit.paid');
    const { body: withdrawal } = await stack.client.createWithdrawal(newWithdrawal(player), once());
    assert.equal(withdrawal.status, 'under_review');
    // An act is stored by an activity of its own, whose wait the SDK measures.
    const { body: another } = await stack.client.createDeposit(newDeposit('5000', player), once());
    await stack.client.cancelDeposit(another.id, once());
    await assert.rejects(() => stack.client.getDeposit(`dep_${'0'.repeat(32)}`));
    await sleep(500);
    texts = await scrape();
    assert.equal(valueOf('api', 'gateway_http_requests_total', { status: '201' }), 4);
    assert.equal(valueOf('api', 'gateway_http_refusals_total', { code: 'not_found' }), 1);
    assert.equal(valueOf('api', 'gateway_idempotency_claims_total', { outcome: 'replayed' }), 1);
    assert.ok(valueOf('api', 'gateway_temporal_calls_total', { outcome: 'answer' }) >= 2);
    assert.ok(valueOf('ingress', 'gateway_callbacks_total', { provider: 'simulator', status: '200' }) >= 1);
    assert.equal(valueOf('worker', 'gateway_transitions_total', { kind: 'deposit', to: 'paid' }), 1);
    assert.equal(valueOf('worker', 'gateway_transitions_total', { kind: 'withdrawal', to: 'under_review' }), 1);
    assert.equal(valueOf('worker', 'gateway_provider_calls_total', { call: 'createCharge', outcome: 'created' }), 2);
    assert.ok(valueOf('worker', 'gateway_webhook_attempts_total', { result: '2xx' }) >= 2);
    assert.equal(valueOf('worker', 'gateway_reviews_waiting', { kind: 'withdrawal' }), 1);
    assert.ok(valueOf('worker', 'gateway_review_oldest_seconds', { kind: 'withdrawal' }) > 0);
    assert.equal(valueOf('worker', 'gateway_payouts_unknown'), 0);
    assert.equal(valueOf('worker', 'gateway_webhook_outbox_oldest_seconds'), 0);
    assert.ok(valueOf('simulator', 'gateway_simulator_requests_total', { provider: 'simulator', status: '201' }) >= 1);
  });

  for (const process of ['api', 'ingress', 'worker', 'simulator'] as const) {
    it(`${process} serves exactly its metrics of the table, with their labels`, () => {
      const series = parse(texts[process]).filter(({ name }) => name.startsWith('gateway_'));
      const help = new Set(
        [...texts[process].matchAll(/^# TYPE (gateway_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`),
      );
      const own = Object.entries(METRICS).filter(([, { processes }]) =>
        (processes as readonly string[]).includes(process),
      );
      assert.deepEqual([...help].sort(), own.map(([name, { type }]) => `${name} ${type}`).sort());
      for (const { name, labels } of series) {
        const definition =
          METRICS[name as keyof typeof METRICS] ??
          METRICS[name.replace(/_(bucket|sum|count)$/, '') as keyof typeof METRICS];
        assert.deepEqual(
          Object.keys(labels)
            .filter((label) => label !== 'le')
            .sort(),
          Object.keys(definition.labels).sort(),
          name,
        );
      }
    });
  }

  it('the SDK serves what the alert rules take from it', () => {
    const names = new Set(parse(texts.sdk).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    // A failure is counted from the first one on.
    const expected = Object.keys(SDK_METRICS).filter((name) => !name.includes('failed'));
    assert.deepEqual(
      expected.filter((name) => !names.has(name)),
      [],
    );
  });

  it('no label holds an id, a key, an address or anything of a person', () => {
    const all = Object.values(texts).join('\n');
    for (const planted of [
      player.document.number,
      player.external_ref,
      player.ip,
      stack.operation.operation_id,
      stack.operation.key_id,
      stack.operation.secret,
    ])
      assert.ok(!all.includes(planted), planted);
    assert.doesNotMatch(all, /\b(dep|wdr|evt|op|key_test|key_live)_[0-9A-Za-z]{20,}/);
  });

  it('without PostgreSQL the gauges of the stored payments are silent, and that is counted; readiness says no', async () => {
    stack.databaseLink.cut();
    try {
      await eventually(async () => {
        texts = await scrape();
        return valueOf('worker', 'gateway_reads_failed_total') > 0;
      }, 'a failed read is counted');
      assert.ok(!parse(texts.worker).some(({ name }) => name === 'gateway_reviews_waiting'));
      assert.equal((await get(`${urls.api}/healthz`)).status, 503);
      assert.equal(
        (await get(`${urls.api}/livez`)).status,
        200,
        'a process is not restarted because its database is away',
      );
      assert.equal((await get(`${urls.worker}/livez`)).status, 200);
    } finally {
      stack.databaseLink.heal();
    }
  });

  it(
    'api: SIGTERM → not ready, but it serves on for the drain time; a request that runs gets its answer; exit code ' +
      '0 in time',
    async () => {
      await eventually(async () => (await get(`${urls.api}/healthz`)).status === 200, 'ready again');
      await setProviderOutage(stack.simulatorUrl, 'hang');
      const running = stack.client.createDeposit(newDeposit(), once());
      await sleep(1_000);
      const startedMs = Date.now();
      const ended = stack.api.stop();
      await sleep(700);
      const health = await fetch(new URL('/healthz', stack.baseUrl), { signal: AbortSignal.timeout(5_000) });
      assert.deepEqual([health.status, health.headers.get('connection')], [503, 'close']);
      assert.equal(
        (await stack.client.ping()).body.operation_id,
        stack.operation.operation_id,
        'new work is still done while the edge is leaving',
      );
      assert.equal(
        (await running).body.status,
        'created',
        'answered 202 after its budget of 7 s, long after the signal',
      );
      assert.equal(await ended, 0);
      assert.ok(Date.now() - startedMs < 14_000, `it took ${Date.now() - startedMs} ms`);
      await assert.rejects(() => get(`${urls.api}/livez`));
    },
  );

  it('worker: SIGTERM → not ready, running calls get their time, exit code 0 in time; the next worker continues', async () => {
    await stack.api.start();
    const { body: deposit } = await stack.client.createDeposit(newDeposit(), once());
    const startedMs = Date.now();
    const ended = stack.worker.stop();
    const isReady = () =>
      get(`${urls.worker}/healthz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await eventually(async () => !(await isReady()), 'not ready any more');
    assert.equal(await ended, 0);
    assert.ok(Date.now() - startedMs < 19_000, `it took ${Date.now() - startedMs} ms`);
    await setProviderOutage(stack.simulatorUrl, 'none');
    await stack.worker.start();
    await stack.receiver.waitFor(deposit.id, 'deposit.pending');
  });
});
