// Traces through Temporal: a header with a traceparent, and the sinks by which workflow code reports to its worker.
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Sinks } from '@temporalio/workflow';
import { parseTraceparent, type TraceContext, TRACEPARENT, traceparentOf } from '../../domain/trace-context.js';

/** The header that carries a trace; empty for null. */
export function headersOf(trace: TraceContext | null): Headers {
  return trace === null ? {} : { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparentOf(trace)) };
}

/** The trace of a call; null without one. */
export function traceIn(headers: Headers): TraceContext | null {
  const payload = headers[TRACEPARENT];
  return payload === undefined ? null : parseTraceparent(defaultPayloadConverter.fromPayload(payload));
}

/** Called once each by workflow code, never during a replay. */
export interface TraceSinks extends Sinks {
  trace: {
    /** The run's first task started, at this workflow time. `caller`: the span that started the run. */
    begun(caller: TraceContext, atMs: number): void;
    /** A message was accepted. `own`: the run's span; null without one. */
    taken(kind: 'signal' | 'update', name: string, caller: TraceContext, own: TraceContext | null, atMs: number): void;
  };
}
