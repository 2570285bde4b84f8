// Activities as a worker offers them, for tests that build their own: with the time, and without alerts.
import { type Clock, intercepted, type UndatedActivities } from '../../activities/intercepted.js';
import { OperationClocks } from '../../activities/operation-clocks.js';

export function offeredAt<Activities extends object>(
  clock: Clock,
  activities: Activities,
): UndatedActivities<Activities> {
  const alerts = { raiseAlert: () => Promise.resolve() };
  return intercepted({ clock, clocks: new OperationClocks('production'), alerts }, activities);
}
