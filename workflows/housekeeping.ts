// The daily housekeeping: checks the ages of keys and webhook secrets.
import { setCurrentDetails } from '@temporalio/workflow';
import type { HousekeepingResult } from '../contract/temporal/housekeeping.js';
import { rotation } from './steps/activity-proxies.js';
import { now } from './steps/clock.js';

export async function housekeeping(): Promise<HousekeepingResult> {
  const summary = 'check the ages of keys and webhook secrets';
  const { raised, resolved } = await rotation.checkSecretAges(summary, { at: now() });
  setCurrentDetails(`ages of keys and webhook secrets: ${raised} alerts raised, ${resolved} resolved`);
  return { rotationAlertsRaised: raised, rotationAlertsResolved: resolved };
}
