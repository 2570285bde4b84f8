// The four roles of a Temporal cluster, and the ports of each.

export const TEMPORAL_ROLES = ['frontend', 'history', 'matching', 'worker'] as const;
export type TemporalRole = (typeof TEMPORAL_ROLES)[number];

/** Where the roles listen: gRPC, membership and metrics. */
export interface TemporalPorts {
  readonly temporalPorts: Readonly<
    Record<TemporalRole, { readonly grpc: number; readonly membership: number; readonly metrics: number }>
  >;
}

/** Where the role `worker` reaches the others while the frontend knows its callers; the same process serves it. */
export interface InternalFrontend {
  readonly internalFrontend: { readonly grpc: number; readonly membership: number };
}
