// The engine's thresholds of one currency, as rules compare them and decisions store them. `null` turns one off.

export interface WindowLimits {
  readonly reviewMinor: bigint | null;
  readonly reviewCount: number | null;
  readonly maxMinor: bigint | null;
  readonly maxCount: number | null;
}

/** `d7` and `d30` are rolling: 7 and 30 times 24 hours before the decision. `day` is the local day. */
export interface Windows {
  readonly day: WindowLimits;
  readonly d7: WindowLimits;
  readonly d30: WindowLimits;
}

export interface VipLimits {
  readonly maxPerWithdrawalMinor: bigint | null;
  readonly maxPerDayMinor: bigint | null;
}

export interface EngineThresholds {
  readonly autoSuspended: boolean;
  readonly autoHoursPolicy: 'wait' | 'review';
  readonly dualApprovalReasons: readonly string[];
  readonly windows: Windows;
  readonly velocity: {
    readonly windowMinutes: number;
    readonly reviewAbove: number | null;
    readonly refuseAbove: number | null;
  } | null;
  readonly maxDestinations30d: number | null;
  readonly operationAutoCap: { readonly perHourMinor: bigint | null; readonly perDayMinor: bigint | null };
  readonly vipTiers: Readonly<Record<string, VipLimits>>;
  readonly structuring: {
    readonly thresholdMinor: bigint;
    readonly marginPercent: number;
    readonly minCount: number;
    readonly windowDays: number;
  } | null;
  readonly rapidTurnaround: {
    readonly withinMinutes: number;
    readonly similarityPercent: number;
    readonly minCount: number;
    readonly windowDays: number;
  } | null;
  readonly noPlayReview: boolean;
  readonly sharedPayerPlayers: number | null;
  readonly maxPayers30d: number | null;
  readonly depositWindows: Windows;
  readonly depositUnpaid: { readonly windowMinutes: number; readonly maxCount: number } | null;
}

const NO_LIMITS: WindowLimits = { reviewMinor: null, reviewCount: null, maxMinor: null, maxCount: null };
const NO_WINDOWS: Windows = { day: NO_LIMITS, d7: NO_LIMITS, d30: NO_LIMITS };

/** The thresholds of an operation without an engine configuration. */
export const ENGINE_DEFAULTS: EngineThresholds = {
  autoSuspended: false,
  autoHoursPolicy: 'wait',
  dualApprovalReasons: [],
  windows: NO_WINDOWS,
  velocity: null,
  maxDestinations30d: null,
  operationAutoCap: { perHourMinor: null, perDayMinor: null },
  vipTiers: {},
  structuring: null,
  rapidTurnaround: null,
  noPlayReview: true,
  sharedPayerPlayers: null,
  maxPayers30d: null,
  depositWindows: NO_WINDOWS,
  depositUnpaid: null,
};

/** The engine thresholds of a decision, with defaults. */
export function engineOf({ engine }: { readonly engine?: EngineThresholds | undefined }): EngineThresholds {
  return engine ?? ENGINE_DEFAULTS;
}
