// The people of a run who decide: they approve, refuse, return and write off, as the panel's and the command's acts do.
import { decideDeposit, decideWithdrawal, writeOffPayout } from '../../staff/acts/payments.js';
import { ensureClaimedPerson } from '../../store/staff/people.js';
import type { LabGateway } from '../gateway.js';
import type { World } from './world.js';
import { provider, referenceOf } from './provider.js';
import { short } from './story.js';

const PEOPLE = ['ana', 'ben', 'caio'] as const;
const MINUTE_MS = 60_000;
const LEFT_MS = 4 * 60 * MINUTE_MS;

interface Case {
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly reasons: readonly string[];
}

export class Staff {
  readonly #chance;
  /** Until when nobody looks at a case again. */
  readonly #leftUntilMs = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly gateway: LabGateway,
  ) {
    this.#chance = world.chance.branch('staff');
  }

  begin(): void {
    const look = async () => {
      await this.#decideSome();
      await this.#writeOffSome();
      this.world.later((this.world.isHealthy ? 20 : this.#chance.whole(2, 90)) * MINUTE_MS, look);
    };
    this.world.later(this.#chance.whole(2, 30) * MINUTE_MS, look);
  }

  async #decideSome(): Promise<void> {
    const cases = await this.world.database.ask<Case>(
      `SELECT id, 'deposit' AS kind, review_reasons AS reasons FROM deposit WHERE status = 'under_review' UNION ALL
       SELECT id, 'withdrawal', decision_reasons FROM withdrawal WHERE status = 'under_review' ORDER BY id`,
    );
    for (const one of cases.filter(({ id }) => (this.#leftUntilMs.get(id) ?? 0) <= this.world.machine.clock.nowMs)) {
      if (!this.world.isHealthy && this.#chance.is(0.3)) continue;
      const [first, second] = this.#two();
      const both = this.#is('two people decide at once');
      const acts = [this.#decide(one, first), ...(both ? [this.#decide(one, second)] : [])];
      if (both) this.world.coverage.note('sometimes', 'two people decided one payment at once');
      await Promise.all(acts);
      if (one.reasons.includes('DUAL_APPROVAL_REQUIRED') && !both) await this.#decide(one, second);
    }
  }

  async #decide({ id, kind, reasons }: Case, person: string): Promise<void> {
    const returns = reasons.includes('AMOUNT_MISMATCH') || this.#is('a person returns a deposit');
    const decision =
      kind === 'deposit' ? (returns ? 'return' : 'approve') : this.#is('a person refuses') ? 'refuse' : 'approve';
    this.world.decisions.push({ id, person, decision });
    this.world.story.tell(`${person} decides: ${decision} ${kind} ${short(id)}`);
    const input = { id, reason: 'looked at' };
    const [services, actor] = [this.#services, await this.#actor(person)];
    const answer = await (kind === 'deposit'
      ? decideDeposit(services, actor, { ...input, decision: decision as 'approve' | 'return' })
      : decideWithdrawal(services, actor, { ...input, decision: decision as 'approve' | 'refuse' }));
    this.world.story.tell(`${person} is answered about ${short(id)}: ${answer.kind}`);
    // Its return is under way, or somebody decided it: people look again some hours later.
    if (answer.kind === 'invalid_state') this.#leftUntilMs.set(id, this.world.machine.clock.nowMs + LEFT_MS);
  }

  /** What the provider says in writing that it never accepted, or never paid: two people enter it. */
  async #writeOffSome(): Promise<void> {
    const lost = await this.world.database.ask<{ id: string }>(
      `SELECT withdrawal.id FROM withdrawal JOIN payout_send ON withdrawal_id = withdrawal.id
       WHERE withdrawal.status = 'approved' AND state = 'claimed' AND claimed_at < now() - interval '24 hours'
       ORDER BY id`,
    );
    if (lost.length === 0) return;
    const { payouts } = await provider.books();
    for (const { id } of lost) {
      const payout = payouts.find(({ reference }) => reference === referenceOf(id));
      if (payout !== undefined && payout.status !== 'not_accepted') continue;
      for (const person of this.#two()) {
        const input = { id, reason: 'the provider’s letter', evidence: `letter ${short(id)}` };
        const answer = await writeOffPayout(this.#services, await this.#actor(person), input);
        this.world.story.tell(`${person} writes off ${short(id)}: ${answer.kind}`);
        if (answer.kind === 'written_off') this.world.coverage.note('sometimes', 'a payout was written off');
      }
    }
  }

  #is(habit: 'two people decide at once' | 'a person refuses' | 'a person returns a deposit'): boolean {
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
      database: this.gateway.database,
      withTemporal: <T>(work: (given: typeof client) => Promise<T>) => work(client),
    };
  }

  async #actor(person: string) {
    const handle = await ensureClaimedPerson(this.gateway.database, person);
    return { handle, means: 'claim', sessionId: null } as const;
  }
}
