// The daily housekeeping: checks the ages of keys and webhook secrets, and removes what is past its retention.
import { setCurrentDetails } from '@temporalio/workflow';
import type { HousekeepingResult } from '../contract/temporal/scheduled-work.js';
import { retention, rotation } from './steps/activity-proxies.js';

export async function housekeeping(): Promise<HousekeepingResult> {
  const { raised, resolved } = await rotation.checkSecretAges('check the ages of keys and webhook secrets', {});
  const removed = await retention.applyRetention('remove what is past its retention', {});
  setCurrentDetails(
    `ages of keys and webhook secrets: ${raised} alerts raised, ${resolved} resolved; removed: ` +
      `${removed.callbacksRemoved} callbacks, histories of ${removed.playersErased} erased players`,
  );
  return { rotationAlertsRaised: raised, rotationAlertsResolved: resolved, ...removed };
}
