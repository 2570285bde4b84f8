// W3C trace context: what is taken, what is not, and the ids of a run.
import assert from 'node:assert/strict';
import {
  isTraceId,
  parseTraceparent,
  spanIdOfRun,
  traceIdOfRun,
  TRACEPARENT,
  traceparentOf,
} from '../../../domain/trace-context.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';

describe('trace context', () => {
  it('a traceparent is read and written', () => {
    for (const [flags, isSampled] of [
      ['01', true],
      ['00', false],
    ] as const) {
      const text = `00-${TRACE_ID}-${SPAN_ID}-${flags}`;
      assert.deepEqual(parseTraceparent(text), { traceId: TRACE_ID, spanId: SPAN_ID, isSampled });
      assert.equal(traceparentOf({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled }), text);
    }
    assert.equal(parseTraceparent(`00-${TRACE_ID}-${SPAN_ID}-03`)?.isSampled, true);
  });

  it('ids may begin with zeros', () => {
    const ids = { traceId: `0${TRACE_ID.slice(1)}`, spanId: SPAN_ID, isSampled: true };
    assert.deepEqual(parseTraceparent(`00-${ids.traceId}-${ids.spanId}-01`), ids);
  });

  it('travels under the name that W3C gives it', () => assert.equal(TRACEPARENT, 'traceparent'));

  const wrong = [
    '',
    `01-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${SPAN_ID}-01-x`,
    `00-${TRACE_ID}-${SPAN_ID}`,
    `x00-${TRACE_ID}-${SPAN_ID}-01`,
    [`00-${TRACE_ID}-${SPAN_ID}-01`],
    ['00'],
    null,
    7,
  ];
  for (const text of wrong) it(`${JSON.stringify(text)} is none`, () => assert.equal(parseTraceparent(text), null));

  it('a trace id is 32 lower-case hex characters, not all zero', () => {
    assert.ok(isTraceId(TRACE_ID));
    for (const text of [
      '0'.repeat(32),
      TRACE_ID.toUpperCase(),
      TRACE_ID.slice(1),
      `${TRACE_ID}0`,
      `${TRACE_ID}\n`,
      ` ${TRACE_ID}`,
    ])
      assert.ok(!isTraceId(text), JSON.stringify(text));
  });

  it('a run’s ids come from its run id alone', () => {
    const runId = '019AA5EC-8C5F-7D3A-9B0C-6E1F2A3B4C5D';
    assert.equal(traceIdOfRun(runId), '019aa5ec8c5f7d3a9b0c6e1f2a3b4c5d');
    assert.equal(spanIdOfRun(runId), '9b0c6e1f2a3b4c5d');
    assert.ok(isTraceId(traceIdOfRun(runId)));
  });
});
