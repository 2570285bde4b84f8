// Where a process sends its spans: OpenTelemetry's own variables. Without an endpoint nothing is traced.
import { z } from 'zod';
import { SAMPLER_NAMES, type TracingOptions } from '../telemetry/tracing-options.js';
import type { MetricProcess } from '../telemetry/metrics.js';

const variables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
    .refine((text) => !/[?#]/.test(text) && new URL(text).username === '', 'must have no user, query or fragment')
    .optional()
    .meta({
      description:
        'where a collector takes OTLP over HTTP, such as `http://127.0.0.1:4318`; `/v1/traces` is put behind it. ' +
        'Without it nothing is traced',
    }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform(
      (text, context) =>
        readHeaders(text) ??
        (context.addIssue({ code: 'custom', message: 'must look like name=value,name=value, each name once' }),
        z.NEVER),
    )
    .meta({ description: 'headers for the collector, such as a key: `name=value,name=value`, percent-encoded' }),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(10_000)
    .meta({ description: 'milliseconds for one batch, including retries (default 10000)' }),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce
    .number()
    .int()
    .min(1)
    .max(60_000)
    .default(5_000)
    .meta({ description: 'milliseconds that spans wait to form a batch (default 5000)' }),
  OTEL_SERVICE_NAME: z.string().max(100).optional().meta({
    description:
      '`service.name` (default `gateway-api`, `gateway-ingress`, `gateway-panel`, `gateway-worker`, `gateway-simulator`)',
  }),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLER_NAMES)
    .default('parentbased_always_on')
    .meta({ description: 'which traces are kept (default `parentbased_always_on`: all)' }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: 'the share of traces that a `…traceidratio` sampler keeps (default 1)' }),
  OTEL_SDK_DISABLED: z
    .stringbool({ error: 'must be true or false' })
    .default(false)
    .meta({ description: '`true`: nothing is traced, whatever else is set' }),
});

/** Each variable and what it is for: the documentation and docker-compose.yml have all of them. */
export const TRACING_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(variables.shape).map(([name, schema]) => [name, schema.meta()?.description ?? '']),
);

/** The tracing of a process; null where nothing is traced. */
export const tracingSchema = (process: MetricProcess) =>
  variables.transform((given): TracingOptions | null => {
    if (given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || given.OTEL_SDK_DISABLED) return null;
    return Object.freeze({
      url: `${given.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')}/v1/traces`,
      headers: given.OTEL_EXPORTER_OTLP_HEADERS,
      timeoutMs: given.OTEL_EXPORTER_OTLP_TIMEOUT,
      delayMs: given.OTEL_BSP_SCHEDULE_DELAY,
      serviceName: given.OTEL_SERVICE_NAME ?? `gateway-${process}`,
      sampler: given.OTEL_TRACES_SAMPLER,
      ratio: given.OTEL_TRACES_SAMPLER_ARG,
    });
  });

function readHeaders(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  const names = new Set<string>();
  for (const item of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^\s*([A-Za-z0-9-]{1,64})=([\x21-\x7e]{1,4096})\s*$/.exec(item) ?? [];
    if (name === undefined || value === undefined || names.has(name.toLowerCase())) return null;
    names.add(name.toLowerCase());
    try {
      headers[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return headers;
}
