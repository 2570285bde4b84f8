// Temporal's real server with the gateway's authorizer: each kind of process tries every method of the API with its
// own token. What its work needs is permitted; everything else is refused, also what a permitted method may not be
// asked.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, isGrpcServiceError, OperatorService, WorkflowService } from '@temporalio/client';
import { NAMESPACE } from '../../../cli/certificates/temporal-access.js';
import {
  TEMPORAL_GRANTS,
  type TemporalCaller,
  type TemporalGrants,
} from '../../../cli/certificates/temporal-grants.js';
import { openTemporal } from '../../../platform/temporal/connection.js';
import { findFreePort } from '../../../tools/processes/ports.js';
import { makeAccess, serverFor, type TemporalAccess } from '../../../lab/cluster/temporal-access.js';
import { findFreeRolePorts, startTemporalRoles } from '../../../lab/harness/temporal-roles.js';
import { openTestRun, type TestRun } from '../../../tools/servers/test-servers.js';
import { ensureNamespace } from '../../../tools/servers/search-attributes.js';
import { SERVER_SOURCES } from '../../../lab/cluster/temporal-server.js';

/** The SDK knows methods that this version of the server has not. */
const UNIMPLEMENTED = 12;
const PERMISSION_DENIED = 7;
const CALL_MS = 1_500;
const WITHOUT_TOKEN: readonly string[] = ['GetSystemInfo'];

/** As grants name them: all methods of the API that the SDK has. */
const METHODS = [...methodsOf(WorkflowService), ...methodsOf(OperatorService).map((name) => `OperatorService/${name}`)];

/** The class is the service's description, which its types do not say. */
function methodsOf(service: object): string[] {
  return Object.keys((service as { readonly methods: object }).methods);
}

/** Requests that answer a task are refused without one that was handed out. */
const ANSWERS_TASK = /^(Respond|RecordActivityTaskHeartbeat)/;

describe('Temporal’s server that knows its callers', function () {
  this.timeout(10 * 60_000);
  let run: TestRun;
  let access: TemporalAccess;
  let address: string;
  const connections = new Map<TemporalCaller, Connection>();

  before(async () => {
    run = await openTestRun();
    access = await makeAccess(join(run.folder, 'access'));
    const internalFrontend = { grpc: await findFreePort(), membership: await findFreePort() };
    const ports = await findFreeRolePorts();
    const superuserUrl = process.env['TEST_POSTGRES_URL'] as string;
    ({ address } = await startTemporalRoles(run, ports, superuserUrl, { access, internalFrontend }));
    await ensureNamespace(serverFor(access, 'setup', address), NAMESPACE);
  });
  after(async () => {
    await Promise.all([...connections.values()].map((connection) => connection.close()));
    await run?.close();
  });

  const connectionOf = (caller: TemporalCaller): Connection => {
    const opened = connections.get(caller) ?? openTemporal(serverFor(access, caller, address));
    connections.set(caller, opened);
    return opened;
  };

  /** The gRPC code of a call; 0 for an answer. */
  async function codeOf(connection: Connection, method: string, request: object): Promise<number> {
    const isOperators = method.startsWith('OperatorService/');
    const name = method.slice(method.indexOf('/') + 1);
    const service = (isOperators ? connection.operatorService : connection.workflowService) as unknown as Record<
      string,
      (request: object) => Promise<unknown>
    >;
    const call = service[name.charAt(0).toLowerCase() + name.slice(1)];
    assert.ok(call !== undefined, method);
    return connection.withDeadline(Date.now() + CALL_MS, () =>
      call.call(service, request).then(
        () => 0,
        (error: unknown) => (isGrpcServiceError(error) ? error.code : assert.fail(error as Error)),
      ),
    );
  }
  const isRefused = async (caller: TemporalCaller, method: string, request: object) =>
    [PERMISSION_DENIED, UNIMPLEMENTED].includes(await codeOf(connectionOf(caller), method, request));

  it('the authorizer’s own tests pass', () => {
    const env = { ...process.env, CGO_ENABLED: '0' };
    execFileSync('go', ['test', '-mod=readonly', '-buildvcs=false', './...'], { cwd: SERVER_SOURCES, env });
  });

  it('knows all methods of the API that these tests call', () => {
    assert.ok(METHODS.length > 80);
    for (const [caller, { methods }] of Object.entries(TEMPORAL_GRANTS) as [TemporalCaller, TemporalGrants][])
      for (const method of methods) assert.ok(METHODS.includes(method), `${caller}: ${method}`);
  });

  it('without a token: nothing but whether it is there', async () => {
    const { tls } = serverFor(access, 'api', address);
    const connection = openTemporal({ address, tls });
    try {
      for (const method of METHODS) {
        const code = await codeOf(connection, method, { namespace: NAMESPACE });
        if (code === UNIMPLEMENTED) continue;
        assert.equal(code === PERMISSION_DENIED, !WITHOUT_TOKEN.includes(method), `${method}: ${code}`);
      }
    } finally {
      await connection.close();
    }
  });

  for (const [caller, grants] of Object.entries(TEMPORAL_GRANTS) as [TemporalCaller, TemporalGrants][]) {
    it(`${caller}: every method that its token does not grant is refused, and no other`, async () => {
      const wrong: string[] = [];
      for (const method of METHODS) {
        const isGranted = grants.methods.includes(method);
        // It is read from a task: without one that was handed out nothing is permitted.
        const expected = (!isGranted || ANSWERS_TASK.test(method)) && !WITHOUT_TOKEN.includes(method);
        const request = isGranted ? requestOf(method, grants) : { namespace: NAMESPACE };
        if ((await isRefused(caller, method, request)) !== expected) wrong.push(`${method}: ${isGranted}`);
      }
      assert.deepEqual(wrong, []);
    });

    it(`${caller}: what is not in its lists is refused although the method is granted`, async () => {
      const wrong: string[] = [];
      for (const method of grants.methods.filter((name) => name in CONTENT))
        for (const [what, change] of Object.entries(CONTENT[method] as Contents)) {
          // Who may end a run may also end it by starting the next one.
          if (what === ENDS_OPEN_RUN && grants.methods.includes('TerminateWorkflowExecution')) continue;
          const request = change(requestOf(method, grants) as Loose);
          if (!(await isRefused(caller, method, request))) wrong.push(`${method}: ${what}`);
        }
      assert.deepEqual(wrong, []);
    });
  }

  it('a task is answered by the worker that took it, and by no other', async () => {
    const workflowId = `dep_${randomUUID()}`;
    const started = requestOf('SignalWithStartWorkflowExecution', TEMPORAL_GRANTS.ingress);
    assert.equal(
      await codeOf(connectionOf('ingress'), 'SignalWithStartWorkflowExecution', { ...started, workflowId }),
      0,
    );
    const workflowTask = await taken('worker-payments', 'pollWorkflowTaskQueue', 'payments');
    const commands = [
      {
        commandType: 1,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name: 'decide' },
          taskQueue: { name: 'rules' },
          startToCloseTimeout: { seconds: 60 },
        },
      },
    ];
    const answer = { namespace: NAMESPACE, taskToken: workflowTask, commands };
    assert.ok(await isRefused('worker-webhooks', 'RespondWorkflowTaskCompleted', answer));
    assert.equal(await codeOf(connectionOf('worker-payments'), 'RespondWorkflowTaskCompleted', answer), 0);

    const activityTask = await taken('worker-rules', 'pollActivityTaskQueue', 'rules');
    const result = { namespace: NAMESPACE, taskToken: activityTask };
    assert.ok(await isRefused('worker-payments', 'RespondActivityTaskCompleted', result));
    assert.equal(await codeOf(connectionOf('worker-rules'), 'RecordActivityTaskHeartbeat', result), 0);
    assert.equal(await codeOf(connectionOf('worker-rules'), 'RespondActivityTaskCompleted', result), 0);
  });

  /** The token of the next task that a worker takes. */
  async function taken(
    caller: TemporalCaller,
    poll: 'pollWorkflowTaskQueue' | 'pollActivityTaskQueue',
    name: string,
  ): Promise<Uint8Array> {
    const connection = connectionOf(caller);
    for (;;) {
      const request = { namespace: NAMESPACE, taskQueue: { name }, identity: 'test' };
      const { taskToken } = await connection.withDeadline(
        Date.now() + 30_000,
        (): Promise<{ taskToken?: Uint8Array | null }> =>
          poll === 'pollWorkflowTaskQueue'
            ? connection.workflowService.pollWorkflowTaskQueue(request)
            : connection.workflowService.pollActivityTaskQueue(request),
      );
      if (taskToken != null && taskToken.length > 0) return taskToken;
    }
  }

  it('runs with what go.sum names', () => {
    assert.match(readFileSync(join(SERVER_SOURCES, 'go.mod'), 'utf8'), /go\.temporal\.io\/server v1\.29\.1$/m);
  });
});

type Loose = Readonly<Record<string, unknown>>;
type Contents = Readonly<Record<string, (request: Loose) => object>>;

/** What a token's lists permit, for the methods whose content is looked at. */
function requestOf(method: string, grants: TemporalGrants): object {
  const [type, queue] = Object.entries(grants.workflows ?? {})[0] ?? [];
  const start = { workflowId: randomUUID(), workflowType: { name: type }, taskQueue: { name: queue } };
  const update = { meta: { updateId: randomUUID() }, input: { name: grants.updates?.[0] } };
  const workflowExecution = { workflowId: randomUUID() };
  const schedule = { action: { startWorkflow: start } };
  const ofMethod: Readonly<Record<string, object>> = {
    StartWorkflowExecution: start,
    SignalWithStartWorkflowExecution: { ...start, signalName: grants.signals?.[0] },
    SignalWorkflowExecution: { workflowExecution, signalName: grants.signals?.[0] },
    UpdateWorkflowExecution: { workflowExecution, request: update },
    QueryWorkflow: { execution: workflowExecution, query: { queryType: grants.queries?.[0] } },
    ExecuteMultiOperation: {
      operations: [
        { startWorkflow: { ...start, namespace: NAMESPACE } },
        { updateWorkflow: { namespace: NAMESPACE, workflowExecution, request: update } },
      ],
    },
    // Without an id it is not made.
    CreateSchedule: { schedule },
    UpdateSchedule: { schedule },
    PollWorkflowTaskQueue: { taskQueue: { name: grants.polls?.[0] } },
    PollActivityTaskQueue: { taskQueue: { name: grants.polls?.[0] } },
  };
  return { namespace: NAMESPACE, requestId: randomUUID(), identity: 'test', ...ofMethod[method] };
}

const otherType = { workflowType: { name: 'another' } };
const otherQueue = { taskQueue: { name: 'another' } };
const ENDS_OPEN_RUN = 'the end of the open run';
const STARTS: Contents = {
  'another type': (request) => ({ ...request, ...otherType }),
  'another queue': (request) => ({ ...request, ...otherQueue }),
  [ENDS_OPEN_RUN]: (request) => ({ ...request, workflowIdConflictPolicy: 3 }),
  'another namespace': (request) => ({ ...request, namespace: 'temporal-system' }),
};
const SCHEDULES: Contents = {
  'another type': (request) => ({ ...request, schedule: { action: { startWorkflow: otherType } } }),
};
const POLLS: Contents = {
  'another queue': (request) => ({ ...request, ...otherQueue }),
  'another queue as if it were sticky': (request) => ({
    ...request,
    taskQueue: { name: 'payments', kind: 2, normalName: (request['taskQueue'] as { name: string }).name },
  }),
};
/** What each method is refused for. */
const CONTENT: Readonly<Record<string, Contents>> = {
  StartWorkflowExecution: STARTS,
  SignalWithStartWorkflowExecution: {
    ...STARTS,
    'another signal': (request) => ({ ...request, signalName: 'another' }),
  },
  SignalWorkflowExecution: { 'another signal': (request) => ({ ...request, signalName: 'another' }) },
  UpdateWorkflowExecution: {
    'another update': (request) => ({ ...request, request: { input: { name: 'another' } } }),
  },
  QueryWorkflow: { 'another query': (request) => ({ ...request, query: { queryType: 'another' } }) },
  ExecuteMultiOperation: {
    'another type': (request) => ({
      ...request,
      operations: [{ startWorkflow: { namespace: NAMESPACE, ...otherType } }],
    }),
    'another update': (request) => ({
      ...request,
      operations: [{ updateWorkflow: { namespace: NAMESPACE, request: { input: { name: 'another' } } } }],
    }),
  },
  CreateSchedule: SCHEDULES,
  UpdateSchedule: SCHEDULES,
  PollWorkflowTaskQueue: POLLS,
  PollActivityTaskQueue: POLLS,
};
