// Traces of the real processes, at a collector of the test's own: one trace from the client's id to the provider and
// the webhook, nothing of a person in it, no payment that minds a collector that is away, and nothing at all where
// nothing is traced.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';
import { createGatewayClient, type GatewayClient } from '../../../client/index.js';
import { SPAN_ATTRIBUTES } from '../../../platform/telemetry/spans.js';
import { TRACED_WORKFLOW_BUNDLE, WORKFLOW_BUNDLE } from '../../../worker/bundle-path.js';
import { traceSinks } from '../../../worker/traced.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { type CollectedSpan, type Collector, drawTrace, startCollector } from '../../../lab/harness/otlp-collector.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { installQuietRuntime } from '../../support/temporal.js';

const PLANTED = { name: 'Maria Plantada da Silva', email: 'maria.plantada@example.test', note: 'uma nota plantada' };
const newTraceId = () => randomBytes(16).toString('hex');

/** What a client that names its traces does. */
function clientOf(stack: Stack): { client: GatewayClient; under: (traceId: string | undefined) => GatewayClient } {
  let current: string | undefined;
  const { operation, baseUrl } = stack;
  const client = createGatewayClient({
    baseUrl,
    keyId: operation.key_id,
    secret: operation.secret,
    traceId: () => current,
  });
  return {
    client,
    under: (traceId) => {
      current = traceId;
      return client;
    },
  };
}

/** So far, or (`isEnded`) once it has ended. */
async function historyOf(stack: Stack, workflowId: string, isEnded = true) {
  const handle = stack.temporal.client.workflow.getHandle(workflowId);
  const hasEnded = async () => (await handle.describe()).status.name === 'COMPLETED';
  if (isEnded) await eventually(hasEnded, `${workflowId} ended`, 60_000);
  return handle.fetchHistory();
}

describe('traces of the real processes', function () {
  this.timeout(120_000);
  let collector: Collector;
  let stack: Stack;
  let under: (traceId: string | undefined) => GatewayClient;
  const player = { ...newPlayer(), name: PLANTED.name, email: PLANTED.email };

  before(async () => {
    collector = await startCollector();
    stack = await startStack({
      variables: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
      },
    });
    ({ under } = clientOf(stack));
  });
  after(async () => {
    await stack?.close();
    await collector?.close();
  });

  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
  const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);
  const only = (spans: readonly CollectedSpan[], name: string) =>
    named(spans, name)[0] ?? assert.fail(`no span ${name} in\n${drawTrace(spans)}`);
  /** Names from a span up to its root. */
  const way = (spans: readonly CollectedSpan[], from: CollectedSpan): string[] => {
    const parent = spans.find(({ spanId }) => spanId === from.parentSpanId);
    return [from.name, ...(parent === undefined ? [] : way(spans, parent))];
  };
  const arrived = async (traceId: string, holds: (spans: readonly CollectedSpan[]) => boolean) => {
    const isThere = await eventually(() => holds(spansOf(traceId)), 'the whole trace', 60_000).then(
      () => true,
      () => false,
    );
    assert.ok(isThere, `something of the trace is missing:\n${drawTrace(spansOf(traceId))}`);
  };
  const isWhole = (spans: readonly CollectedSpan[]) =>
    spans.every(({ parentSpanId }) => parentSpanId === '' || spans.some(({ spanId }) => spanId === parentSpanId));

  /** An event is sent by the process that stored it, unless the receiver was slow lately. */
  const assertSentBy = (spans: readonly CollectedSpan[], webhook: CollectedSpan, toRun: readonly string[]) => {
    const [, activity = '', ...above] = way(spans, webhook);
    assert.match(activity, /^activity (?!raiseAlert)/);
    assert.deepEqual(above, toRun);
  };

  const traces = { deposit: newTraceId(), withdrawal: newTraceId(), repeated: newTraceId() };
  let deposit: { id: string };
  let withdrawal: { id: string };
  let repeated: { id: string };

  it('deposit: one trace from the client’s id to the provider, its callback and both webhooks', async () => {
    const { body, headers } = await under(traces.deposit).createDeposit(
      { ...newDeposit('5000', player), metadata: { note: PLANTED.note } },
      once(),
    );
    deposit = body;
    assert.equal(headers['svc-trace-id'], traces.deposit);
    await under(undefined).sandbox.payDeposit(deposit.id, once());
    await stack.receiver.waitFor(deposit.id, 'deposit.paid');
    await arrived(
      traces.deposit,
      (spans) => named(spans, 'webhook').length === 2 && named(spans, 'callback').length === 1 && isWhole(spans),
    );
    const spans = spansOf(traces.deposit);
    assert.deepEqual(
      spans.filter(({ parentSpanId }) => parentSpanId === '').map(({ name, service }) => [name, service]),
      [['POST /deposits', 'gateway-api']],
    );
    const toRun = ['workflow deposit', 'update-with-start creation', 'POST /deposits'];
    assert.deepEqual(way(spans, only(spans, 'workflow deposit')), toRun);
    // A local activity, the call inside it, and what the provider made of it.
    const charge = ['PUT /simulator/cob/:txid', 'provider createCharge', 'activity openDeposit', ...toRun];
    assert.deepEqual(way(spans, only(spans, charge[0] ?? '')), charge);
    assert.deepEqual(way(spans, only(spans, 'signal-with-start chargeNotice')), [
      'signal-with-start chargeNotice',
      'callback',
      'call back',
      ...charge,
    ]);
    assert.deepEqual(way(spans, only(spans, 'signal chargeNotice')).slice(0, 3), [
      'signal chargeNotice',
      'signal-with-start chargeNotice',
      'callback',
    ]);
    for (const webhook of named(spans, 'webhook')) assertSentBy(spans, webhook, toRun);
    assert.deepEqual([...new Set(spans.map(({ service }) => service))].sort(), [
      'gateway-api',
      'gateway-ingress',
      'gateway-simulator',
      'gateway-worker',
    ]);
    assert.equal(only(spans, 'activity openDeposit').attributes['gateway.state'], 'pending');
    assert.equal(only(spans, 'activity lookUpChargeBriefly').attributes['gateway.state'], 'paid');
    for (const name of ['POST /deposits', 'workflow deposit', 'activity openDeposit'])
      assert.equal(only(spans, name).attributes['gateway.object_id'], deposit.id, name);
  });

  it('withdrawal: one trace from the client’s id to the one send, its callback and the webhooks', async () => {
    const { body } = await under(traces.withdrawal).createWithdrawal(newWithdrawal(player, '1000'), once());
    withdrawal = body;
    under(undefined);
    await stack.gateway('review', 'approve', withdrawal.id, '--as', 'Ana', '--reason', 'known');
    await stack.receiver.waitFor(withdrawal.id, 'withdrawal.processing');
    await under(undefined).sandbox.withdrawal(withdrawal.id, 'pay', once());
    await stack.receiver.waitFor(withdrawal.id, 'withdrawal.paid');
    await arrived(
      traces.withdrawal,
      (spans) =>
        named(spans, 'signal payoutNotice').length >= 1 && named(spans, 'webhook').length >= 4 && isWhole(spans),
    );
    const spans = spansOf(traces.withdrawal);
    const toRun = ['workflow withdrawal', 'update-with-start creation', 'POST /withdrawals'];
    const send = only(spans, 'provider sendPayout');
    assert.deepEqual(way(spans, send), ['provider sendPayout', 'activity sendPayout', ...toRun]);
    assert.equal(named(spans, 'provider sendPayout').length, 1);
    const atProvider = spans.find(
      ({ service, parentSpanId }) => service === 'gateway-simulator' && parentSpanId === send.spanId,
    );
    assert.ok(atProvider, 'the simulator goes on with the trace');
    assert.ok(named(spans, 'call back').some(({ parentSpanId }) => parentSpanId === atProvider.spanId));
    for (const webhook of named(spans, 'webhook')) assertSentBy(spans, webhook, toRun);
  });

  it('what another request wants of a payment is in the payment’s trace, linked to the request’s own', async () => {
    const [own, other] = [newTraceId(), newTraceId()];
    const { body } = await under(own).createDeposit(newDeposit('5000', player), once());
    await under(other).cancelDeposit(body.id, once());
    await arrived(own, (spans) => named(spans, 'update cancel').length === 1);
    await arrived(other, (spans) => named(spans, 'POST /deposits/:id/cancel').length === 1);
    // The next test's receiver refuses: by then it has what this one sent.
    for (const type of ['deposit.pending', 'deposit.cancelled'] as const) await stack.receiver.waitFor(body.id, type);
    const call = only(spansOf(other), 'update cancel');
    assert.deepEqual(
      only(spansOf(own), 'update cancel').links.map(({ traceId, spanId }) => [traceId, spanId]),
      [[other, call.spanId]],
    );
  });

  it('a delivery that is repeated stays in the payment’s trace', async () => {
    const traceId = traces.repeated;
    stack.receiver.answerWith(401);
    ({ body: repeated } = await under(traceId).createDeposit(newDeposit('5000', player), once()));
    await arrived(traceId, (spans) => named(spans, 'workflow webhookDelivery').length === 1);
    stack.receiver.answerWith(200);
    // The second attempt comes after ten seconds.
    await arrived(traceId, (spans) => named(spans, 'webhook').length === 2 && isWhole(spans));
    const spans = spansOf(traceId);
    const [first, second] = named(spans, 'webhook').sort((a, b) => (a.startNs < b.startNs ? -1 : 1));
    assert.deepEqual(
      [
        first?.isError,
        first?.attributes['http.response.status_code'],
        second?.isError,
        second?.attributes['gateway.attempt'],
      ],
      [true, 401, false, 2],
    );
    assert.deepEqual(way(spans, second as CollectedSpan).slice(0, 5), [
      'webhook',
      'activity deliverEvent',
      'workflow webhookDelivery',
      'start webhookDelivery',
      'activity openDeposit',
    ]);
  });

  it('a trace id that W3C does not allow is replaced; a path that is no id of ours is not repeated', async () => {
    const seen: string[] = [];
    for (const wrong of ['0'.repeat(32), 'A'.repeat(32), 'order-52998224725', '52998224725'.padEnd(33, '0')]) {
      const { headers } = await under(wrong).ping();
      seen.push(String(headers['svc-trace-id']));
      assert.notEqual(seen.at(-1), wrong);
      assert.match(seen.at(-1) ?? '', /^[0-9a-f]{32}$/);
    }
    await assert.rejects(() => under(undefined).getDeposit(`dep_${player.document.number}`));
    await eventually(
      () => named(spansOf(seen.at(-1) ?? ''), 'GET /ping').length === 1,
      'the replaced id names the trace',
    );
    await eventually(
      () => collector.spans.some(({ attributes }) => attributes['gateway.refusal'] === 'not_found'),
      'the refused read',
    );
  });

  it('log lines name the trace they belong to', () => {
    const lines = (['api', 'ingress', 'worker', 'simulator'] as const).flatMap((name) =>
      stack[name]
        .log()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string; traceId?: string; operationId?: string; alert?: string }),
    );
    const requests = lines.filter(({ msg, operationId }) => msg === 'request' && operationId !== undefined);
    const roots = new Set(
      collector.spans
        .filter(({ service, parentSpanId }) => service === 'gateway-api' && parentSpanId === '')
        .map(({ traceId }) => traceId),
    );
    assert.ok(requests.length >= 8);
    for (const { traceId } of requests)
      assert.ok(roots.has(traceId ?? ''), `the request of the log line ${traceId} has a trace`);
    // What the worker said of the webhook that was refused, it said in that payment's trace.
    const refused = lines.filter(({ alert }) => alert === 'WEBHOOK_REFUSED');
    assert.deepEqual(
      refused.map(({ traceId }) => traceId),
      [traces.repeated],
    );
  });

  it('nothing of a person, no secret and no address is in a span, and no attribute beyond the table', () => {
    const text = collector.text();
    const { secret, webhook_secret: webhookSecret } = stack.operation;
    const planted = {
      ...PLANTED,
      document: player.document.number,
      ip: player.ip,
      playerRef: player.external_ref,
      secret,
      webhookSecret,
      receiver: '/webhooks',
      query: 'SELECT',
    };
    for (const [what, value] of Object.entries(planted))
      assert.ok(!text.includes(value), `the planted ${what} was sent to the collector`);
    assert.ok(text.includes(deposit.id) && text.includes(withdrawal.id), 'the search sees into what was sent');
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    assert.deepEqual(
      [...names].filter((name) => !(name in SPAN_ATTRIBUTES)),
      [],
    );
  });

  it('traced histories carry the trace and nothing else, and replay with and without tracing', async () => {
    installQuietRuntime();
    // The last one has named a delivery workflow by an id that it drew: drawing one number more or less would show.
    const ended = [deposit, withdrawal].map(async ({ id: workflowId }) => ({
      workflowId,
      history: await historyOf(stack, workflowId),
    }));
    const histories = [
      ...(await Promise.all(ended)),
      { workflowId: repeated.id, history: await historyOf(stack, repeated.id, false) },
    ];
    for (const { workflowId, history } of histories)
      assert.ok(JSON.stringify(headersIn(history)).includes('traceparent'), `${workflowId} carries its trace`);
    for (const codePath of [WORKFLOW_BUNDLE, TRACED_WORKFLOW_BUNDLE]) {
      for await (const { workflowId, error } of Worker.runReplayHistories(
        { workflowBundle: { codePath }, sinks: traceSinks },
        histories,
      ))
        assert.equal(error, undefined, `${workflowId} in ${codePath}: ${error?.message}`);
    }
  });

  it('payments do not mind a collector that hangs, talks nonsense or is away', async () => {
    for (const how of ['never', 'nonsense', 'gone'] as const) {
      if (how === 'gone') await collector.close();
      else collector.answer(how);
      const { body } = await under(newTraceId()).createDeposit(newDeposit('5000', player), once());
      await under(undefined).sandbox.payDeposit(body.id, once());
      await stack.receiver.waitFor(body.id, 'deposit.paid');
    }
    const metrics = await (await fetch(`${stack.workerHealthUrl}/metrics`)).text();
    await eventually(
      async () =>
        /gateway_trace_spans_total\{outcome="lost"\} [1-9]/.test(
          await (await fetch(`${stack.workerHealthUrl}/metrics`)).text(),
        ),
      `lost spans are counted:\n${metrics}`,
      60_000,
    );
    const startedMs = performance.now();
    assert.equal(await stack.worker.stop(), 0);
    assert.ok(performance.now() - startedMs < 40_000, 'the end waits for no collector');
  });
});

describe('real processes without a collector', function () {
  this.timeout(120_000);
  let stack: Stack;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack?.close());

  it('leave no header in a history, and answer under the client’s trace id all the same', async () => {
    const { under } = clientOf(stack);
    const traceId = newTraceId();
    const { body, headers } = await under(traceId).createDeposit(newDeposit(), once());
    assert.equal(headers['svc-trace-id'], traceId);
    await under(undefined).sandbox.payDeposit(body.id, once());
    await stack.receiver.waitFor(body.id, 'deposit.paid');
    const history = await historyOf(stack, body.id);
    assert.deepEqual(headersIn(history), []);
    assert.ok(!JSON.stringify(history).includes('traceparent'));
  });

  it('run workflow code without a word of tracing', () => {
    assert.ok(!readFileSync(WORKFLOW_BUNDLE, 'utf8').includes('traceparent'));
    assert.ok(readFileSync(TRACED_WORKFLOW_BUNDLE, 'utf8').includes('traceparent'));
  });
});

/** The names of all headers in a history. */
function headersIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'header' && inner !== null ? Object.keys((inner as { fields?: object }).fields ?? {}) : headersIn(inner),
  );
}
