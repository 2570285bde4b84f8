// The people of a run who decide: they approve, refuse, return, cancel and write off, as the panel's and the command's
// acts do, and settle money in suspense by the provider's books.
import { cancelPayment, decideDeposit, decideWithdrawal, writeOffPayout } from '../../staff/acts/payments.js';
import { lookUp } from '../../staff/acts/look-ups.js';
import { DEFAULT_DEADLINES } from '../../platform/temporal/calls.js';
import { DepositWorkflows, WithdrawalWorkflows } from '../../platform/temporal/payment-workflows.js';
import { ensureClaimedPerson } from '../../store/staff/people.js';
import type { Scene } from './scene.js';
import type { Habit } from './mix.js';
import type { Office } from './office.js';
import type { Operator } from './operator.js';
import { provider } from './provider.js';
import { short } from './story.js';

const PEOPLE = ['ana', 'ben', 'caio'] as const;
const MINUTE_MS = 60_000;
const LEFT_MS = 4 * 60 * MINUTE_MS;
/** Who wants to know of a payment asks of a late one, as a rule. */
const LATEST = 12;

interface Case {
  readonly task: 'decide' | 'write off' | 'suspense' | 'conclude' | 'fund';
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly reasons: readonly string[];
  readonly operation_id: string;
  readonly provider: string;
  readonly version: number;
  readonly amount: string;
  /** The end-to-end id of the payment in suspense, or of the one whose return is under way. */
  readonly payment: string | null;
}

export class Staff {
  readonly #chance;
  /** What the rules refuse can only be refused. */
  readonly #refusedByRules = new Set<string>();
  /** What could not be approved can only be returned. */
  readonly #notApprovable = new Set<string>();
  /** Until when nobody looks at a case again. */
  readonly #leftUntilMs = new Map<string, number>();

  /** Of the payments in suspense that somebody took on. */
  readonly #taken = new Set<string>();

  constructor(
    private readonly world: Scene,
    private readonly office: Office,
  ) {
    this.#chance = world.chance.branch('staff');
  }

  begin(): void {
    this.world.actsOf('a person looks a payment up', this.#chance.branch('look-ups'), () =>
      this.lookUpSome(this.#chance.of(this.world.operators)),
    );
    const look = async () => {
      const work = await this.#work();
      await this.#decideSome(work.filter(({ task }) => task === 'decide'));
      await this.#writeOffSome(work.filter(({ task }) => task === 'write off'));
      for (const one of work) if (one.task === 'suspense') await this.#settleSuspense(one);
      for (const one of work) if (one.task === 'conclude') await this.#concludeReturn(one);
      for (const one of work) if (one.task === 'fund') await this.#fund(one);
      const minutes = this.world.isHealthy ? 20 : this.#chance.whole(2, 90);
      this.world.later((minutes * MINUTE_MS) / this.world.mix.haste, look);
    };
    this.world.later((this.#chance.whole(2, 30) * MINUTE_MS) / this.world.mix.haste, look);
  }

  /** What waits for people, in one statement. */
  #work(): Promise<Case[]> {
    return this.world.database.ask<Case>(
      `SELECT 'decide' AS task, id, 'deposit' AS kind, review_reasons AS reasons, operation_id, provider, version,
         amount_minor::text AS amount, NULL AS payment FROM deposit WHERE status = 'under_review'
       UNION ALL
       SELECT 'decide', id, 'withdrawal', decision_reasons, operation_id, provider, version, amount_minor::text, NULL
       FROM withdrawal WHERE status = 'under_review'
       UNION ALL
       SELECT 'write off', withdrawal.id, 'withdrawal', '{}', operation_id, provider, version, amount_minor::text, NULL
       FROM withdrawal JOIN payout_send ON withdrawal_id = withdrawal.id
       WHERE (withdrawal.status = 'approved' AND state = 'claimed' OR withdrawal.status = 'processing')
         AND claimed_at < now() - interval '24 hours'
       UNION ALL
       SELECT 'suspense', object_id, 'deposit', ARRAY[kind], alert.operation_id, provider, version, '0', occasion
       FROM alert JOIN deposit ON deposit.id = object_id
       WHERE kind IN ('LATE_PAYMENT', 'PAID_IN_TIME', 'EXTRA_PAYMENT') AND occasion IS NOT NULL
       UNION ALL
       SELECT 'conclude', id, 'deposit', '{}', operation_id, provider, version, '0', return_request->>'of' FROM deposit
       WHERE return_request IS NOT NULL AND (return_request->>'at')::timestamptz < now() - interval '24 hours'
       UNION ALL
       SELECT 'fund', withdrawal.id, 'withdrawal', '{}', alert.operation_id, provider, version, amount_minor::text, NULL
       FROM alert JOIN withdrawal ON withdrawal.id = object_id
       WHERE alert.kind = 'CASH_BOX_SHORT' AND resolved_at IS NULL AND status = 'approved'
       ORDER BY task, kind, id, payment`,
    );
  }

  async #decideSome(cases: readonly Case[]): Promise<void> {
    for (const one of cases.filter(({ id }) => (this.#leftUntilMs.get(id) ?? 0) <= this.world.machine.clock.nowMs)) {
      if (!this.world.isHealthy && this.#chance.is(0.3)) continue;
      const [first, second] = this.#two();
      const both = this.#is('two people decide at once');
      const acts = [this.#decide(one, first), ...(both ? [this.#decide(one, second)] : [])];
      if (both) this.world.coverage.note('sometimes', 'two people decided one payment at once');
      if (this.#is('a cancel races a decision')) acts.push(this.#cancelOf(one));
      await Promise.all(acts);
      if (one.reasons.includes('DUAL_APPROVAL_REQUIRED') && !both) await this.#decide(one, second);
    }
  }

  /** Its operator cancels it in the same moment, or somebody of the house does. */
  async #cancelOf({ id, kind, version }: Case): Promise<void> {
    this.world.coverage.note('sometimes', 'a cancel raced a decision');
    const operator = this.world.operators.find(({ asked }) => asked.some((one) => one.id === id));
    const asked = operator?.asked.find((one) => one.id === id);
    if (this.#is('a person cancels')) {
      const input = { id, kind, reason: 'as asked', seenVersion: version };
      const answer = await cancelPayment(this.#services, await this.#actor(this.#two()[0]), input);
      this.world.story.tell(`somebody cancels ${short(id)}: ${answer.kind}`);
    } else if (asked !== undefined) await operator?.cancel(asked);
  }

  /** Money that is in suspense goes back at the provider, or to the cash box: all of it, or the half. */
  async #settleSuspense({ id, payment, provider: slot, operation_id: operationId }: Case): Promise<void> {
    const operator = this.world.operators.find((one) => one.id === operationId);
    if (operator === undefined || payment === null || slot === this.world.mix.ill.slot) return;
    const key = `${id} ${payment}`;
    if (this.#taken.has(key) || (!this.world.isHealthy && this.#chance.is(0.5))) return;
    this.#taken.add(key);
    const booked = await this.#paymentOf(id, payment);
    if (booked === undefined) return;
    const amount = this.#chance.is(0.7) ? booked.amount_minor : String((BigInt(booked.amount_minor) + 1n) / 2n);
    if (booked.reversals.length === 0 && this.#chance.is(0.4)) {
      const way = this.#chance.of(['suspense_credited', 'suspense_assigned'] as const);
      if (await this.office.enter(operator, way, amount, { of: payment }))
        this.world.coverage.note('sometimes', 'money in suspense was credited');
      if (this.#chance.is(0.7)) return;
    }
    if (booked.reversals.length === 0 && this.#chance.is(0.5)) return this.#orderReturn(operator, payment);
    if (booked.reversals.length === 0) {
      await provider.reverse(slot, id, { kind: 'refund', amount, endToEndId: payment });
      this.world.noteMoved(id);
    }
    // The provider's return is a fact some moments later; the gateway may see it by itself, before or after them.
    for (const afterMs of [this.#chance.whole(1, 20) * 100, this.#chance.whole(1, 60) * 1_000, 2 * 60 * MINUTE_MS])
      this.world.plan(afterMs / this.world.mix.haste, () => this.#enterReturns(operator, id, payment));
  }

  /** The gateway has its provider return it, if nobody was quicker. */
  async #orderReturn({ id }: Operator, payment: string): Promise<void> {
    const given = ['--operation', id, '--reason', 'as written'];
    if ((await this.office.command('suspense', 'return', payment, ...given)) === null) return;
    this.world.coverage.note('sometimes', 'a payment in suspense was returned by its provider');
  }

  async #paymentOf(id: string, payment: string) {
    const { charge } = await provider.find(id);
    return charge?.payments.find(({ end_to_end_id: paid }) => paid === payment);
  }

  /** What went back by the provider's statement, entered whether or not the gateway knows: it counts once. */
  async #enterReturns(operator: Operator, id: string, payment: string): Promise<void> {
    const booked = await this.#paymentOf(id, payment);
    const done = booked?.reversals.filter(({ status }) => status === 'DEVOLVIDO') ?? [];
    for (const { return_id: returnId, amount_minor: amount } of done) {
      const named = this.#chance.is(0.8) ? returnId : null;
      const isEntered = await this.office.enter(operator, 'suspense_returned', amount, {
        of: payment,
        returnId: named,
      });
      this.world.coverage.note(
        'sometimes',
        isEntered ? 'a return was entered before its report' : 'a return was entered after its report',
      );
      if (this.#is('two people enter one return'))
        await this.office.enter(operator, 'suspense_returned', amount, { of: payment, returnId });
    }
  }

  /** The provider's statement about a return that it never finishes. */
  async #concludeReturn({ id, payment, provider: slot }: Case): Promise<void> {
    const { nowMs } = this.world.machine.clock;
    if (slot === this.world.mix.ill.slot || (this.#leftUntilMs.get(`return ${id}`) ?? 0) > nowMs) return;
    this.#leftUntilMs.set(`return ${id}`, nowMs + LEFT_MS);
    const booked = await this.#paymentOf(id, payment ?? '');
    const isDone = booked?.reversals.some(({ status }) => status === 'DEVOLVIDO');
    const result = isDone === true ? ['done', '--return-id', `D${'9'.repeat(31)}`] : ['never'];
    const given = ['--evidence', 'letter 1', '--reason', 'stuck', '--result', ...result];
    await this.office.command('review', 'conclude-return', id, ...given);
  }

  /** In the account that pays the withdrawal. */
  async #fund({ operation_id: operationId, provider: account, amount }: Case): Promise<void> {
    const operator = this.world.operators.find((one) => one.id === operationId);
    if (operator === undefined || !(this.world.isHealthy || this.#chance.is(0.3))) return;
    await this.office.enter(operator, 'funding', String(BigInt(amount) * 4n), { account });
  }

  async #decide({ id, kind, reasons }: Case, person: string): Promise<void> {
    const mustReturn = reasons.includes('AMOUNT_MISMATCH') || this.#notApprovable.has(id);
    const returns = mustReturn || this.#is('a person returns a deposit');
    const refuses = this.#refusedByRules.has(id) || this.#is('a person refuses');
    const decision = kind === 'deposit' ? (returns ? 'return' : 'approve') : refuses ? 'refuse' : 'approve';
    this.world.decisions.push({ id, person, decision, atMs: this.world.machine.clock.nowMs });
    this.world.story.tell(`${person} decides: ${decision} ${kind} ${short(id)}`);
    const input = { id, reason: 'looked at' };
    const [services, actor] = [this.#services, await this.#actor(person)];
    const askedMs = this.world.machine.clock.nowMs;
    const answer = await (kind === 'deposit'
      ? decideDeposit(services, actor, { ...input, decision: decision as 'approve' | 'return' })
      : decideWithdrawal(services, actor, { ...input, decision: decision as 'approve' | 'refuse' }));
    this.world.noteAnswer(id, decision, askedMs, answer.kind);
    this.world.story.tell(`${person} is answered about ${short(id)}: ${answer.kind}`);
    if (answer.kind === 'refused_by_rules') this.#refusedByRules.add(id);
    // A part of it has gone back: what is left can be returned only.
    if (answer.kind === 'invalid_state' && decision === 'approve') this.#notApprovable.add(id);
    // Its return is under way, or somebody decided it: people look again some hours later.
    if (answer.kind === 'invalid_state')
      this.#leftUntilMs.set(id, this.world.machine.clock.nowMs + LEFT_MS / this.world.mix.haste);
  }

  /** What the provider says in writing that it never accepted, or never paid: two people enter it. */
  async #writeOffSome(lost: readonly Case[]): Promise<void> {
    for (const { id, provider: slot } of lost) {
      if (slot === this.world.mix.ill.slot) continue;
      const { payout } = await provider.find(id);
      // Of one that may still be paid no provider says so: it must be sure that it never pays it.
      if (payout !== undefined && !['not_accepted', 'processing'].includes(payout.status)) continue;
      this.world.neverPaid.add(id);
      for (const person of this.#two()) {
        const input = { id, reason: 'the provider’s letter', evidence: `letter ${short(id)}` };
        const answer = await writeOffPayout(this.#services, await this.#actor(person), input);
        this.world.story.tell(`${person} writes off ${short(id)}: ${answer.kind}`);
        if (answer.kind === 'written_off') this.world.coverage.note('sometimes', 'a payout was written off');
      }
    }
  }

  /** Somebody wants to know what its provider says of some payment. */
  async lookUpSome(operator: Operator): Promise<void> {
    const known = operator.asked.filter(({ id }) => id !== null);
    if (known.length === 0) return;
    const { id, kind } = this.#chance.of(known.slice(-LATEST));
    const { workflow } = this.world.temporal.client();
    const given = [workflow, DEFAULT_DEADLINES] as const;
    const services = { deposits: new DepositWorkflows(...given), withdrawals: new WithdrawalWorkflows(...given) };
    const askedMs = this.world.machine.clock.nowMs;
    const person = await this.#actor(this.#two()[0]);
    const answer = await lookUp({ ...services, database: this.world.gateway.database }, person, { kind, id: id ?? '' });
    this.world.noteAnswer(id ?? '', 'look up', askedMs, answer.kind);
    this.world.story.tell(`somebody looks ${kind} ${short(id ?? '')} up: ${answer.kind}`);
  }

  #is(habit: Habit): boolean {
    const happens = this.#chance.is(this.world.mix.habits[habit]);
    if (happens) this.world.coverage.note('habit', habit);
    return happens;
  }

  #two(): [string, string] {
    const first = this.#chance.of(PEOPLE);
    return [first, this.#chance.of(PEOPLE.filter((person) => person !== first))];
  }

  get #services() {
    const client = this.world.temporal.client();
    return {
      database: this.world.gateway.database,
      withTemporal: <T>(work: (given: typeof client) => Promise<T>) => work(client),
    };
  }

  async #actor(person: string) {
    const handle = await ensureClaimedPerson(this.world.gateway.database, person);
    return { handle, means: 'claim', sessionId: null } as const;
  }
}
