// The daily housekeeping: checks the ages of keys and webhook secrets, and removes what is past its retention.
import { setCurrentDetails } from '@temporalio/workflow';
import type { HousekeepingResult } from '../contract/temporal/housekeeping.js';
import { retention, rotation } from './steps/activity-proxies.js';
import { now } from './steps/clock.js';

export async function housekeeping(): Promise<HousekeepingResult> {
  const { raised, resolved } = await rotation.checkSecretAges('check the ages of keys and webhook secrets', {
    at: now(),
  });
  const removed = await retention.applyRetention('remove what is past its retention', { at: now() });
  setCurrentDetails(
    `ages of keys and webhook secrets: ${raised} alerts raised, ${resolved} resolved; removed: ` +
      `${removed.callbacksRemoved} callbacks, histories of ${removed.playersErased} erased players`,
  );
  return { rotationAlertsRaised: raised, rotationAlertsResolved: resolved, ...removed };
}
