// The task queues. Each scales and fails independently.
import { type AccountName, SLOTS, type SlotName, slotOf } from '../../domain/provider-accounts.js';

export const TASK_QUEUES = {
  /** Payment workflows and the brief steps in PostgreSQL. No step here waits for a provider's answer for long. */
  payments: 'payments',
  /** The rules engine. */
  rules: 'rules',
  /** Webhook deliveries. */
  webhooks: 'webhooks',
} as const;

type ProviderQueue = `provider-${SlotName}`;

/** The calls of one slot, for all its accounts. A provider that hangs fills its own queue's slots only. */
export const PROVIDER_QUEUES = Object.fromEntries(SLOTS.map((name) => [name, `provider-${name}`])) as Readonly<
  Record<SlotName, ProviderQueue>
>;

export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES] | ProviderQueue;

/** The queues of all providers. */
export const ALL_PROVIDER_QUEUES: readonly TaskQueue[] = Object.values(PROVIDER_QUEUES);
export const ALL_TASK_QUEUES: readonly TaskQueue[] = [...Object.values(TASK_QUEUES), ...ALL_PROVIDER_QUEUES];

/** The queue for calls to the provider's account that a payment's order names. */
export function providerQueueOf({ provider }: { readonly provider: string }): TaskQueue {
  return PROVIDER_QUEUES[slotOf(provider as AccountName)];
}
