// Runs in a thread: workflows of the broken bundle without a server, as a workflow thread of the worker has them.
import { parentPort } from 'node:worker_threads';
import { type ReusableVMWorkflow, ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { parseWorkflowCode } from '@temporalio/worker/lib/worker.js';
import { payloadConverter } from '../../../contract/temporal/payload-converter.js';
import { brokenBundle, ENDLESS_TYPES } from '../../support/broken-workflows.js';

const LIMIT_MS = 1_000;
type Activation = Parameters<ReusableVMWorkflow['activate']>[0];
type Job = NonNullable<Activation['jobs']>[number];
type Completion = Awaited<ReturnType<ReusableVMWorkflow['activate']>>;
type Command = NonNullable<NonNullable<Completion['successful']>['commands']>[number];
type Creator = Awaited<ReturnType<typeof ReusableVMWorkflowCreator.create>>;

/** What one activation answered. */
export interface Answer {
  readonly commands: readonly string[];
  /** The failure of the task; `null` if it succeeded. */
  readonly error: string | null;
  readonly tookMs: number;
}

/** For each kind of broken code: the answers of the broken workflow, and of an honest one around it. */
export interface Seen {
  readonly kind: string;
  readonly started: Answer;
  readonly broken: Answer;
  readonly after: Answer;
  readonly end: Answer;
}

async function activate(runId: string, job: Job): Promise<Answer> {
  const workflow = ReusableVMWorkflowCreator.workflowByRunId.get(runId);
  if (workflow === undefined) throw new Error(`there is no workflow ${runId}`);
  const startedMs = performance.now();
  const at = { timestamp: { seconds: null }, historyLength: 3 } as const;
  const completion = await workflow.activate({ runId, ...at, jobs: [job] });
  const commands = (completion.successful?.commands ?? []).map((command) => nameOf(command));
  const error = completion.failed?.failure?.message ?? null;
  return { commands, error, tookMs: performance.now() - startedMs };
}

function nameOf(command: Command): string {
  const { result } = command.completeWorkflowExecution ?? {};
  if (result) return `completed ${payloadConverter.fromPayload<string>(result)}`;
  return Object.keys(command).join();
}

async function start(creator: Creator, workflowType: string, id: string, input: unknown): Promise<Answer> {
  const info = { workflowId: id, runId: id, workflowType, unsafe: {}, searchAttributes: {}, taskQueue: 'q' };
  const options = { info, randomnessSeed: [1, 2, 3, 4, 5, 6, 7, 8], now: 1, showStackTraceSources: false };
  await creator.createWorkflow({ ...options, failureExceptionTypeNames: [] } as never);
  return activate(id, {
    initializeWorkflow: { workflowId: id, workflowType, arguments: [payloadConverter.toPayload(input)] },
  });
}

async function main(): Promise<void> {
  const bundle = parseWorkflowCode((await brokenBundle()).code);
  const creator = await ReusableVMWorkflowCreator.create(bundle, LIMIT_MS, new Set());
  for (const kind of ENDLESS_TYPES) {
    const honest = `honest-${kind}`;
    const fire = (seq: number) => activate(honest, { fireTimer: { seq } });
    const started = await start(creator, 'honest', honest, 2);
    const broken = await start(creator, kind, kind, true);
    const after = await fire(1);
    await ReusableVMWorkflowCreator.workflowByRunId.get(kind)?.dispose();
    const end = await fire(2);
    parentPort?.postMessage({ kind, started, broken, after, end } satisfies Seen);
  }
}

await main();
