// A person's act, as the steps that store it are given it.
import { currentUpdateInfo } from '@temporalio/workflow';
import type { Act } from '../../contract/temporal/payment-steps.js';

/** The act of the update that is being handled. */
export function actOfThisUpdate(sealed: string): Act {
  return { id: currentUpdateInfo()?.id ?? '', sealed };
}
