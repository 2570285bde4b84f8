// An OpenTelemetry collector for tests: takes OTLP over HTTP as JSON and keeps the spans; or hangs, or answers
// nonsense.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** `service.name` of the process. */
  readonly service: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Trace and span ids that it is linked to. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  readonly startNs: bigint;
  readonly endNs: bigint;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Every byte that was sent here. */
  text(): string;
  /** How many requests came. */
  requests(): number;
  answer(how: 'ok' | 'never' | 'nonsense'): void;
  close(): Promise<void>;
}

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}
interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'links' | 'parentSpanId'> {
  readonly parentSpanId?: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly links?: CollectedSpan['links'];
  readonly status?: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const spans: CollectedSpan[] = [];
  let how: 'ok' | 'never' | 'nonsense' = 'ok';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      bodies.push(JSON.stringify(request.headers) + body);
      if (how === 'ok') spans.push(...spansOf(JSON.parse(body) as OtlpRequest));
      if (how !== 'never')
        response
          .writeHead(how === 'ok' ? 200 : 400, { 'content-type': 'application/json' })
          .end(how === 'ok' ? '{}' : '<html>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join('\n'),
    requests: () => bodies.length,
    answer: (next) => {
      how = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function spansOf({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        service,
        attributes: attributesOf(span.attributes ?? []),
        links: span.links ?? [],
        isError: span.status?.code === 2,
        startNs: BigInt(span.startTimeUnixNano),
        endNs: BigInt(span.endTimeUnixNano),
      }));
  });
}

function attributesOf(attributes: readonly OtlpAttribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
}

/** The spans of a trace as a tree, one line each: name, service, duration. */
export function drawTrace(spans: readonly CollectedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const first = spans.reduce(
    (earliest, { startNs }) => (startNs < earliest ? startNs : earliest),
    spans[0]?.startNs ?? 0n,
  );
  const milliseconds = (ns: bigint) => Number(ns / 1_000_000n);
  const draw = (span: CollectedSpan, depth: number): string[] => {
    const said = ['http.response.status_code', 'gateway.outcome', 'gateway.state']
      .map((name) => span.attributes[name])
      .filter((value) => value !== undefined);
    const what = `${'  '.repeat(depth)}${span.name}${said.length > 0 ? ` (${said.join(', ')})` : ''}`;
    const line =
      `${what.padEnd(66)} ${span.service.padEnd(18)} +${String(milliseconds(span.startNs - first)).padStart(5)} ms ` +
      `${String(milliseconds(span.endNs - span.startNs)).padStart(6)} ms`;
    return [line, ...childrenOf(span.spanId).flatMap((child) => draw(child, depth + 1))];
  };
  const inOrder = (some: readonly CollectedSpan[]) => [...some].sort((a, b) => (a.startNs < b.startNs ? -1 : 1));
  const childrenOf = (id: string) => inOrder(spans.filter(({ parentSpanId }) => parentSpanId === id));
  return inOrder(spans.filter(({ parentSpanId }) => !known.has(parentSpanId)))
    .flatMap((root) => draw(root, 0))
    .join('\n');
}
