// The check, every minute, that every event was attempted whose first attempt its process made from memory: its
// schedule, its workflow's name and result.

export const DELIVERY_CHECK_WORKFLOW = 'deliveryCheck';
/** The Temporal schedule's id; its runs are `delivery-check-<time>`. */
export const DELIVERY_CHECK_SCHEDULE = 'delivery-check';

/** An event that is younger is left out: its first attempt may be under way. */
export const ATTEMPTED_AFTER_SECONDS = 30;

export interface DeliveryCheckResult {
  /** Events whose delivery a workflow continues: their first attempt was lost, or failed and was not repeated. */
  readonly resumed: number;
  /** Events up to this moment were checked, RFC 3339. */
  readonly through: string;
}
