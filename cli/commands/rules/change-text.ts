// A rule change and its report as text, for the person who approves it: totals before → after, then examples.
import { formatBrl } from '../../../domain/money.js';
import type { Flip, OutcomeCount, RuleChangeReport } from '../../../domain/rules/proof/report.js';
import type { NotComparable, Subject, Why } from '../../../domain/rules/proof/redecide.js';
import { reasonSentence } from '../../../domain/rules/reason-sentences.js';
import type { RuleSetChange } from '../../../staff/reads/rule-set-changes.js';
import type { ShownChange } from '../../../staff/reads/rule-changes.js';
import { comparedText } from '../../../staff/reads/texts.js';
import { columns } from '../../terminal/columns.js';

const SUBJECT_TITLES: Record<Subject, string> = {
  withdrawal: 'withdrawals asked for',
  deposit: 'deposits asked for',
  payment: 'payments received',
  dispatch: 'approved withdrawals at dispatch',
};

const OUTCOME_TEXTS: Readonly<Record<string, string>> = {
  automatic: 'automatic',
  review: 'to review',
  refuse: 'refused',
  accept: 'accepted',
  credit: 'credited',
  send: 'sent at once',
  wait: 'waiting',
  blocked: 'blocked',
};

const NOT_COMPARABLE_TEXTS: Record<NotComparable, string> = {
  facts_missing: 'an earlier version did not record what a rule compares',
  directory_not_asked: 'the key directory was not asked, and its answer would count',
  facts_of_other_rules: 'what was counted depends on the rules of that moment',
};

/** "currencies.BRL.auto_max_per_withdrawal: none → R$ 200,00". */
export function ruleSetChangesText(changes: readonly RuleSetChange[]): string[] {
  const valueText = (path: string, value: unknown) =>
    value === null ? 'none' : AMOUNT_FIELDS.test(path) ? formatBrl(BigInt(String(value))) : JSON.stringify(value);
  return changes.map(({ path, from, to }) => `  ${path}: ${valueText(path, from)} → ${valueText(path, to)}`);
}

const AMOUNT_FIELDS =
  /\.((deposit|withdrawal)_(min|max)|auto_max_per_withdrawal|auto_max_per_day|dual_approval_above)$/;

/** A whole change: who requested it, its report, and how to approve it. */
export function changeText(change: ShownChange): string[] {
  const { id, changes, proof } = change;
  return [
    `change ${id} of ${change.operation_id}: ${change.status.replace('_', ' ')}`,
    `asked for by ${change.requested_by} at ${change.created_at}: ${JSON.stringify(change.justification)}`,
    baseText(change),
    ...(changes.length === 0 ? ['  no field differs'] : ruleSetChangesText(changes)),
    '',
    ...(proof === null
      ? [
          'its report is not there yet, and nobody can approve before it is; ' +
            `if that lasts: gateway rules changes recompute ${id}`,
        ]
      : reportText(proof.report)),
    '',
    ...footer(change),
  ];
}

function baseText({ status, base_version: base, current_version: current }: ShownChange): string {
  const isStale = status === 'pending_approval' && base !== current;
  const note = `, but version ${current} is in force: approving it changes nothing (superseded)`;
  return `made from version ${base}${isStale ? note : ''}`;
}

function footer({ id, status, proof, approvals, decisions }: ShownChange): string[] {
  if (proof === null) return [];
  if (!proof.is_intact) return ['THE STORED REPORT DOES NOT HAVE ITS DIGEST: do not approve it'];
  const voided = decisions.filter(({ decision, digest }) => decision === 'approve' && digest !== proof.digest).length;
  const given = approvals.given.length === 0 ? 'nobody' : approvals.given.join(', ');
  const earlier = voided === 0 ? '' : ` (${voided} earlier of another report: void)`;
  return [
    `digest ${proof.digest}`,
    `approved by ${given}, ${approvals.needed} needed${earlier}`,
    ...(status === 'pending_approval'
      ? [`to approve: gateway rules changes approve ${id} --as NAME --digest ${proof.digest}`]
      : []),
  ];
}

/** The report: what was compared, outcomes before and after, what moved, and examples. */
export function reportText(report: RuleChangeReport): string[] {
  return [
    ...scope(report),
    '',
    ...outcomeTable(report.outcomes),
    '',
    ...moved(report),
    ...report.flips.flatMap(flipText),
    ...reasonTable(report),
  ];
}

function scope({
  from,
  through,
  is_cut_off: isCutOff,
  compared,
  not_comparable: notComparable,
  decided_under_other_rules: otherwise,
}: RuleChangeReport): string[] {
  const minute = (at: string) => at.slice(0, 16).replace('T', ' ');
  const cutOff = isCutOff ? ' (only the newest: there are more in 30 days)' : '';
  return [
    `decisions from ${minute(from)} to ${minute(through)} UTC${cutOff}: ` +
      `${compared} decided again under the proposed rules`,
    ...Object.entries(notComparable).flatMap(([because, count]) =>
      count === 0 ? [] : [`  ${count} not comparable: ${NOT_COMPARABLE_TEXTS[because as NotComparable]}`],
    ),
    ...(otherwise === 0
      ? []
      : [
          `  ${otherwise} were decided under other rules than those in force, ` +
            'which would already decide them differently',
        ]),
  ];
}

/** Outcomes before and after, by subject. Subjects without decisions are left out. */
function outcomeTable(outcomes: readonly OutcomeCount[]): string[] {
  const subjects = [...new Set(outcomes.map(({ subject }) => subject))].filter((subject) =>
    outcomes.some((one) => one.subject === subject && one.decided + one.in_force + one.proposed > 0),
  );
  if (subjects.length === 0) return ['no decision to compare: the change cannot be judged by the past'];
  const rows = subjects.flatMap((subject) => [
    [SUBJECT_TITLES[subject], '', '', '', '', ''],
    ...outcomes
      .filter((one) => one.subject === subject)
      .map((one) => [
        `  ${OUTCOME_TEXTS[one.outcome] ?? one.outcome}`,
        String(one.in_force),
        '→',
        String(one.proposed),
        change(one.proposed - one.in_force),
        `${formatBrl(BigInt(one.in_force_minor))} → ${formatBrl(BigInt(one.proposed_minor))}`,
      ]),
  ]);
  return columns(
    [['', 'in force', '', 'proposed', 'change', 'amount'], ...rows],
    ['left', 'right', 'left', 'right', 'right', 'left'],
  );
}

function change(difference: number): string {
  if (difference === 0) return '·';
  return difference > 0 ? `+${difference}` : `−${-difference}`;
}

function moved(report: RuleChangeReport): string[] {
  if (report.compared === 0) return [];
  return [...(report.flipped.decisions === 0 ? ['no decision flips'] : flipsText(report)), ...secondPeople(report)];
}

/** A second person decides no outcome, so a change of the threshold may flip nothing and still move work. */
function secondPeople({ to_two_people: to, from_two_people: from }: RuleChangeReport): string[] {
  const line = (words: string, { decisions, amount_minor: minor }: typeof to) =>
    decisions === 0 ? [] : [`${words} ${formatBrl(BigInt(minor))} (${decisions})`];
  return [...line('newly need a second person:', to), ...line('no longer need a second person:', from)];
}

function flipsText({ flipped, to_review: to, from_review: from }: RuleChangeReport): string[] {
  const unknown = flipped.players_unknown === 0 ? '' : `; of ${flipped.players_unknown} the player was not recorded`;
  const flips = `${flipped.decisions} ${plural(flipped.decisions, 'decision flips', 'decisions flip')}`;
  return [
    `${flips}, of ${flipped.players} ${plural(flipped.players, 'player', 'players')}${unknown}`,
    `moved to review:   ${formatBrl(BigInt(to.amount_minor))} (${to.decisions})`,
    `moved from review: ${formatBrl(BigInt(from.amount_minor))} (${from.decisions})`,
  ];
}

function flipText({ subject, from, to, decisions, players, amount_minor: sum, examples }: Flip): string[] {
  const name = (outcome: string) => OUTCOME_TEXTS[outcome] ?? outcome;
  const count = `${players} ${plural(players, 'player', 'players')}`;
  const amount = formatBrl(BigInt(sum));
  const title = `${SUBJECT_TITLES[subject]}, ${name(from)} → ${name(to)}: ${decisions}, ${amount}, ${count}`;
  const shown = examples.flatMap(({ object_id: id, amount_minor: minor, decided_at: at, why }) => [
    `  ${id}  ${formatBrl(BigInt(minor))}  ${at.slice(0, 16).replace('T', ' ')}`,
    ...why.map((one) => `    ${whyText(one)}`),
  ]);
  const more = decisions - examples.length;
  return ['', title, ...shown, ...(more === 0 ? [] : [`  … and ${more} more, of lower or equal amounts`])];
}

/** A code that newly matches gets its meaning; one that no longer does, only the compared numbers. */
function whyText({ code, proposed, compared }: Why): string {
  const detail = [...(proposed === 'hits' ? [reasonSentence(code)] : []), comparedText(compared)]
    .filter((text) => text !== '')
    .join(': ');
  return `${proposed === 'hits' ? 'now' : 'no longer'} ${code}${detail === '' ? '' : ` (${detail})`}`;
}

function reasonTable({ reasons }: RuleChangeReport): string[] {
  if (reasons.length === 0) return [];
  const rows = reasons.map(({ code, in_force: inForce, proposed }) => [code, String(inForce), '→', String(proposed)]);
  return ['', 'reasons given more or less often', ...columns(rows, ['left', 'right', 'left', 'right'], '  ')];
}

function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
