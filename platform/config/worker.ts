// The worker process's configuration.
import { z } from 'zod';
import { ALL_TASK_QUEUES, BUILD_ID } from '../../contract/temporal/workers.js';
import { purposesOfQueues } from '../../store/sealing/keys.js';
import { alertTargetsSchema } from './alert-targets.js';
import { sealingSchema } from './audit.js';
import { combined, optionalPort, port, readEnvironment, sharedSchema } from './environment.js';
import { networks } from './networks.js';
import { providersSchema } from './providers.js';
import { secretsSchema } from './secrets.js';
import { temporalSchema } from './temporal.js';
import { tracingSchema } from './tracing.js';
import { slotProblems, slotsSchema } from './worker-slots.js';

export const workerSchema = sharedSchema
  .extend({
    ...slotsSchema.shape,
    /** The build that workflows are pinned to; without it workers take workflows of any build. */
    WORKER_BUILD_ID: z
      .string()
      .regex(BUILD_ID, 'must be 1 to 63 letters, digits, dots, hyphens or underscores')
      .optional(),
    /** Liveness, readiness and metrics. */
    WORKER_HEALTH_HOST: z.string().default('127.0.0.1'),
    WORKER_HEALTH_PORT: port(7808),
    /** Where Temporal's SDK serves its own metrics; it does not without a port. */
    WORKER_SDK_METRICS_PORT: optionalPort,
    /** Private networks that a sandbox's webhooks may go to, in addition to the loopback address. */
    WEBHOOK_SANDBOX_NETWORKS: networks,
  })
  .superRefine((worker, context) => {
    for (const { variable, message } of slotProblems(worker))
      context.addIssue({ code: 'custom', path: [variable], message });
  });

/** The keys of all queues that the worker serves. What is no queue, slotsSchema refuses. */
function keysOfWorker({ WORKER_TASK_QUEUES: queues }: Readonly<Record<string, unknown>>) {
  return purposesOfQueues(typeof queues === 'string' ? queues.split(',').map((name) => name.trim()) : ALL_TASK_QUEUES);
}

const schema = combined({
  worker: workerSchema,
  temporal: temporalSchema,
  secrets: secretsSchema(keysOfWorker),
  sealing: sealingSchema,
  providers: providersSchema,
  alertTargets: alertTargetsSchema,
  tracing: tracingSchema('worker'),
}).transform(({ worker, temporal, secrets, sealing, providers, alertTargets, tracing }) => ({
  ...worker,
  temporal,
  ...secrets,
  sealing,
  providers,
  alertTargets,
  tracing,
}));

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(schema, environment, 'worker');
}
