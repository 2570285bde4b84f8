// Sends spans to an OpenTelemetry collector (OTLP over HTTP): from a bounded queue, each batch in bounded time. A
// collector that is slow, unreachable or answers nonsense costs only spans.
import { hostname } from 'node:os';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { count } from './instruments.js';
import { type ChosenIds, useTracer } from './spans.js';
import type { SamplerName, Tracing, TracingOptions } from './tracing-options.js';

const SAMPLERS = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
} as const satisfies Record<SamplerName, (ratio: number) => Sampler>;

const QUEUE_SPANS = 4_096;
const BATCH_SPANS = 512;
const ATTRIBUTE_MAX_LENGTH = 128;
/** How long to wait for queued spans when the process ends. */
const FAREWELL_MS = 2_000;

/** Starts the export; spans are opened from now on. */
export function startExport(options: TracingOptions): Tracing {
  const chosen: ChosenIds = { traceId: undefined, spanId: undefined };
  const random = new RandomIdGenerator();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    sampler: SAMPLERS[options.sampler](options.ratio),
    idGenerator: {
      generateTraceId: () => chosen.traceId ?? random.generateTraceId(),
      generateSpanId: () => chosen.spanId ?? random.generateSpanId(),
    },
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_MAX_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: counted(
          new OTLPTraceExporter({
            url: options.url,
            headers: { ...options.headers },
            timeoutMillis: options.timeoutMs,
          }),
        ),
        maxQueueSize: QUEUE_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        scheduledDelayMillis: options.delayMs,
        exportTimeoutMillis: options.timeoutMs,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  useTracer(provider.getTracer('gateway'), chosen);
  return {
    isOn: true,
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, FAREWELL_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      useTracer(undefined, chosen);
      context.disable();
    },
  };
}

/**
 * The same exporter; what becomes of its batches is counted. Reasons stay inside: they can hold what a collector
 * answered.
 */
function counted(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        count(
          'gateway_trace_spans_total',
          { outcome: result.code === ExportResultCode.SUCCESS ? 'sent' : 'lost' },
          spans.length,
        );
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
