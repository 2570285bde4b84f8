// Spans of one process: what they carry, what the sampler keeps, and a collector that is in trouble.
import assert from 'node:assert/strict';
import {
  activeTrace,
  annotateSpan,
  inSpan,
  recordSpan,
  traceHeaders,
  traceOf,
} from '../../../platform/telemetry/spans.js';
import { startTracing } from '../../../platform/telemetry/tracing.js';
import type { Tracing, TracingOptions } from '../../../platform/telemetry/tracing-options.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { type Collector, startCollector } from '../../../lab/harness/otlp-collector.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = { traceId: TRACE_ID, spanId: '00f067aa0ba902b7', isSampled: true };

describe('tracing', () => {
  let collector: Collector;
  let tracing: Tracing;
  beforeEach(async () => {
    collector = await startCollector();
  });
  afterEach(async () => {
    await tracing.stop();
    await collector.close();
  });

  const begin = async (more: Partial<TracingOptions> = {}) => {
    tracing = await startTracing({
      url: `${collector.url}/v1/traces`,
      headers: { 'api-key': 'of the collector' },
      timeoutMs: 300,
      delayMs: 10,
      serviceName: 'gateway-test',
      sampler: 'parentbased_always_on',
      ratio: 1,
      ...more,
    });
  };

  it('nothing is opened, carried or sent while it is off', async () => {
    tracing = await startTracing(null);
    assert.equal(tracing.isOn, false);
    await inSpan({ name: 'work', kind: 'internal', traceId: TRACE_ID }, async (span) => {
      span.set({ 'gateway.state': 'paid' });
      assert.equal(activeTrace(), null);
      assert.deepEqual(traceHeaders(), {});
      assert.equal(traceOf({ traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` }), null);
    });
    assert.equal(collector.requests(), 0);
  });

  it('a root takes the id that was chosen, what is inside hangs under it, and the next root does not', async () => {
    await begin();
    await inSpan({ name: 'outer', kind: 'server', traceId: TRACE_ID }, () =>
      inSpan({ name: 'inner', kind: 'client', attributes: { 'gateway.call': 'createCharge' } }, async () => {
        annotateSpan({ 'gateway.state': 'paid' });
        assert.deepEqual(traceHeaders(), { traceparent: `00-${TRACE_ID}-${activeTrace()?.spanId}-01` });
      }),
    );
    await inSpan({ name: 'another', kind: 'internal' }, () => Promise.resolve());
    await tracing.stop();
    const [inner, outer, another] = collector.spans;
    assert.deepEqual(
      [inner?.name, inner?.traceId, inner?.parentSpanId, inner?.attributes],
      ['inner', TRACE_ID, outer?.spanId, { 'gateway.call': 'createCharge', 'gateway.state': 'paid' }],
    );
    assert.deepEqual(
      [outer?.name, outer?.traceId, outer?.parentSpanId, outer?.service],
      ['outer', TRACE_ID, '', 'gateway-test'],
    );
    assert.notEqual(another?.traceId, TRACE_ID);
    assert.ok(collector.text().includes('of the collector'));
  });

  it('an exception leaves its class and no word of its text', async () => {
    await begin();
    const work = () => Promise.reject(new RangeError('52998224725 is out of range'));
    await assert.rejects(() => inSpan({ name: 'work', kind: 'internal' }, work), RangeError);
    class Odd extends Error {
      override readonly name = 'Maria da Silva';
    }
    await assert.rejects(() => inSpan({ name: 'work', kind: 'internal' }, () => Promise.reject(new Odd('x'))));
    await tracing.stop();
    assert.deepEqual(
      collector.spans.map(({ isError, attributes }) => [isError, attributes['error.type']]),
      [
        [true, 'RangeError'],
        [true, 'Error'],
      ],
    );
    assert.ok(!collector.text().includes('52998224725') && !collector.text().includes('Maria'));
  });

  it('a finished span is recorded with its own id, times and link', async () => {
    await begin();
    const link = { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16), isSampled: true };
    recordSpan({
      name: 'run',
      kind: 'consumer',
      parent: CALLER,
      spanId: 'abcdefabcdefabcd',
      startMs: 1_000,
      endMs: 3_500,
      link,
    });
    await tracing.stop();
    const [span] = collector.spans;
    assert.deepEqual(
      [span?.spanId, span?.parentSpanId, span?.traceId, span?.startNs, span?.endNs],
      ['abcdefabcdefabcd', CALLER.spanId, TRACE_ID, 1_000_000_000n, 3_500_000_000n],
    );
    assert.deepEqual(
      span?.links.map(({ traceId, spanId }) => [traceId, spanId]),
      [[link.traceId, link.spanId]],
    );
  });

  it('what the sampler does not keep is not sent, and continues as not kept', async () => {
    await begin({ sampler: 'parentbased_traceidratio', ratio: 0 });
    await inSpan({ name: 'dropped', kind: 'server', traceId: TRACE_ID }, async () =>
      assert.match(traceHeaders()['traceparent'] ?? '', new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`)),
    );
    await inSpan({ name: 'of a caller that keeps', kind: 'server', parent: CALLER }, () => Promise.resolve());
    await tracing.stop();
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['of a caller that keeps'],
    );
  });

  it('a collector that hangs holds up neither the work nor, for longer than two seconds, the end; what waits is bounded', async () => {
    collector.answer('never');
    await begin({ timeoutMs: 60_000 });
    const startedMs = performance.now();
    for (let count = 0; count < 20_000; count += 1)
      await inSpan({ name: 'work', kind: 'internal' }, () => Promise.resolve());
    await eventually(() => collector.requests() > 0, 'a batch left');
    const stopsMs = performance.now();
    await tracing.stop();
    assert.ok(performance.now() - stopsMs < 5_000, 'the end waits for two seconds only');
    assert.ok(stopsMs - startedMs < 15_000, 'the work goes on');
    // The queue's 4,096 spans and the batch that was under way.
    const sent = (collector.text().match(/"spanId"/g) ?? []).length;
    assert.ok(sent <= 4_096 + 512, `${sent} spans were kept for a collector that takes none`);
  }).timeout(40_000);

  it('a collector that is away costs the spans', async () => {
    await begin({ url: 'http://127.0.0.1:9/v1/traces' });
    assert.equal(await inSpan({ name: 'work', kind: 'internal' }, () => Promise.resolve('done')), 'done');
    await tracing.stop();
  });
});
