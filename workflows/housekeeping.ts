// The daily housekeeping: checks the ages of keys and webhook secrets, and removes what is past its retention.
import { setCurrentDetails } from '@temporalio/workflow';
import type { HousekeepingResult } from '../contract/temporal/scheduled-work.js';
import { step } from './steps/step.js';

export async function housekeeping(): Promise<HousekeepingResult> {
  const { raised, resolved } = await step.checkSecretAges({});
  const removed = await step.applyRetention({});
  setCurrentDetails(
    `ages of keys and webhook secrets: ${raised} alerts raised, ${resolved} resolved; removed: ` +
      `${removed.callbacksRemoved} callbacks, histories of ${removed.playersErased} erased players`,
  );
  return { rotationAlertsRaised: raised, rotationAlertsResolved: resolved, ...removed };
}
