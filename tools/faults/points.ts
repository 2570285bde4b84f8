// The names of all failpoints, as the compiler knows them: a renamed activity breaks the scenarios that wait for it.
import type { GatewayActivities } from '../../activities/index.js';
import type { API_FAILPOINTS, DELIVERY_FAILPOINTS } from '../../platform/failpoints/failpoints.js';

export type ApiPoint = (typeof API_FAILPOINTS)[keyof typeof API_FAILPOINTS];
export type ActivityName = {
  [Queue in keyof GatewayActivities]: keyof GatewayActivities[Queue];
}[keyof GatewayActivities];
export type DeliveryPoint = (typeof DELIVERY_FAILPOINTS)[keyof typeof DELIVERY_FAILPOINTS];
export type Point = ApiPoint | DeliveryPoint | `activity.${ActivityName}.${'before' | 'after'}`;
