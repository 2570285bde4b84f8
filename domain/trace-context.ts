// W3C Trace Context, version 00 (https://www.w3.org/TR/trace-context/). Pure, so that workflow code may use it.

export interface TraceContext {
  /** 32 lower-case hex characters, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex characters, not all zero. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** The name of the header, in HTTP and in Temporal. */
export const TRACEPARENT = 'traceparent';

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const FORM = /^00-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 0b1;

/** Whether the text is a valid trace id. */
export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}

/** Parses a traceparent; `null` for any other value or version. */
export function parseTraceparent(text: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' ? FORM.exec(text) : null) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * A workflow run's span id: the second half of its run id, a UUID whose second half is random. So workflow code draws
 * no random number.
 */
export function spanIdOfRun(runId: string): string {
  return traceIdOfRun(runId).slice(16);
}

/** The trace id of a run that was started without a trace, such as by a schedule. */
export function traceIdOfRun(runId: string): string {
  return runId.replaceAll('-', '').toLowerCase();
}

/** The placeholder for a trace's id in the address of the trace viewer. */
export const TRACE_PLACE = '{trace}';
