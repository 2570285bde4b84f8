// Opens spans. A span contains only what these tables name. Without a collector no span is opened and the work runs
// directly. Spans belong to the process, as the clock does, so that tracing needs no wiring.
import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span as OpenSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceparent, type TraceContext, TRACEPARENT, traceparentOf } from '../../domain/trace-context.js';

/**
 * Every attribute a span can have: ids of ours, codes and numbers; never an address, a body, or anything of a person.
 */
export const SPAN_ATTRIBUTES = {
  'gateway.object_id': 'the deposit, withdrawal or change of rules, or the event that a delivery workflow delivers',
  'gateway.operation_id': 'the operation',
  'gateway.event_id': 'the event of a webhook',
  'gateway.provider': 'name of the provider',
  'gateway.contract': 'the provider’s document by which the answer is read',
  'gateway.call': 'operation of the provider port',
  'gateway.outcome': 'kind of the outcome',
  'gateway.state': 'the state that a stored transition led to',
  'gateway.refusal': 'code of the error catalogue that the request was answered with',
  'gateway.attempt': 'number of the attempt, where more than one is made',
  'gateway.run_id': 'run of the workflow',
  'http.request.method': 'method',
  'http.route': 'route template',
  'http.response.status_code': 'HTTP status of the answer',
  'error.type': 'class of the error, or a code of ours; never its text',
} as const;

export type SpanAttributes = { readonly [Name in keyof typeof SPAN_ATTRIBUTES]?: string | number | undefined };

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

export interface SpanOpening {
  /** One of few: ids belong into attributes. */
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  readonly attributes?: SpanAttributes;
  /** Defaults to the span that is open here, if any. */
  readonly parent?: TraceContext | undefined;
  /** Begins a trace with this id, even inside an open span. */
  readonly traceId?: string | undefined;
}

/** A finished span, reported by code that cannot open spans itself. */
export interface PastSpan extends Pick<SpanOpening, 'name' | 'kind' | 'attributes'> {
  readonly parent: TraceContext;
  readonly startMs: number;
  readonly endMs: number;
  /** Defaults to a new one. */
  readonly spanId?: string;
  /** Links to causes in other traces. */
  readonly link?: TraceContext | undefined;
}

export interface Span {
  /** `false` when nothing is traced, so that callers can skip collecting attributes. */
  readonly isOpen: boolean;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** It did not do what it was for; `type` is a class or a code. */
  fail(type: string): void;
}

const NO_SPAN: Span = { isOpen: false, set: () => undefined, rename: () => undefined, fail: () => undefined };
const ERROR_CLASS = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Which ids the next span gets; a tracer's id generator asks. */
export interface ChosenIds {
  traceId: string | undefined;
  spanId: string | undefined;
}

let traced: { readonly tracer: Tracer; readonly chosen: ChosenIds } | undefined;

/** Set by tracing.ts, once; undefined ends it. */
export function useTracer(tracer: Tracer | undefined, chosen: ChosenIds): void {
  traced = tracer === undefined ? undefined : { tracer, chosen };
}

/** Runs work inside a span. An exception is recorded by its class name and rethrown. */
export async function inSpan<T>(opening: SpanOpening, work: (span: Span) => Promise<T>): Promise<T> {
  if (traced === undefined) return work(NO_SPAN);
  const parent =
    opening.traceId !== undefined
      ? ROOT_CONTEXT
      : opening.parent === undefined
        ? context.active()
        : contextOf(opening.parent);
  const open = start(opening, parent, { traceId: opening.traceId, spanId: undefined });
  const span = wrap(open);
  try {
    return await context.with(trace.setSpan(parent, open), () => work(span));
  } catch (error) {
    span.fail(errorClassOf(error));
    throw error;
  } finally {
    open.end();
  }
}

/** Called when a span has ended. */
export function recordSpan({ parent, startMs, endMs, spanId, link, ...opening }: PastSpan): void {
  if (traced === undefined) return;
  start(
    opening,
    contextOf(parent),
    { traceId: undefined, spanId },
    { startTime: new Date(startMs), links: link === undefined ? [] : [{ context: spanContextOf(link) }] },
  ).end(new Date(endMs));
}

/** Adds to the span that is open here. */
export function annotateSpan(attributes: SpanAttributes): void {
  if (traced === undefined) return;
  const open = trace.getSpan(context.active());
  if (open !== undefined) wrap(open).set(attributes);
}

/** The current span, to pass it to another process. */
export function activeTrace(): TraceContext | null {
  if (traced === undefined) return null;
  const open = trace.getSpan(context.active())?.spanContext();
  return open === undefined
    ? null
    : { traceId: open.traceId, spanId: open.spanId, isSampled: (open.traceFlags & TraceFlags.SAMPLED) !== 0 };
}

/** The header that takes the trace on to another process; none where nothing is traced. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const active = activeTrace();
  return active === null ? {} : { [TRACEPARENT]: traceparentOf(active) };
}

/** The trace of a request that came with one; null where it did not, or where nothing is traced. */
export function traceOf(headers: Readonly<Record<string, unknown>>): TraceContext | null {
  return traced === undefined ? null : parseTraceparent(headers[TRACEPARENT]);
}

/** The trace fields of a log line. */
export function traceLogFields(): { readonly traceId?: string } {
  const active = activeTrace();
  return active === null ? {} : { traceId: active.traceId };
}

function start(
  opening: Omit<SpanOpening, 'parent' | 'traceId'>,
  parent: Context,
  ids: ChosenIds,
  more: object = {},
): OpenSpan {
  const { tracer, chosen } = traced as NonNullable<typeof traced>;
  // Nothing else runs before the tracer requests its two ids.
  Object.assign(chosen, ids);
  const open = tracer.startSpan(
    opening.name,
    { kind: KINDS[opening.kind], attributes: present(opening.attributes ?? {}), ...more },
    parent,
  );
  Object.assign(chosen, { traceId: undefined, spanId: undefined });
  return open;
}

function wrap(open: OpenSpan): Span {
  return {
    isOpen: true,
    set: (attributes) => void open.setAttributes(present(attributes)),
    rename: (name) => void open.updateName(name),
    fail: (type) => void open.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
  };
}

function present(attributes: SpanAttributes): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

function contextOf(parent: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

function spanContextOf({ traceId, spanId, isSampled }: TraceContext) {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function errorClassOf(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error;
  return ERROR_CLASS.test(name) ? name : 'Error';
}
