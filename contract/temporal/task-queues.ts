// The task queues. Each scales and fails independently.
export const TASK_QUEUES = {
  /** Payment workflows, provider calls and the transitions in PostgreSQL. */
  payments: 'payments',
  /** The rules engine. */
  rules: 'rules',
  /** Webhook deliveries. */
  webhooks: 'webhooks',
} as const;
export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];
