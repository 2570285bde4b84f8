// The payment providers by name: each has a dialect, variables and a task queue of its own.
export const PROVIDER_NAMES = ['simulator', 'a', 'b'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];
