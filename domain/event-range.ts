// A span of time whose events are delivered again.

export const EVENT_SELECTIONS = ['undelivered', 'all'] as const;
export type EventSelection = (typeof EVENT_SELECTIONS)[number];

/** The events of an operation that are delivered again. */
export interface EventRange {
  readonly operationId: string;
  /** RFC 3339; the first moment that belongs to it, and the first that does not. */
  readonly from: string;
  readonly to: string;
  /** `undelivered`: only events that the endpoint has never accepted. */
  readonly selection: EventSelection;
}
