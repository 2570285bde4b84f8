// The task queues: each can be scaled, or be down, by itself.
export const TASK_QUEUES = {
  /** Payment workflows, provider calls and the transitions in Postgres. */
  payments: 'payments',
  /** The rules engine. */
  rules: 'rules',
  /** Webhook deliveries. */
  webhooks: 'webhooks',
} as const;
export type TaskQueue = (typeof TASK_QUEUES)[keyof typeof TASK_QUEUES];
