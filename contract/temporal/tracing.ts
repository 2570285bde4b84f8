// How a trace passes through Temporal: one header with a traceparent, and what workflow code tells its worker about itself.
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Sinks } from '@temporalio/workflow';
import { parseTraceparent, type TraceContext, TRACEPARENT, traceparentOf } from '../../domain/trace-context.js';

/** The headers of a call that carries a trace; none for null. */
export function headersOf(trace: TraceContext | null): Headers {
  return trace === null ? {} : { [TRACEPARENT]: defaultPayloadConverter.toPayload(traceparentOf(trace)) };
}

/** The trace that a call came with; null where it came without one. */
export function traceIn(headers: Headers): TraceContext | null {
  const payload = headers[TRACEPARENT];
  return payload === undefined ? null : parseTraceparent(defaultPayloadConverter.fromPayload(payload));
}

/** Heard by the worker, once for each, never during a replay. */
export interface TraceSinks extends Sinks {
  trace: {
    /** The run's first task, at this workflow time. `caller`: the span that started the run. */
    begun(caller: TraceContext, atMs: number): void;
    /** A message was taken. `own`: the run's span; null where it has none. */
    taken(kind: 'signal' | 'update', name: string, caller: TraceContext, own: TraceContext | null, atMs: number): void;
  };
}
