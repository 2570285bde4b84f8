// Plays one scenario: every step, what must always hold after each, and the end that the world's own books allow.
import type { RulesQuestion } from '../../support/fakes/rules.js';
import { within } from '../../../tools/harness/eventually.js';
import { ProvedDeposit } from '../harness/deposit.js';
import { fundedOperation, type Stage } from '../harness/stage.js';
import { ProvedWithdrawal } from '../harness/withdrawal.js';
import { assertAlways } from './always.js';
import { assertEnd } from './ends.js';
import { History, type PlayedScenario } from './play.js';
import { PAYMENTS, type Scenario, type Step } from './steps.js';

const QUESTIONS: readonly RulesQuestion[] = ['creation', 'payment', 'dict', 'dispatch'];
/** What the server of a play can do besides. */
export interface Powers {
  readonly restartWorkers: () => Promise<void>;
  /** Lets time pass. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Whether that costs nothing: then deposits expire by the clock, otherwise they are made to. */
  readonly skipsTime: boolean;
}

/** Longer than a deposit's life, the directory's budget and every pause between look-ups of a payout. */
const REST_MS = 8_000_000;
/** A machine that is busy with other things takes no longer. */
const STEP_WITHIN_MS = 60_000;
/** How long it may really take until everything has come to rest. */
const REST_WITHIN_MS = 60_000;
const REST_STEP_MS = 500;
/** Some answers are waited for this long, and then not any more: a silent provider's may never come. */
const AWAITED_MS = 300;

/** Temporal let no time pass, for whatever reason of its own: nothing is said of the payments. */
export class TimeStandsStillError extends Error {
  override readonly name = 'TimeStandsStillError';
  constructor(cause: unknown) {
    super('time stands still', { cause });
  }
}

export class Play implements PlayedScenario {
  readonly deposits: readonly ProvedDeposit[];
  readonly withdrawals: readonly ProvedWithdrawal[];
  readonly history = new History();
  private readonly pending: Promise<unknown>[] = [];

  private constructor(
    readonly stage: Stage,
    readonly operationId: string,
    private readonly powers: Powers,
    scenario: Scenario,
  ) {
    this.deposits = Array.from({ length: PAYMENTS }, () => new ProvedDeposit(stage, operationId));
    this.withdrawals = scenario.withdrawals.map(({ holder, ...settings }) => {
      const withdrawal = new ProvedWithdrawal(stage, operationId, settings);
      withdrawal.key.holder = holder;
      this.history.note(withdrawal.id, `holder: ${holder}`);
      return withdrawal;
    });
    const [first] = this.deposits;
    if (scenario.refusedCharge && first !== undefined) first.charge.refusal = 'psp_rejected';
  }

  /** Plays a scenario on a stage, with its own operation. */
  static async run(stage: Stage, powers: Powers, scenario: Scenario): Promise<void> {
    const play = new Play(stage, await fundedOperation(stage), powers, scenario);
    await play.run(scenario.steps);
  }

  get payments(): readonly (ProvedDeposit | ProvedWithdrawal)[] {
    return [...this.deposits, ...this.withdrawals];
  }

  private async run(steps: readonly Step[]): Promise<void> {
    for (const payment of this.payments) this.begin(payment.create());
    for (const step of steps) {
      await this.take(step);
      await assertAlways(this);
    }
    await this.comeToRest();
  }

  private begin(answer: Promise<unknown>): void {
    // A fault is reported when everything has come to rest.
    answer.catch(() => undefined);
    this.pending.push(answer);
  }

  private async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'deposit':
      case 'withdrawal': {
        const answer = step.kind === 'deposit' ? this.askDeposit(step) : this.askWithdrawal(step);
        this.begin(answer);
        // Some wait for a provider that is silent; nobody waits for those.
        if (step.awaited)
          await Promise.race([
            answer.catch(() => undefined),
            new Promise((resolve) => setTimeout(resolve, AWAITED_MS)),
          ]);
        return;
      }
      case 'pay':
        return this.pay(step);
      case 'charge':
        return this.charge(step);
      case 'payout':
        return this.payout(step);
      case 'fate':
        this.withdrawal(step).payout.fates.push(step.fate);
        this.history.note(this.withdrawal(step).id, `fate: ${step.fate}`);
        return;
      case 'key':
        this.withdrawal(step).key.holder = step.holder;
        this.history.note(this.withdrawal(step).id, `holder: ${step.holder}`);
        return;
      case 'dispatch':
        Object.assign(this.withdrawal(step).ruling.dispatch, {
          operationSuspended: step.is === 'suspended',
          playerBlocked: step.is === 'blocked',
        });
        this.history.note(this.withdrawal(step).id, `dispatch: ${step.is}`);
        return;
      case 'rules':
        return this.setRules(step.are === 'down');
      case 'completion lost':
        this.history.note(this.payment(step).id, 'completion lost');
        return this.stage.crashes.loseCompletion(this.payment(step).id);
      case 'task lost':
        return this.stage.crashes.loseTask(this.payment(step).id);
      case 'workers restarted':
        for (const { id } of this.payments) this.history.note(id, 'workers restarted');
        return within(STEP_WITHIN_MS, this.powers.restartWorkers(), 'the workers are restarted');
      case 'time passes':
        return this.sleep(step.seconds * 1000);
    }
  }

  private async askDeposit({ at, act }: Extract<Step, { kind: 'deposit' }>): Promise<unknown> {
    const deposit = this.deposit({ at });
    this.history.note(deposit.id, act);
    // The ingress and the sandbox ask only for what is stored.
    if ((act === 'refresh' || act === 'notice') && (await deposit.status()) === null) return;
    return act === 'approve' || act === 'return' ? deposit.review(act) : deposit[act]();
  }

  private async askWithdrawal({ at, act }: Extract<Step, { kind: 'withdrawal' }>): Promise<unknown> {
    const withdrawal = this.withdrawal({ at });
    this.history.note(withdrawal.id, act);
    if ((act === 'refresh' || act === 'notice') && (await withdrawal.status()) === null) return;
    return act === 'approve' || act === 'refuse' ? withdrawal.review(act) : withdrawal[act]();
  }

  /** Only a charge that is there can be paid. */
  private async pay({ at, payer, exactly }: Extract<Step, { kind: 'pay' }>): Promise<void> {
    const deposit = this.deposit({ at });
    if (deposit.charge.status !== 'open') return;
    await deposit.payAtProvider(payer, exactly ? deposit.order.amountMinor : '4999');
  }

  private charge({ at, does }: Extract<Step, { kind: 'charge' }>): void {
    const deposit = this.deposit({ at });
    const { charge } = deposit;
    if (does === 'falls silent' || does === 'answers') charge.isSilent = does === 'falls silent';
    else if (does === 'removed') charge.status = charge.status === null ? null : 'removed';
    else deposit.reverseAtProvider(does);
    this.history.note(deposit.id, does);
  }

  private payout({ at, does }: Extract<Step, { kind: 'payout' }>): void {
    const withdrawal = this.withdrawal({ at });
    const { payout } = withdrawal;
    const now = new Date().toISOString();
    if (does === 'falls silent' || does === 'answers') payout.isSilent = does === 'falls silent';
    else if (payout.state === null) return;
    else if (does === 'settled') payout.settle(now);
    else if (does === 'failed') payout.fail('AC03');
    else if (payout.state.status === 'paid') payout.giveBack(now);
    else return;
    this.history.note(withdrawal.id, does);
  }

  private setRules(down: boolean): void {
    for (const { ruling } of this.payments)
      for (const question of QUESTIONS) down ? ruling.down.add(question) : ruling.down.delete(question);
    if (down) for (const { id } of this.payments) this.history.note(id, 'rules down');
  }

  /** Everything works again; what must be done is done in the end, however long ago it was asked for. */
  private async comeToRest(): Promise<void> {
    this.stage.crashes.heal();
    this.stage.port.heal();
    this.setRules(false);
    for (const { ruling } of this.withdrawals) ruling.dispatch.operationSuspended = false;
    if (this.powers.skipsTime) await this.sleep(REST_MS);
    await Promise.all(this.pending);
    const end = performance.now() + REST_WITHIN_MS;
    for (;;) {
      this.settlePayouts();
      for (const payment of this.payments) if ((await payment.status()) !== null) await payment.refresh();
      if (!this.powers.skipsTime)
        for (const deposit of this.deposits) if ((await deposit.status()) === 'pending') await deposit.expire();
      await assertAlways(this);
      const problem = await assertEnd(this).then(
        () => null,
        (error: Error) => error,
      );
      if (problem === null) return;
      if (performance.now() > end) throw problem;
      await this.sleep(this.powers.skipsTime ? REST_MS : REST_STEP_MS);
    }
  }

  private async sleep(milliseconds: number): Promise<void> {
    await within(STEP_WITHIN_MS, this.powers.sleep(milliseconds), 'time passes').catch((cause: unknown) => {
      throw new TimeStandsStillError(cause);
    });
  }

  /** A payout whose state the provider keeps open is settled at last, as it would be. */
  private settlePayouts(): void {
    for (const { payout, id } of this.withdrawals) {
      if (payout.state?.status !== 'processing') continue;
      payout.settle(new Date().toISOString());
      this.history.note(id, 'settled');
    }
  }

  private payment({
    of,
    at,
  }: {
    readonly of: 'deposit' | 'withdrawal';
    readonly at: number;
  }): ProvedDeposit | ProvedWithdrawal {
    return of === 'deposit' ? this.deposit({ at }) : this.withdrawal({ at });
  }

  private deposit({ at }: { readonly at: number }): ProvedDeposit {
    return this.deposits[at] as ProvedDeposit;
  }

  private withdrawal({ at }: { readonly at: number }): ProvedWithdrawal {
    return this.withdrawals[at] as ProvedWithdrawal;
  }
}
