// What the tables of alerts say of each.

/**
 * How grave an alert is, the gravest first. `abuse`: somebody may be misusing the gateway, a person of its staff
 * included. So nobody ends it whom it is about, and it is always sent on (decision 0025).
 */
export const ALERT_CLASSES = ['abuse', 'critical', 'error', 'warning'] as const;
export type AlertClass = (typeof ALERT_CLASSES)[number];

export interface AlertDefinition {
  readonly meaning: string;
  readonly safeAction: string;
  /** The gateway resolves a condition when it ends. A person resolves an incident. */
  readonly kind: 'condition' | 'incident';
  readonly class: AlertClass;
}

/** What an alert records of its case: made of the table of records (alert-records.ts), and of nothing else. */
export type RecordText = string & { readonly madeOfTable: true };
