// The baseline's process: a worker for the bare workflow, and a Koa server whose one handler asks it one query.
import { fileURLToPath } from 'node:url';
import { Connection, WorkflowClient } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import Koa from 'koa';
import { BASELINE_TASK_QUEUE } from './task-queue.js';

const {
  TEMPORAL_ADDRESS: address = '',
  TEMPORAL_NAMESPACE: namespace = 'default',
  WORKER_HEALTH_PORT: port = '0',
} = process.env;

Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue: BASELINE_TASK_QUEUE,
  workflowsPath: fileURLToPath(new URL('./workflows.js', import.meta.url)),
  activities: { nothing: () => Promise.resolve() },
  reuseV8Context: true,
  maxCachedWorkflows: 2_000,
});
const client = new WorkflowClient({ connection: await Connection.connect({ address }), namespace });
const app = new Koa();
app.use(async (context) => {
  const [, id] = /^\/query\/([\w-]+)$/.exec(context.path) ?? [];
  context.body = id === undefined ? { ok: true } : { open: await client.getHandle(id).query('isOpen') };
});
app.listen(Number(port), '127.0.0.1');
await worker.run();
process.exit(0);
