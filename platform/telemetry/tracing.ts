// Whether a process is traced, and how. The code that sends spans is loaded only when they are sent.
import type { Tracing, TracingOptions } from './tracing-options.js';

/** Starts tracing this process; without options nothing is traced. */
export async function startTracing(options: TracingOptions | null): Promise<Tracing> {
  if (options === null) return { isOn: false, stop: () => Promise.resolve() };
  const { startExport } = await import('./span-export.js');
  return startExport(options);
}
