// The options of tracing, and the handle that a process gets when tracing has started.

/** The standard's names (OTEL_TRACES_SAMPLER). */
export const SAMPLER_NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLER_NAMES)[number];

export interface TracingOptions {
  /** Where spans are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For one batch, repeats included. */
  readonly timeoutMs: number;
  /** How long a span waits for others before the batch is sent. */
  readonly delayMs: number;
  readonly serviceName: string;
  readonly sampler: SamplerName;
  /** The sampler's argument, if it takes one. */
  readonly ratio: number;
}

export interface Tracing {
  readonly isOn: boolean;
  /** Sends what is queued, within two seconds. Never rejects. */
  stop(): Promise<void>;
}
