// The check, every minute, of the first attempts that processes make from memory. A delivery that was lost with its
// process continues in a workflow.
import { setCurrentDetails } from '@temporalio/workflow';
import type { DeliveryCheckResult } from '../contract/temporal/delivery-check.js';
import { deliveryChecks } from './steps/activity-proxies.js';

export async function deliveryCheck(): Promise<DeliveryCheckResult> {
  const result = await deliveryChecks.checkDeliveries('look for events that were not attempted', {});
  setCurrentDetails(`${result.resumed} deliveries resumed · events through ${result.through}`);
  return result;
}
