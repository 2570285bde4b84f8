// What people set as rules holds for what comes after: nothing beyond the limits is taken, and what they keep for
// people is decided by people.
import { brl, short } from '../world/story.js';
import { type Evidence, type Finding, groupBy, type Row, type RulesSet, sum } from './evidence.js';

/** Rules hold for what comes so long after they were set. */
const KNOWN_AFTER_MS = 60_000;
/** States of a withdrawal that was decided, and not against. */
const LET_OUT = ['approved', 'processing', 'paid', 'failed', 'returned'];
/** States in which a withdrawal counts. */
const COUNTED = ['approved', 'processing', 'paid'];
/** The days of the rules are those of São Paulo, which is three hours behind all year. */
const localDayOf = (ms: number) => new Date(ms - 3 * 3_600_000).toISOString().slice(0, 10);

interface Withdrawal {
  readonly row: Row;
  readonly player: string;
  readonly wantsReview: boolean;
}

/** Why a withdrawal is refused whose player or key was blocked after its approval. */
const BLOCKED_LATER = 'BLOCKLIST_HIT_AT_DISPATCH';

/** Judges payments by the rules that nobody has changed since. Of earlier ones it is not known which rules held. */
export function judgeRules({ rules, operators, lists }: Evidence, rows: readonly Row[]): Finding[] {
  return operators.flatMap((operator) => {
    const hasBlocked = lists.some(({ operationId, list }) => operationId === operator.id && list === 'block');
    const last = rules.findLast(({ operationId }) => operationId === operator.id);
    const own = rows.filter((row) => row.operation_id === operator.id);
    const since = own.filter(({ created_ms: ms }) => last !== undefined && ms > last.doneMs + KNOWN_AFTER_MS);
    const requests = new Map((operator.asked ?? []).map((asked) => [`${asked.kind} ${asked.externalId}`, asked]));
    const withdrawalsOf = (some: readonly Row[]) =>
      some.flatMap((row): Withdrawal[] => {
        const asked = requests.get(`${row.kind} ${row.external_id}`);
        if (row.kind !== 'withdrawal' || asked === undefined) return [];
        return [{ row, player: asked.player, wantsReview: asked.wantsReview === true }];
      });
    const all = withdrawalsOf(own);
    return [
      ...all.flatMap(({ row: { id, reasons } }) =>
        reasons.includes(BLOCKED_LATER) && !hasBlocked
          ? [{ rule: 'nobody is refused as blocked who is not', detail: `withdrawal ${short(id)}` }]
          : [],
      ),
      ...all.flatMap(({ row, wantsReview }) =>
        wantsReview && isLetOut(row) && !row.is_manual ? [kept(row, 'its operator wanted a review')] : [],
      ),
      ...(last === undefined ? [] : [...byLimits(last, since), ...byPeople(last, withdrawalsOf(since), all)]),
    ];
  });
}

function byLimits({ currency }: RulesSet, rows: readonly Row[]): Finding[] {
  return rows.flatMap(({ id, kind, amount }) => {
    const [least, most] = [currency[`${kind}_min`], currency[`${kind}_max`]];
    const isWithin =
      (least === undefined || BigInt(amount) >= BigInt(least)) &&
      (most === undefined || BigInt(amount) <= BigInt(most));
    if (isWithin) return [];
    return [{ rule: 'nothing beyond the limits is taken', detail: `${kind} ${short(id)} of ${brl(amount)}` }];
  });
}

function byPeople({ currency }: RulesSet, withdrawals: readonly Withdrawal[], all: readonly Withdrawal[]): Finding[] {
  const findings: Finding[] = [];
  const find = (row: Row, why: string) => void findings.push(kept(row, why));
  const isAbove = ({ amount }: Row, limit: string | undefined) => limit !== undefined && BigInt(amount) > BigInt(limit);
  for (const { row, player } of withdrawals) {
    if (!isLetOut(row)) continue;
    if (isAbove(row, currency.dual_approval_above) && !row.needs_two) find(row, 'two people must approve it');
    if (row.is_manual) continue;
    if (currency.auto_multiplier === '0') find(row, 'nothing goes out by itself');
    if (isAbove(row, currency.auto_max_per_withdrawal)) find(row, 'no such amount goes out by itself');
    const hasPaid = all.some((one) => one.player === player && ['paid', 'returned'].includes(one.row.status));
    if (currency.first_withdrawal_manual !== false && !hasPaid) find(row, 'its player was never paid before');
  }
  const automatic = withdrawals.filter(({ row }) => !row.is_manual && COUNTED.includes(row.status));
  for (const ofDay of groupBy(automatic, ({ row, player }) => `${player} ${localDayOf(row.created_ms)}`).values()) {
    const last = ofDay.at(-1)?.row as Row;
    const { max_withdrawals_per_day: times, auto_max_per_day: most } = currency;
    if (times !== undefined && ofDay.length > times) find(last, `so many go out by themselves in a day: ${times}`);
    if (most !== undefined && sum(ofDay.map(({ row }) => row.amount)) > BigInt(most))
      find(last, `so much goes out by itself in a day: ${brl(most)}`);
  }
  return findings;
}

const isLetOut = ({ status }: Row): boolean => LET_OUT.includes(status);

function kept({ id, amount }: Row, why: string): Finding {
  return {
    rule: 'what the rules keep for people is decided by people',
    detail: `withdrawal ${short(id)} of ${brl(amount)}: ${why}`,
  };
}
