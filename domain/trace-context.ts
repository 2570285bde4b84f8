// Trace context as W3C writes it (https://www.w3.org/TR/trace-context/, version 00): which trace something belongs to, and which
// span it comes from. Pure, so that workflow code may use it.

export interface TraceContext {
  /** 32 lower-case hex characters, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex characters, not all zero. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** The header, of HTTP requests and of what Temporal carries. */
export const TRACEPARENT = 'traceparent';

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const FORM = /^00-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 0b1;

/** Whether a text is a trace id that W3C allows. */
export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}

/** Null for anything but a context in the one version that exists. */
export function parseTraceparent(text: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' ? FORM.exec(text) : null) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A workflow run's span: its run id is a UUID, and the second half of one is random. So no workflow draws a number for it. */
export function spanIdOfRun(runId: string): string {
  return traceIdOfRun(runId).slice(16);
}

/** The trace of a run that nobody's trace has started: a schedule's, or one begun while nothing was traced. */
export function traceIdOfRun(runId: string): string {
  return runId.replaceAll('-', '').toLowerCase();
}
