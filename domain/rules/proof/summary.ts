// The report in one line, for the Temporal UI and for lists: counts and amounts only.
import { formatBrl } from '../../money.js';
import type { RuleChangeReport } from './report.js';

/** "31 of 1204 decisions flip (12 players) · R$ 4.500,00 to review, R$ 0,00 from review · 3 not comparable". */
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
