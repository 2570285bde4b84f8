// Two builds of the workers at once, and a deploy in the middle of payments: what began on the old build ends there,
// new payments begin on the new one, nothing is sent twice. About 60 s.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Worker } from '@temporalio/worker';
import { ALL_TASK_QUEUES, DEFAULT_DEPLOYMENT_NAME, TASK_QUEUES } from '../../contract/temporal/workers.js';
import { eventually } from '../../lab/harness/eventually.js';
import { buildsOf } from '../../lab/harness/builds.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../lab/harness/payments.js';
import type { Node } from '../../lab/harness/node.js';
import { sendsOf } from '../../lab/harness/provider-books.js';
import { type Stack, startStack } from '../../lab/harness/stack.js';
import { installQuietRuntime } from '../support/temporal.js';

const ALL_QUEUES = ALL_TASK_QUEUES;

describe('a deploy in the middle of payments', function () {
  this.timeout(600_000);
  let stack: Stack;
  let newWorker: Node;
  /** Payments that are under way on v1 when v2 comes. */
  const onV1 = { deposit: '', withdrawal: '', late: '', moved: '', evented: '' };

  before(async () => {
    stack = await startStack({ variables: { WORKER_BUILD_ID: 'v1' } });
    await stack.gateway('deploy', 'promote', 'v1', '--wait', '60', '--as', 'ana');
  });
  after(() => stack.close());

  const deposit = async (amount = '5000', player = newPlayer()) => {
    const { status, body } = await stack.client.createDeposit(newDeposit(amount, player), once());
    assert.deepEqual([status, body.status], [201, 'pending']);
    return body.id;
  };
  const pay = (id: string) => stack.client.sandbox.payDeposit(id, once());
  /** The last webhook is sent within the task that ends the payment: the task is in the history a moment later. */
  const isOn = async (id: string, ...builds: string[]) => {
    const buildsNow = async () => (await buildsOf(stack, id)).builds;
    await eventually(async () => isDeepStrictEqual(await buildsNow(), builds), `${id} is on ${builds.join()}`).catch(
      async () => assert.deepEqual(await buildsNow(), builds, id),
    );
  };
  /** `gateway deploy drained` ends with 1 while something is open. */
  const drained = async (build: string): Promise<Drained> => {
    const answer = await stack
      .gateway('deploy', 'drained', build)
      .catch((error: { stdout: string }) => JSON.parse(error.stdout) as unknown);
    return answer as Drained;
  };
  const openOn = async (build: string) => (await drained(build)).open.map(({ workflow_id }) => workflow_id).sort();

  it('payments begin on v1', async () => {
    const player = newPlayer();
    const funding = await deposit('100000', player);
    await pay(funding);
    await stack.receiver.waitFor(funding, 'deposit.paid');
    onV1.withdrawal = (await stack.client.createWithdrawal(newWithdrawal(player), once())).body.id;
    await stack.client.sandbox.withdrawal(onV1.withdrawal, 'approve', once());
    await stack.receiver.waitFor(onV1.withdrawal, 'withdrawal.processing');
    [onV1.deposit, onV1.late, onV1.moved] = [await deposit(), await deposit(), await deposit()];
    await isOn(onV1.deposit, 'v1');
  });

  it('the retries of an event stay on the build of its payment', async () => {
    stack.receiver.answerWith(500);
    const id = await deposit();
    await stack.receiver.waitFor(id, 'deposit.pending');
    onV1.evented = stack.receiver.events.find(({ object_id }) => object_id === id)!.id;
    await eventually(async () => (await openOn('v1')).includes(onV1.evented), 'a delivery workflow on v1', 120_000);
    stack.receiver.answerWith(200);
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
  });

  it('a build that does not serve every queue is not promoted, an unknown one neither', async () => {
    await assert.rejects(
      () => stack.gateway('deploy', 'promote', 'v9', '--as', 'ana'),
      /build v9: no worker of it has started .*known: v1/,
    );
    const partial = await stack.addWorker([TASK_QUEUES.payments], { WORKER_BUILD_ID: 'v1b' });
    await assert.rejects(
      () => stack.gateway('deploy', 'promote', 'v1b', '--wait', '5', '--as', 'ana'),
      /build v1b: no worker of it serves rules, webhooks/,
    );
    await partial.stop();
  });

  it('v2 next to v1 → nothing changes; promoted → new payments begin on v2, v1 is draining and says what is open', async () => {
    newWorker = await stack.addWorker(ALL_QUEUES, { WORKER_BUILD_ID: 'v2' });
    const before = await deposit();
    await isOn(before, 'v1');
    await pay(before);
    const promoted = await stack.gateway('deploy', 'promote', 'v2', '--wait', '60', '--as', 'ana');
    assert.deepEqual(promoted, { build_id: 'v2', current: 'v2', ramp_percent: null, before: 'v1' });
    const id = await deposit();
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
    await isOn(id, 'v2');
    const { drained: isDrained, state, open } = await drained('v1');
    assert.deepEqual([isDrained, state], [false, 'draining']);
    for (const waiting of [onV1.deposit, onV1.withdrawal, onV1.late, onV1.moved])
      assert.ok(
        open.some(({ workflow_id }) => workflow_id === waiting),
        waiting,
      );
  });

  it('pending on v1 → paid on v1', async () => {
    await pay(onV1.deposit);
    await stack.receiver.waitFor(onV1.deposit, 'deposit.paid');
    await isOn(onV1.deposit, 'v1');
  });

  it('v1’s workers dead → its payments wait, new ones continue; moved to v2 → continues', async () => {
    await stack.worker.kill();
    await stack.gateway('deploy', 'move', 'v1', 'v2', onV1.moved, '--as', 'ana');
    await pay(onV1.moved);
    await stack.receiver.waitFor(onV1.moved, 'deposit.paid');
    await isOn(onV1.moved, 'v1', 'v2');
    // They reach the provider, which calls back; nobody may take that up but v1.
    await Promise.all(
      [pay(onV1.late), stack.client.sandbox.withdrawal(onV1.withdrawal, 'pay', once())].map((one) =>
        one.catch(() => undefined),
      ),
    );
    const id = await deposit();
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
    await sleep(2_000);
    assert.equal((await stack.client.getDeposit(onV1.late)).body.status, 'pending');
    assert.equal((await stack.client.getWithdrawal(onV1.withdrawal)).body.status, 'processing');
  });

  it('v1’s workers back: its payments end there, once', async () => {
    await stack.worker.start();
    await pay(onV1.late).catch(() => undefined);
    await stack.client.sandbox.withdrawal(onV1.withdrawal, 'pay', once()).catch(() => undefined);
    await stack.receiver.waitFor(onV1.late, 'deposit.paid');
    await stack.receiver.waitFor(onV1.withdrawal, 'withdrawal.paid');
    await isOn(onV1.late, 'v1');
    await isOn(onV1.withdrawal, 'v1');
    assert.equal(await sendsOf(stack.simulatorUrl, onV1.withdrawal), 1);
    assert.deepEqual(stack.receiver.typesOf(onV1.late), ['deposit.pending', 'deposit.paid']);
    assert.equal((await stack.gateway('ledger', 'verify'))['ok'], true);
  });

  it('nothing open on v1 → drained: its workers may be ended', async () => {
    await eventually(async () => (await drained('v1')).drained, 'v1 is drained', 120_000);
    assert.equal(await stack.worker.stop(), 0);
    const id = await deposit();
    await pay(id);
    await stack.receiver.waitFor(id, 'deposit.paid');
  });

  it('rolled back → new payments begin on v1 again; a ramp sends a share; people are named in the audit trail', async () => {
    await stack.worker.start();
    await stack.gateway('deploy', 'promote', 'v1', '--wait', '60', '--as', 'ben');
    await isOn(await deposit(), 'v1');
    await stack.gateway('deploy', 'promote', 'v2', '--ramp', '50', '--as', 'ben');
    const { builds } = (await stack.gateway('deploy', 'status')) as {
      builds: { build_id: string; state: string; ramp_percent: number | null }[];
    };
    assert.deepEqual(
      builds
        .filter(({ build_id }) => build_id !== 'v1b')
        .map(({ build_id, state, ramp_percent }) => [build_id, state, ramp_percent]),
      [
        ['v1', 'current', null],
        ['v2', 'ramping', 50],
      ],
    );
    const begunOn = new Set<string>();
    for (let tries = 0; begunOn.size < 2 && tries < 20; tries += 1)
      for (const build of (await buildsOf(stack, await deposit())).builds) begunOn.add(build);
    assert.deepEqual([...begunOn].sort(), ['v1', 'v2']);
    await stack.gateway('deploy', 'promote', 'v2', '--ramp', '0', '--as', 'ben');
    const { entries } = (await stack.gateway('audit', 'list')) as {
      entries: { action: string; person: string; subject: string }[];
    };
    assert.deepEqual(
      entries.slice(0, 5).map(({ action, person, subject }) => [action, person, subject]),
      [
        ['deploy.promote', 'ben', 'v2'],
        ['deploy.promote', 'ben', 'v2'],
        ['deploy.promote', 'ben', 'v1'],
        ['deploy.move', 'ana', 'v2'],
        ['deploy.promote', 'ana', 'v2'],
      ],
    );
    assert.equal(await newWorker.stop(), 0);
  });

  it('a build whose queues Temporal does not know all yet: refused in its words, or waited for', async () => {
    const halves = await withoutWorkflows('v3');
    const promote = (...wait: string[]) => stack.gateway('deploy', 'promote', 'v3', ...wait, '--as', 'ben');
    // Temporal asks for the queues that had work of the current build a moment ago.
    await deposit();
    // Before that, Temporal may not have taken note of the new build's workers either.
    const refusal = () =>
      promote('--wait', '3').then(
        () => assert.fail('it was promoted'),
        ({ message }: Error) => message,
      );
    await eventually(
      async () => /\ngateway: build v3: proposed current version is missing active task queues/.test(await refusal()),
      'refused in its words',
      60_000,
    );
    const promoting = promote('--wait', '90');
    const whole = await stack.addWorker(ALL_QUEUES, { WORKER_BUILD_ID: 'v3' });
    assert.equal((await promoting)['current'], 'v3');
    await halves();
    await isOn(await deposit(), 'v3');
    assert.equal(await whole.stop(), 0);
  });

  /** Workers of that build that ask every queue for activities only. @returns what ends them */
  async function withoutWorkflows(buildId: string): Promise<() => Promise<void>> {
    installQuietRuntime();
    const { address, namespace } = stack.temporal;
    const connection = await NativeConnection.connect({ address });
    const version = { deploymentName: DEFAULT_DEPLOYMENT_NAME, buildId };
    const workerDeploymentOptions = {
      version,
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    } as const;
    const workers = await Promise.all(
      ALL_QUEUES.map((taskQueue) =>
        Worker.create({
          connection,
          namespace,
          taskQueue,
          activities: { none: () => Promise.resolve() },
          workerDeploymentOptions,
        }),
      ),
    );
    const ends = workers.map((worker) => worker.run());
    return async () => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(ends);
      await connection.close();
    };
  }
});

interface Drained {
  readonly drained: boolean;
  readonly state: string;
  readonly open: readonly { readonly workflow_id: string }[];
}
