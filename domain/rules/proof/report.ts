// The report of a proposed change of rules: the outcomes of the decisions of the last 30 days under the proposed rules.
// Plain JSON with every list in a fixed order, so that the same input always gives the same text.
import { formatBrl } from '../../money.js';
import {
  type DecidedCase,
  decidedThen,
  type FlipExample,
  type MadeDecision,
  needsTwoPeople,
  type NotComparable,
  redecide,
  type Rules,
  type Subject,
  SUBJECT_OUTCOMES,
  subjectOf,
  type Why,
  whyFlipped,
} from './redecide.js';

export const REPORT_DAYS = 30;
/** Examples per kind of flip: those with the highest amounts. */
export const EXAMPLES_PER_FLIP = 5;

/** The number and amount of decisions with an outcome. Amounts are minor units of the report's currency. */
export interface OutcomeCount {
  readonly subject: Subject;
  readonly outcome: string;
  /** The recorded outcomes, under the rules of that time. */
  readonly decided: number;
  /** The same facts under the rules that the change was made from. */
  readonly in_force: number;
  readonly proposed: number;
  readonly in_force_minor: string;
  readonly proposed_minor: string;
}

export interface Flip {
  readonly subject: Subject;
  readonly from: string;
  readonly to: string;
  readonly decisions: number;
  readonly players: number;
  readonly amount_minor: string;
  readonly examples: readonly FlipExample[];
}

export interface Movement {
  readonly decisions: number;
  readonly amount_minor: string;
}

/** A reason that the proposed rules give more or less often. */
export interface ReasonCount {
  readonly subject: Subject;
  readonly code: string;
  readonly in_force: number;
  readonly proposed: number;
}

export interface RuleChangeReport {
  readonly currency: string;
  /** Decisions from here on (inclusive) … */
  readonly from: string;
  /** … to here (exclusive), RFC 3339. */
  readonly through: string;
  /** Whether not all decisions were read; `from` is then the time of the oldest that was. */
  readonly is_cut_off: boolean;
  readonly compared: number;
  readonly not_comparable: Readonly<Record<NotComparable, number>>;
  /** Compared decisions whose recorded outcome differs from that of the rules in force. */
  readonly decided_under_other_rules: number;
  /**
   * This and the following fields compare the rules in force with the proposed ones. `players_unknown`: flipped
   * decisions without a recorded player.
   */
  readonly flipped: { readonly decisions: number; readonly players: number; readonly players_unknown: number };
  readonly to_review: Movement;
  readonly from_review: Movement;
  /** Withdrawals that would newly need a second person, or no more; whatever waited before and after. */
  readonly to_two_people: Movement;
  readonly from_two_people: Movement;
  readonly outcomes: readonly OutcomeCount[];
  readonly flips: readonly Flip[];
  readonly reasons: readonly ReasonCount[];
}

interface Tally {
  decided: number;
  inForce: number;
  proposed: number;
  inForceMinor: bigint;
  proposedMinor: bigint;
}

interface MovementTally {
  decisions: number;
  amountMinor: bigint;
}

interface FlipTally extends MovementTally {
  readonly players: Set<string>;
  examples: (FlipExample & { readonly why: readonly Why[] })[];
}

/** Takes decided cases one by one. Its memory grows only with the number of players whose decisions flip. */
export class ReportBuilder {
  private compared = 0;
  private decidedUnderOtherRules = 0;
  private readonly notComparable: Record<NotComparable, number> = {
    facts_missing: 0,
    directory_not_asked: 0,
    facts_of_other_rules: 0,
  };
  private readonly outcomes = new Map<string, Tally>();
  private readonly flips = new Map<string, FlipTally>();
  private readonly reasons = new Map<string, { inForce: number; proposed: number }>();
  private readonly toTwoPeople: MovementTally = { decisions: 0, amountMinor: 0n };
  private readonly fromTwoPeople: MovementTally = { decisions: 0, amountMinor: 0n };
  private readonly players = new Set<string>();
  private playersUnknown = 0;

  constructor(
    private readonly inForce: Rules,
    private readonly proposed: Rules,
  ) {}

  add(asked: DecidedCase): void {
    const before = redecide(asked, this.inForce);
    const after = redecide(asked, this.proposed);
    if (before.kind === 'not_comparable') this.notComparable[before.because] += 1;
    else if (after.kind === 'not_comparable') this.notComparable[after.because] += 1;
    else this.count(asked, before, after);
  }

  private count(asked: DecidedCase, before: MadeDecision, after: MadeDecision): void {
    const subject = subjectOf(asked);
    const amountMinor = asked.amountMinor ?? 0n;
    const then = decidedThen(asked).kind;
    this.compared += 1;
    if (then !== before.outcome.kind) this.decidedUnderOtherRules += 1;
    this.tally(subject, then).decided += 1;
    const [was, is] = [this.tally(subject, before.outcome.kind), this.tally(subject, after.outcome.kind)];
    was.inForce += 1;
    was.inForceMinor += amountMinor;
    is.proposed += 1;
    is.proposedMinor += amountMinor;
    for (const code of before.outcome.reasons ?? []) this.reason(subject, code).inForce += 1;
    for (const code of after.outcome.reasons ?? []) this.reason(subject, code).proposed += 1;
    const [took, takes] = [needsTwoPeople(before), needsTwoPeople(after)];
    if (took !== takes) add(takes ? this.toTwoPeople : this.fromTwoPeople, amountMinor);
    if (before.outcome.kind !== after.outcome.kind) this.flip(asked, subject, amountMinor, before, after);
  }

  private flip(
    asked: DecidedCase,
    subject: Subject,
    amountMinor: bigint,
    before: MadeDecision,
    after: MadeDecision,
  ): void {
    const { objectId, decidedAt, playerRef } = asked;
    const flip = entryOf(this.flips, keyOf(subject, before.outcome.kind, after.outcome.kind), (): FlipTally => ({
      decisions: 0,
      amountMinor: 0n,
      players: new Set(),
      examples: [],
    }));
    add(flip, amountMinor);
    if (playerRef === null) this.playersUnknown += 1;
    else {
      flip.players.add(playerRef);
      this.players.add(playerRef);
    }
    const smallest = flip.examples.at(-1);
    const isFull = flip.examples.length === EXAMPLES_PER_FLIP;
    const candidate = { object_id: objectId, decided_at: decidedAt, amount_minor: amountMinor.toString(), why: [] };
    if (isFull && smallest !== undefined && byAmount(candidate, smallest) > 0) return;
    flip.examples.push({ ...candidate, why: whyFlipped(before.reports, after.reports) });
    flip.examples = flip.examples.sort(byAmount).slice(0, EXAMPLES_PER_FLIP);
  }

  /** The report of the cases so far. `from` and `through` are the window that the caller read. */
  report(window: {
    readonly currency: string;
    readonly from: string;
    readonly through: string;
    readonly isCutOff: boolean;
  }): RuleChangeReport {
    return {
      currency: window.currency,
      from: window.from,
      through: window.through,
      is_cut_off: window.isCutOff,
      compared: this.compared,
      not_comparable: { ...this.notComparable },
      decided_under_other_rules: this.decidedUnderOtherRules,
      flipped: {
        decisions: sum([...this.flips.values()].map(({ decisions }) => decisions)),
        players: this.players.size,
        players_unknown: this.playersUnknown,
      },
      to_review: this.movement((_from, to) => to === 'review'),
      from_review: this.movement((from) => from === 'review'),
      to_two_people: movementOf(this.toTwoPeople),
      from_two_people: movementOf(this.fromTwoPeople),
      outcomes: this.outcomeCounts(),
      flips: this.flipCounts(),
      reasons: this.reasonCounts(),
    };
  }

  private movement(isOne: (from: string, to: string) => boolean): Movement {
    const moved = [...this.flips].filter(([key]) => {
      const [, from = '', to = ''] = partsOf(key);
      return isOne(from, to);
    });
    return {
      decisions: sum(moved.map(([, { decisions }]) => decisions)),
      amount_minor: moved.reduce((total, [, { amountMinor }]) => total + amountMinor, 0n).toString(),
    };
  }

  /** Every outcome of every subject, zeros included. */
  private outcomeCounts(): OutcomeCount[] {
    return (Object.keys(SUBJECT_OUTCOMES) as Subject[]).flatMap((subject) =>
      SUBJECT_OUTCOMES[subject].map((outcome) => {
        const { decided, inForce, proposed, inForceMinor, proposedMinor } = this.tally(subject, outcome);
        return {
          subject,
          outcome,
          decided,
          in_force: inForce,
          proposed,
          in_force_minor: inForceMinor.toString(),
          proposed_minor: proposedMinor.toString(),
        };
      }),
    );
  }

  private flipCounts(): Flip[] {
    return sortedByKey(this.flips).map(([key, { decisions, players, amountMinor, examples }]) => {
      const [subject, from = '', to = ''] = partsOf(key);
      return {
        subject: subject as Subject,
        from,
        to,
        decisions,
        players: players.size,
        amount_minor: amountMinor.toString(),
        examples,
      };
    });
  }

  private reasonCounts(): ReasonCount[] {
    return sortedByKey(this.reasons).flatMap(([key, { inForce, proposed }]) => {
      const [subject, code = ''] = partsOf(key);
      return inForce === proposed ? [] : [{ subject: subject as Subject, code, in_force: inForce, proposed }];
    });
  }

  private tally(subject: Subject, outcome: string): Tally {
    return entryOf(this.outcomes, keyOf(subject, outcome), () => ({
      decided: 0,
      inForce: 0,
      proposed: 0,
      inForceMinor: 0n,
      proposedMinor: 0n,
    }));
  }

  private reason(subject: Subject, code: string) {
    return entryOf(this.reasons, keyOf(subject, code), () => ({ inForce: 0, proposed: 0 }));
  }
}

function add(tally: MovementTally, amountMinor: bigint): void {
  tally.decisions += 1;
  tally.amountMinor += amountMinor;
}

function movementOf({ decisions, amountMinor }: MovementTally): Movement {
  return { decisions, amount_minor: amountMinor.toString() };
}

/** Sorts by amount, descending, then by id: the order does not depend on the order of reading. */
function byAmount(one: FlipExample, other: FlipExample): number {
  const difference = BigInt(other.amount_minor) - BigInt(one.amount_minor);
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  return compareText(one.object_id, other.object_id);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function keyOf(...parts: readonly string[]): string {
  return parts.join(' ');
}

function partsOf(key: string): string[] {
  return key.split(' ');
}

function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}

function sortedByKey<Value>(map: Map<string, Value>): [string, Value][] {
  return [...map].sort(([one], [other]) => compareText(one, other));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * The report in one line, for the Temporal UI and for lists, counts and amounts only:
 * "31 of 1204 decisions flip (12 players) · R$ 4.500,00 to review, R$ 0,00 from review · 3 not comparable".
 */
export function reportInOneLine({
  compared,
  not_comparable: notComparable,
  flipped,
  to_review: to,
  from_review: from,
}: RuleChangeReport): string {
  const unknown = Object.values(notComparable).reduce((total, count) => total + count, 0);
  const count = `${flipped.players}${flipped.players_unknown === 0 ? '' : '+'}`;
  const players = `${count} ${flipped.players === 1 ? 'player' : 'players'}`;
  const moved = `${formatBrl(BigInt(to.amount_minor))} to review, ${formatBrl(BigInt(from.amount_minor))} from review`;
  return `${flipped.decisions} of ${compared} decisions flip (${players}) · ${moved} · ${unknown} not comparable`;
}
