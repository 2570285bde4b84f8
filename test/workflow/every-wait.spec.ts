// Every wait of both kinds of payment, with every set of requests that can be pending in it, before, at and after its
// deadline, while somebody is away or silent: the process makes progress, answers everybody, and ends where it should.
// The situations are generated, not chosen. Temporal is the lab's model of it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { expiryOf } from '../../domain/payments/deposit.js';
import { LEDGER_ACCOUNTS } from '../../domain/ledger.js';
import type { RunUpdate } from '../../lab/temporal/parts.js';
import type { Run } from '../../lab/temporal/run.js';
import { sumOf } from '../support/fakes/database.js';
import { FakeWorld } from '../support/fake-activities.js';
import { modelTemporal, type ModelledTemporal } from '../support/lab-temporal.js';
import { DepositCase } from './harness/deposit-case.js';
import type { PaymentStage } from './harness/stage.js';
import { WithdrawalCase } from './harness/withdrawal-case.js';

const REQUESTS = ['look-up', 'cancel', 'review', 'callback', 'check again', 'continue as new'] as const;
type Request = (typeof REQUESTS)[number];
const DISTURBANCES = ['nobody away', 'workers away', 'provider silent', 'database down', 'rules silent'] as const;
type Disturbance = (typeof DISTURBANCES)[number];
/** Seconds from the deadline. */
const MOMENTS = [-1, 0, 1] as const;
/** When the disturbance begins and the requests come, before the deadline. */
const BEFORE_SECONDS = 5;
const A_DAY = 86_400;
/** A process that is open for days needs few activations: it waits. */
const MOST_ACTIVATIONS = 400;

/** One payment in a world of its own. */
class Scene implements PaymentStage {
  readonly world = new FakeWorld();
  readonly temporal: ModelledTemporal;
  /** What was asked of it. */
  readonly asked: { readonly name: string; readonly update: RunUpdate }[] = [];
  private id = '';
  /** The next activation of this run says that its history is long. */
  private longRun: Run | null = null;

  constructor() {
    this.temporal = modelTemporal(this.world.activities());
    this.temporal.model.suggestsContinueAsNew = (run) => run === this.longRun;
    this.world.clock = () => this.nowMs;
    this.world.startDelivery = async () => undefined;
  }

  get nowMs(): number {
    return this.temporal.model.clock.nowMs;
  }

  /** The latest run. */
  get run(): Run {
    const run = this.temporal.model.latest(this.id);
    if (run === null) throw new Error('it is not started');
    return run;
  }

  get activations(): number {
    return this.temporal.model.allRuns.reduce((sum, { activations }) => sum + activations, 0);
  }

  async now(): Promise<string> {
    return new Date(this.nowMs).toISOString();
  }

  async start(type: string, id: string, input: unknown): Promise<void> {
    this.id = id;
    await this.temporal.client.start(type, { workflowId: id, taskQueue: TASK_QUEUES.payments, args: [input] });
  }

  /** Temporal finds no run to give it to if the last one has ended. The api then answers from the row. */
  update(name: string, ...args: readonly unknown[]): void {
    if (this.run.isOpen) this.asked.push({ name, update: this.run.update(name, randomUUID(), args) });
  }

  continueAsNew(): void {
    this.longRun = this.run;
  }

  pass(seconds: number): Promise<void> {
    return this.temporal.sleep(seconds * 1_000);
  }
}

type Payment = DepositCase | WithdrawalCase;
/** How a payment comes to wait, and for how many seconds at most before something happens by itself. */
interface Wait {
  readonly name: string;
  readonly open: (scene: Scene) => Promise<{ readonly payment: Payment; readonly deadline: () => number }>;
}

const IN_A_WHILE = 60;

async function depositOf(scene: Scene, prepare: (deposit: DepositCase) => void = () => undefined) {
  const deposit = new DepositCase(scene, {});
  prepare(deposit);
  await scene.start(DEPOSIT_WORKFLOW, deposit.id, { kind: 'create', order: deposit.order });
  await scene.pass(1);
  return deposit;
}

async function withdrawalOf(
  scene: Scene,
  settings: ConstructorParameters<typeof WithdrawalCase>[1] = {},
  prepare: (withdrawal: WithdrawalCase) => void = () => undefined,
) {
  const withdrawal = new WithdrawalCase(scene, settings);
  prepare(withdrawal);
  await scene.start(WITHDRAWAL_WORKFLOW, withdrawal.id, { kind: 'create', order: withdrawal.order });
  await scene.pass(1);
  return withdrawal;
}

const afterSeconds = (scene: Scene, seconds: number) => {
  const at = scene.nowMs + seconds * 1_000;
  return () => at;
};

const WAITS: readonly Wait[] = [
  {
    name: 'deposit created: the charge is unanswered',
    open: async (scene) => {
      const payment = await depositOf(scene, ({ charge }) => (charge.isSilent = true));
      return { payment, deadline: afterSeconds(scene, 306) };
    },
  },
  ...[false, true].map((isPaid): Wait => ({
    name: `deposit pending${isPaid ? ', paid in time without a callback' : ''}`,
    open: async (scene) => {
      const payment = await depositOf(scene);
      if (isPaid) {
        await scene.pass(1_700);
        await payment.payAtProvider();
      }
      return { payment, deadline: () => Date.parse(expiryOf(payment.row)) };
    },
  })),
  {
    name: 'deposit under review',
    open: async (scene) => {
      const payment = await depositOf(scene);
      await payment.payAtProvider({ payerMatch: 'unknown' });
      scene.run.signal('chargeNotice', []);
      await scene.pass(1);
      return { payment, deadline: afterSeconds(scene, IN_A_WHILE) };
    },
  },
  {
    name: 'deposit on its way back to the payer',
    open: async (scene) => {
      const payment = await depositOf(scene, ({ charge }) =>
        charge.returnAnswers.push(...Array.from({ length: 50 }, () => ({ kind: 'pending' }) as const)),
      );
      await payment.payAtProvider({ payerMatch: 'unknown' });
      scene.run.signal('chargeNotice', []);
      await scene.pass(1);
      scene.update('review', { decision: 'return', actId: payment.act('deposit.return', 'ana') });
      await scene.pass(1);
      return { payment, deadline: afterSeconds(scene, 79) };
    },
  },
  {
    name: 'withdrawal requested: the directory does not answer',
    open: async (scene) => {
      const payment = await withdrawalOf(scene, { keyInDirectory: true }, ({ payout }) => {
        payout.keyOwner = 'unavailable';
      });
      return { payment, deadline: afterSeconds(scene, 299) };
    },
  },
  {
    name: 'withdrawal under review',
    open: async (scene) => ({
      payment: await withdrawalOf(scene, { reviewRequested: true }),
      deadline: afterSeconds(scene, IN_A_WHILE),
    }),
  },
  {
    name: 'withdrawal under review, not judged by the rules',
    open: async (scene) => ({
      payment: await withdrawalOf(scene, {}, ({ ruling }) => void ruling.down.add('creation').add('review')),
      deadline: afterSeconds(scene, 9),
    }),
  },
  {
    name: 'withdrawal approved: the operation is suspended',
    open: async (scene) => ({
      payment: await withdrawalOf(scene, {}, ({ ruling }) => (ruling.dispatch.operationSuspended = true)),
      deadline: afterSeconds(scene, 9),
    }),
  },
  {
    name: 'withdrawal approved: the outcome of the send is unknown, and it was taken',
    open: async (scene) => ({
      payment: await withdrawalOf(scene, {}, ({ payout }) => void payout.sendAnswers.push('times_out_accepted')),
      deadline: afterSeconds(scene, 29),
    }),
  },
  {
    name: 'withdrawal approved: the outcome of the send is unknown, and the alert is due',
    open: async (scene) => ({
      payment: await withdrawalOf(scene, {}, ({ payout }) => void payout.sendAnswers.push('times_out_lost')),
      deadline: afterSeconds(scene, 119),
    }),
  },
  {
    name: 'withdrawal processing',
    open: async (scene) => ({ payment: await withdrawalOf(scene), deadline: afterSeconds(scene, 29) }),
  },
];

function ask(scene: Scene, payment: Payment, request: Request): void {
  const isDeposit = payment.kind === 'deposit';
  switch (request) {
    case 'look-up':
      scene.update('refresh', ...(isDeposit ? [{ endToEndId: null }] : []));
      return;
    case 'cancel':
      scene.update('cancel');
      return;
    case 'review': {
      const actId = payment.act(`${payment.kind}.approve`, 'ana');
      scene.update('review', { decision: 'approve', actId });
      return;
    }
    case 'callback':
      if (isDeposit) scene.run.signal('chargeNotice', []);
      else scene.run.signal('payoutNotice', []);
      return;
    case 'check again':
      if (!isDeposit) scene.run.signal('checkAgain', []);
      return;
    case 'continue as new':
      scene.continueAsNew();
  }
}

function disturb(scene: Scene, { id }: Payment, disturbance: Disturbance): void {
  const { world, temporal } = scene;
  switch (disturbance) {
    case 'nobody away':
      return;
    case 'workers away':
      temporal.setWorkers(false);
      return;
    case 'provider silent':
      world.provider.charge(id).isSilent = true;
      world.provider.payout(id).isSilent = true;
      return;
    case 'database down':
      world.database.breakDown(id, 'refuses');
      return;
    case 'rules silent':
      for (const question of ['creation', 'payment', 'dict', 'review', 'dispatch'] as const)
        world.rules.of(id).down.add(question);
  }
}

function heal(scene: Scene, payment: Payment): void {
  const { world, temporal } = scene;
  const payout = world.provider.payout(payment.id);
  world.heal();
  temporal.setWorkers(true);
  payment.ruling.dispatch = {};
  payout.keyOwner = 'match';
  payout.isSettledAtOnce = true;
}

interface Situation {
  readonly requests: readonly Request[];
  readonly disturbance: Disturbance;
  readonly moment: (typeof MOMENTS)[number];
}

/** All of them, or every `every`th: a different part of them for each wait. */
function situations(every: number, offset: number): Situation[] {
  const all = DISTURBANCES.flatMap((disturbance) =>
    MOMENTS.flatMap((moment) => subsetsOf(REQUESTS).map((requests): Situation => ({ requests, disturbance, moment }))),
  );
  return all.filter((_, index) => index % every === offset % every);
}

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}

async function play({ open }: Wait, { requests, disturbance, moment }: Situation): Promise<void> {
  const scene = new Scene();
  try {
    const { payment, deadline } = await open(scene);
    const until = async (ms: number) => scene.pass(Math.max(0, (ms - scene.nowMs) / 1_000));
    await until(deadline() - BEFORE_SECONDS * 1_000);
    const isLate = disturbance === 'nobody away';
    disturb(scene, payment, disturbance);
    if (!isLate) for (const request of requests) ask(scene, payment, request);
    await until(deadline() + moment * 1_000);
    if (isLate) for (const request of requests) ask(scene, payment, request);
    if (isLate) await scene.pass(0);
    heal(scene, payment);
    await scene.pass(A_DAY);
    if (payment instanceof DepositCase) await sweep(scene, payment);
    judge(scene, payment, requests);
  } finally {
    await scene.temporal.close();
  }
}

/** The sweep of the provider's account tells a deposit that ended of a payment that it does not show. */
async function sweep(scene: Scene, { id, row, charge, order: { operationId } }: DepositCase): Promise<void> {
  if (scene.run.isOpen || charge.payments.length === 0 || row.endToEndId !== null) return;
  await scene.start(DEPOSIT_WORKFLOW, id, { kind: 'reopen', id, operationId });
  scene.run.signal('chargeNotice', []);
  await scene.pass(A_DAY);
}

/** States in which the payment may rest for days, because a person must decide. */
const RESTS = ['under_review'];

function judge(scene: Scene, payment: Payment, requests: readonly Request[]): void {
  const { run, temporal, activations, world } = scene;
  const { row } = payment;
  assert.deepEqual(temporal.faults, []);
  assert.ok(activations <= MOST_ACTIVATIONS, `${activations} activations`);
  for (const { name, update } of scene.asked) assert.notEqual(update.end, null, `${name} was answered`);
  assert.equal(run.isOpen, RESTS.includes(row.status), `${row.status}, running: ${run.isOpen}`);
  assert.equal(run.waitsForWorker, false);
  const total = LEDGER_ACCOUNTS.reduce((sum, account) => sum + world.database.balance(row.operationId, account), 0n);
  assert.equal(total, 0n, 'the ledger balances');
  if (payment instanceof DepositCase) judgeDeposit(scene, payment, requests);
  else judgeWithdrawal(scene, payment);
}

function judgeDeposit({ world }: Scene, deposit: DepositCase, requests: readonly Request[]): void {
  const { row, charge } = deposit;
  const [payment] = charge.payments;
  const open = world.database.alerts.filter(({ objectId, resolved }) => objectId === deposit.id && !resolved);
  const kinds = open.map(({ kind }) => kind);
  assert.ok(!kinds.includes('EXPIRY_UNCONFIRMED'), 'once the provider answers, the expiry is confirmed');
  if (payment === undefined) {
    assert.ok(['expired', 'cancelled'].includes(row.status), `nobody paid: ${row.status}`);
    return;
  }
  const moved = world.database.movements.filter(({ objectId }) => objectId === deposit.id);
  assert.notEqual(sumOf(moved, 'provider_clearing') === 0n && row.status !== 'returned', true, 'the payment is booked');
  if (payment.payerMatch !== 'match') return;
  if (row.status === 'expired') assert.ok(kinds.includes('PAID_IN_TIME'), 'paid in time, and nobody was told');
  else if (row.status === 'cancelled') assert.ok(requests.includes('cancel') && kinds.includes('LATE_PAYMENT'));
  else if (row.status === 'under_review') assert.deepEqual(row.reviewReasons, ['RULES_UNAVAILABLE']);
  else assert.equal(row.status, 'paid');
}

function judgeWithdrawal({ world }: Scene, withdrawal: WithdrawalCase): void {
  const { row, payout } = withdrawal;
  assert.ok(payout.sendsThatLeft <= 1, 'sent once at most');
  const moved = world.database.movements.filter(({ objectId }) => objectId === withdrawal.id);
  if (row.status !== 'under_review') assert.equal(sumOf(moved, 'pending_out'), 0n, 'nothing stays reserved');
  if (row.status === 'paid') assert.equal(payout.state?.status, 'paid');
  else assert.equal(payout.state, null, `${row.status}, and the provider has it`);
}

/** A prime, so that each wait meets every disturbance with other sets of requests. `WAITS_EVERY=1` plays them all. */
const EVERY = Number(process.env['WAITS_EVERY'] ?? 31);

describe('every wait', function () {
  this.timeout(60_000 + 1_800_000 / EVERY);
  for (const [index, wait] of WAITS.entries())
    it(`${wait.name}: progress, answers, the right end`, async () => {
      const failures: string[] = [];
      for (const situation of situations(EVERY, index)) {
        const { requests, disturbance, moment } = situation;
        await play(wait, situation).catch((error: unknown) => {
          const asked = requests.length === 0 ? 'nothing' : requests.join(', ');
          const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
          failures.push(`${disturbance}, ${moment} s, asked: ${asked}: ${why}`);
        });
      }
      assert.deepEqual(failures, []);
    });
});
