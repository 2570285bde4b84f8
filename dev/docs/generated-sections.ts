// The parts of docs/ that are written from the code's own tables, so that they cannot go stale: `npm run docs` writes them,
// a test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCALING_TABLES, sourceLines } from '../../bench/scaling/sections.js';
import { projectRoot } from '../../config/project-root.js';
import { TRACING_VARIABLES } from '../../config/tracing.js';
import { WAITING_FOR, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { VIEWS } from '../../contract/temporal/ui-links.js';
import { ALERTS } from '../../domain/alerts.js';
import { DEPOSIT_STATUSES, DEPOSIT_TRANSITIONS, DEPOSIT_TRIGGERS } from '../../domain/deposit.js';
import { LEDGER_MOVEMENTS } from '../../domain/ledger.js';
import { WITHDRAWAL_STATUSES, WITHDRAWAL_TRANSITIONS, WITHDRAWAL_TRIGGERS } from '../../domain/withdrawal.js';
import { METRICS } from '../../telemetry/metrics.js';
import { SPAN_ATTRIBUTES } from '../../telemetry/spans.js';
import { UNREACHABLE_DEPOSIT_CELLS, UNREACHABLE_WITHDRAWAL_CELLS } from '../../test/proof/matrix/unreachable.js';
import { readAlertRules } from './alert-rules.js';

/** What each wait means and what to do when it lasts; total over `WAITING_FOR`. */
const WAITS: Record<WaitingFor, string> = {
  nothing: 'It is over, or nobody has to act.',
  rules_decision: 'The rules engine is being asked. If it lasts: is a worker of the `rules` queue running?',
  provider_charge: 'The provider has not given a PIX yet. It is asked again by itself, with the same reference.',
  payment: 'The player has to pay. It expires by itself. A new deposit shows this until a worker has taken it up, too.',
  key_owner: 'DICT has not named the holder of the PIX key. It is asked again for five minutes, then people decide.',
  review: 'A person has to decide: `gateway review show ID`, then `approve`, `refuse` or `return`.',
  return_to_payer: 'The provider is returning a reviewed deposit. It is asked until it is done.',
  automatic_hours: 'It is approved and waits for the automatic hours of the rule set.',
  cash_box: 'It is approved, and the operation’s cash box is below zero. It goes on by itself once funded.',
  dispatch_check: 'Lists, cash box and operation are checked before sending. If it lasts, an alert says why.',
  payout_reply: 'The one send has left (or could not leave yet). It is looked up until the outcome is known. Never send it by hand.',
  payout_result: 'The provider has the payout and has not finished it.',
  webhook_delivery: 'An event is on its way to the operator.',
  rule_change_proof: 'The decisions of the last 30 days are being decided again under the proposed rules. Approvals are taken when that report is there; a rejection at any time.',
  approval: 'Two different people have to approve a change of rules and the digest of its report: `gateway rules changes show ID`, then `approve ID --digest …` or `reject ID`.',
};

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const named = (meanings: Readonly<Record<string, string>>) => Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning]);

/** State × trigger: where each goes and what money moves, or that nothing changes. */
function matrix<Status extends string, Trigger extends string>(
  statuses: readonly Status[],
  triggers: readonly Trigger[],
  transitions: Record<Trigger, { from: readonly string[]; to: string; moves: string | null }>,
  unreachable: Partial<Record<Trigger, Partial<Record<Status, string>>>>,
): string {
  const rows = triggers.map((trigger) => {
    const { from, to, moves } = transitions[trigger];
    return [`\`${trigger}\``, ...statuses.map((status) => (from.includes(status) ? `→ ${to}` : unreachable[trigger]?.[status] === undefined ? '·' : '–')), moves === null ? '' : `\`${moves}\``];
  });
  return table(['trigger \\ state', ...statuses.map((status) => `\`${status}\``), 'ledger movement'], rows);
}

function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { type, processes, help, labels }]) => [
    `\`${name}\``,
    type,
    processes.join(', '),
    [help, ...Object.entries(labels).map(([label, meaning]) => `\`${label}\`: ${meaning}.`)].join(' '),
  ]);
  return table(['metric', 'type', 'served by', 'what it says'], rows);
}

function alertRulesTable(): string {
  const rows = readAlertRules().map(({ alert, labels, annotations }) => [`\`${alert}\``, labels.severity, annotations.summary.replaceAll('|', '\\|'), annotations.action]);
  return table(['rule', 'severity', 'what it says', 'what to do'], rows);
}

/** Every generated section: file, name of its markers, content. */
export const GENERATED_SECTIONS: readonly { readonly file: string; readonly name: string; readonly content: () => string }[] = [
  {
    file: 'docs/operating.md',
    name: 'alerts',
    content: () =>
      table(
        ['alert', 'kind', 'what it means', 'what to do safely'],
        Object.entries(ALERTS).map(([name, { kind, meaning, safeAction }]) => [`\`${name}\``, kind, meaning, safeAction]),
      ),
  },
  {
    file: 'docs/operating.md',
    name: 'waits',
    content: () => table(['`WaitingFor`', 'what it means'], WAITING_FOR.map((name) => [`\`${name}\``, WAITS[name]])),
  },
  {
    file: 'docs/operating.md',
    name: 'views',
    content: () => table(['view', 'what it shows', 'query'], VIEWS.map(({ name, shows, query }) => [name, shows, `\`${query}\``])),
  },
  { file: 'docs/operating.md', name: 'metrics', content: metricsTable },
  { file: 'docs/operating.md', name: 'alert-rules', content: alertRulesTable },
  { file: 'docs/operating.md', name: 'span-attributes', content: () => table(['attribute', 'what it says'], named(SPAN_ATTRIBUTES)) },
  { file: 'docs/operating.md', name: 'tracing-variables', content: () => table(['variable', 'what it says'], named(TRACING_VARIABLES)) },
  { file: 'docs/state-matrix.md', name: 'deposit', content: () => matrix(DEPOSIT_STATUSES, DEPOSIT_TRIGGERS, DEPOSIT_TRANSITIONS, UNREACHABLE_DEPOSIT_CELLS) },
  { file: 'docs/state-matrix.md', name: 'withdrawal', content: () => matrix(WITHDRAWAL_STATUSES, WITHDRAWAL_TRIGGERS, WITHDRAWAL_TRANSITIONS, UNREACHABLE_WITHDRAWAL_CELLS) },
  {
    file: 'docs/state-matrix.md',
    name: 'ledger',
    content: () => table(['movement', 'from', 'to'], Object.entries(LEDGER_MOVEMENTS).map(([name, { from, to }]) => [`\`${name}\``, `\`${from}\``, `\`${to}\``])),
  },
  ...Object.entries(SCALING_TABLES).map(([name, tableOf]) => ({
    file: 'docs/scaling.md',
    name,
    content: () => {
      const found = tableOf();
      return found === null ? '*Not measured yet; see above.*' : table(found.head, found.rows);
    },
  })),
  { file: 'docs/scaling.md', name: 'sources', content: sourceLines },
];

/** The text of a file with one section replaced. Throws if its markers are missing. */
export function withSection(text: string, name: string, content: string): string {
  const begin = `<!-- generated:${name} -->`;
  const end = `<!-- /generated:${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the markers of section "${name}" are missing`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

/** Writes every section into its file. */
export function writeSections(): void {
  for (const { file, name, content } of GENERATED_SECTIONS) {
    const path = join(projectRoot(), file);
    writeFileSync(path, withSection(readFileSync(path, 'utf8'), name, content()));
  }
}
