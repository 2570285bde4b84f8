// A person's act on a payment, and what comes of an act: a change to store, or why there is none.
import type { StaffAct } from '../staff.js';

/** A person's act: its id, the act stored under it (`null` if there is none), and when it is done. */
export interface PersonAct {
  readonly actId: string;
  readonly stored: StaffAct | null;
  /** RFC 3339. */
  readonly at: string;
}

/** A change to store; `done` if it is stored already; or why nothing changes. */
export type ActResult<Change extends object, Refusal extends string> = Change | 'done' | Refusal;
