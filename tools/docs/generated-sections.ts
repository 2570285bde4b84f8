// The parts of docs/ that are written from the code's own tables, so that they cannot go stale: `npm run docs` writes
// them, a test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedRate, type NamedLimit, RATES, SIGNATURE_FAILURES, WAITING } from '../../api/middleware/limits.js';
import { COUNTED } from '../../api/routes/creation-checks.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { TRACING_VARIABLES } from '../../platform/config/tracing.js';
import { HOURLY_LIMITS, type HourlyLimits } from '../../contract/http/schemas/player.js';
import { sampleBodyOf } from '../../contract/http/code-samples.js';
import { GUIDE_SECTIONS } from '../../conformance/checks/check.js';
import { CHECKS } from '../../conformance/checks/index.js';
import { openApiDocument } from '../../contract/http/openapi.js';
import type { RouteDefinition } from '../../contract/http/route.js';
import { type RouteName, ROUTES } from '../../contract/http/routes.js';
import { creationVerdicts, KINDS, verdictRows, ENDPOINT_KINDS, VERDICTS } from '../../contract/http/verdicts.js';
import { WAITING_FOR, WAITS } from '../../contract/temporal/search-attributes.js';
import { VIEWS } from '../../contract/temporal/ui-links.js';
import { TEMPORAL_GRANTS, type TemporalGrants } from '../../cli/certificates/temporal-grants.js';
import { ALERTS } from '../../domain/alerts.js';
import { DEPOSIT_STATUSES, DEPOSIT_TRANSITIONS, DEPOSIT_TRIGGERS } from '../../domain/payments/deposit.js';
import { alertsOf, OUTSIDE_WAITS, type OutsideWait } from '../../domain/payments/outside-waits.js';
import { LEDGER_MOVEMENTS } from '../../domain/ledger.js';
import { RETENTION, RETENTION_ELSEWHERE } from '../../domain/retention.js';
import { PERMISSIONS, ROLES as PEOPLES_ROLES } from '../../domain/staff.js';
import { WITHDRAWAL_STATUSES, WITHDRAWAL_TRANSITIONS, WITHDRAWAL_TRIGGERS } from '../../domain/payments/withdrawal.js';
import { METRICS } from '../../platform/telemetry/metrics.js';
import { SPAN_ATTRIBUTES } from '../../platform/telemetry/spans.js';
import { UNREACHABLE_DEPOSIT_CELLS, UNREACHABLE_WITHDRAWAL_CELLS } from './unreachable-cells.js';
import { DIALECTS } from '../../providers/index.js';
import { DIALECT_NAMES } from '../../providers/settings.js';
import { PROVING_CODES, type ProvingCode } from '../../providers/pix-api/refusals.js';
import { SEALED_COLUMNS } from '../../store/sealing/places.js';
import { KEY_PURPOSES, type KeyPurpose, PURPOSES_OF } from '../../store/sealing/keys.js';
import { FOLDERS, PRODUCT_FOLDERS } from '../layout/folders.mjs';
import { TABLE_GRANTS } from '../../prisma/grants.js';
import { FUNCTION_GRANTS } from '../../prisma/grants/functions.js';
import type { TableGrant } from '../../prisma/grants/grant.js';
import { ROLE_NAMES, ROLES } from '../../prisma/roles.js';
import { readAlertRules } from './alert-rules.js';
import { failureCodeRows, reasonCodeRows } from './codes-tables.js';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function sealedColumnsTable(): string {
  const rows = Object.entries(SEALED_COLUMNS).map(([name, { purpose, key, operation }]) => [
    `\`${name}\``,
    `\`${purpose}\``,
    Object.keys(key)
      .map((part) => `\`${part}\``)
      .join(', '),
    operation === null ? 'no operation' : `\`${operation}\``,
  ]);
  return table(['sealed column', 'purpose', 'its row', 'its operation'], rows);
}

function keyHoldersTable(): string {
  const holders = Object.entries(PURPOSES_OF).map(([holder, purposes]): [string, readonly KeyPurpose[]] => [
    `\`${holder}\``,
    purposes,
  ]);
  const rows = holders.map(([holder, held]) => [
    holder,
    ...KEY_PURPOSES.map((purpose) => (held.includes(purpose) ? 'yes' : '')),
  ]);
  return table(['process', ...KEY_PURPOSES.map((purpose) => `\`${purpose}\``)], rows);
}

function retentionTable(): string {
  const PERSONAL = { none: 'no', reference: 'the operator’s reference', sealed: 'sealed' } as const;
  const rows = RETENTION.map(({ data, tables, personal, why, howLong, erasure }) => [
    data,
    tables.map((name) => `\`${name}\``).join(', '),
    PERSONAL[personal],
    why,
    howLong,
    erasure,
  ]);
  return table(['data', 'tables', 'personal', 'why', 'how long', 'an erasure'], rows);
}

function retentionElsewhereTable(): string {
  const rows = RETENTION_ELSEWHERE.map(({ data, why, howLong, erasure }) => [data, why, howLong, erasure]);
  return table(['data', 'why', 'how long', 'an erasure'], rows);
}

function rolesTable(): string {
  const rows = ROLE_NAMES.map((role) => {
    const { of, includes } = ROLES[role];
    return [`\`${role}\``, of, includes.map((one) => `\`${one}\``).join(', ')];
  });
  return table(['role', 'who', 'has also the rights of'], rows);
}

function grantsTable(): string {
  const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const verbsOf = ({ select, insert, update, delete: removes }: TableGrant) =>
    [
      ...(select === undefined ? [] : [`reads ${columnsText(select)}`]),
      ...(insert === true ? ['inserts'] : []),
      ...(update === undefined ? [] : [`updates ${codes(update)}`]),
      ...(removes === true ? ['deletes'] : []),
    ].join('; ');
  const columnsText = (select: NonNullable<TableGrant['select']>) => {
    if (select === 'all') return 'all';
    return 'only' in select ? codes(select.only) : `all but ${codes(select.except)}`;
  };
  const rows = Object.entries(TABLE_GRANTS).flatMap(([name, lines]) =>
    lines.map((line) => [
      `\`${name}\``,
      codes(line.to),
      verbsOf(line) + (line.in === undefined ? '' : ` (${line.in} only)`),
      line.because,
    ]),
  );
  return table(['table', 'roles', 'what', 'because'], rows);
}

function functionGrantsTable(): string {
  const rows = Object.entries(FUNCTION_GRANTS).flatMap(([name, lines]) =>
    lines.map(({ to, because }) => [`\`${name}\``, to.map((role) => `\`${role}\``).join(', '), because]),
  );
  return table(['function', 'roles', 'because'], rows);
}

/** What a caller's token grants at Temporal. */
function temporalGrantsTable(): string {
  const codes = (names: readonly string[] = []) => names.map((name) => `\`${name}\``).join(', ');
  const listed = ({ workflows = {}, signals, updates, queries, polls, activityQueues }: TemporalGrants) =>
    Object.entries({
      starts: Object.keys(workflows),
      signals,
      updates,
      queries,
      'takes tasks of': polls,
      'sends activities to': activityQueues,
    })
      .filter(([, names]) => names !== undefined && names.length > 0)
      .map(([what, names]) => `${what} ${codes(names)}`)
      .join('; ');
  const rows = Object.entries(TEMPORAL_GRANTS).map(([caller, grants]) => [
    `\`${caller}\``,
    codes(grants.methods),
    listed(grants),
  ]);
  return table(['token', 'methods', 'with'], rows);
}

const named = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning]);

/** Act × role: who may do what. */
function permissionsTable(): string {
  const rows = Object.entries(PERMISSIONS).map(([act, roles]) => [
    `\`${act}\``,
    ...PEOPLES_ROLES.map((role) => ((roles as readonly string[]).includes(role) ? 'yes' : '')),
  ]);
  return table(['act \\ role', ...PEOPLES_ROLES.map((role) => `\`${role}\``)], rows);
}

/** State × trigger: where each goes and what money moves, or that nothing changes. */
function matrix<Status extends string, Trigger extends string>(
  statuses: readonly Status[],
  triggers: readonly Trigger[],
  transitions: Record<Trigger, { from: readonly string[]; to: string; moves: string | null }>,
  unreachable: Partial<Record<Trigger, Partial<Record<Status, string>>>>,
): string {
  const rows = triggers.map((trigger) => {
    const { from, to, moves } = transitions[trigger];
    return [
      `\`${trigger}\``,
      ...statuses.map((status) =>
        from.includes(status) ? `→ ${to}` : unreachable[trigger]?.[status] === undefined ? '·' : '–',
      ),
      moves === null ? '' : `\`${moves}\``,
    ];
  });
  return table(['trigger \\ state', ...statuses.map((status) => `\`${status}\``), 'ledger movement'], rows);
}

/** What a refused creation says about the payment, and what to do about its reserve. */
function creationVerdictsTable(): string {
  const rows = creationVerdicts(ROUTES).map(({ verdict, answers }) => {
    const { title, meaning, next } = VERDICTS[verdict];
    return [`\`${verdict}\`: ${title}`, answers.join('<br>'), `${meaning} ${next}`];
  });
  return table(['it says', 'after', 'meaning, and what to do'], rows);
}

/** Every answer and every kind of endpoint. */
function verdictsTable(): string {
  return table(['answer', ...KINDS.map((kind) => ENDPOINT_KINDS[kind])], verdictRows(ROUTES));
}

interface QueryParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<'minimum' | 'maximum' | 'example' | 'default', unknown>> & {
    readonly description?: string;
  };
}

/** The parameters of a route's query, as the contract has them. */
function queryTable(name: RouteName): string {
  const route = ROUTES.find((one) => one.name === name) as RouteDefinition;
  const item = openApiDocument([route], { environment: 'sandbox' }).paths?.[route.path] as {
    get: { parameters: readonly QueryParameter[] };
  };
  const rows = item.get.parameters.map(({ name: parameter, required, schema }) => {
    const { minimum, maximum, example, description = '' } = schema;
    const form =
      minimum === undefined
        ? description
        : `${String(minimum)} to ${String(maximum)}, default ${String(schema.default)}`;
    return [
      `\`${parameter}\``,
      required === true ? 'yes' : 'no',
      form,
      example === undefined ? '' : `\`${String(example)}\``,
    ];
  });
  return table(['parameter', 'required', 'what', 'example'], rows);
}

/** The example of every body that is sent. */
function bodies(): string {
  const samples = (ROUTES as readonly RouteDefinition[]).flatMap((route) => {
    const body = route.method === 'POST' ? sampleBodyOf(route) : undefined;
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const optional = route.bodyOptional === true ? ' (or nothing)' : '';
    const text = JSON.stringify(body, null, 2);
    return body === undefined ? [] : [`\`POST ${path}\`${optional}\n\n\`\`\`json\n${text}\n\`\`\``];
  });
  return samples.join('\n\n');
}

/** Every limit on requests, as the api holds it. */
function limitsTable(): string {
  const perHour = (what: keyof HourlyLimits): NamedLimit => ({
    what: COUNTED[what],
    most: `${HOURLY_LIMITS[what]} in any hour`,
  });
  const limits = [
    ...Object.values(RATES).map(namedRate),
    WAITING,
    SIGNATURE_FAILURES,
    perHour('deposits'),
    perHour('withdrawals'),
  ];
  return table(
    ['what is counted', 'at most'],
    limits.map(({ what, most }) => [what, most]),
  );
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
  const rows = readAlertRules().map(({ alert, labels, annotations }) => [
    `\`${alert}\``,
    labels.severity,
    annotations.summary.replaceAll('|', '\\|'),
    annotations.action,
  ]);
  return table(['rule', 'severity', 'what it says', 'what to do'], rows);
}

/** What each folder holds and may import, as `npm run imports` enforces it. */
function foldersTable(): string {
  const rows = Object.entries(FOLDERS).map(([folder, { holds, mayImport, typesOf = [], because }]) => {
    const isTool = PRODUCT_FOLDERS.every((one) => mayImport.includes(one));
    const named = isTool ? mayImport.filter((one) => !PRODUCT_FOLDERS.includes(one)) : mayImport;
    const from = [...(isTool ? ['the product'] : []), ...named, ...typesOf.map((one) => `types of ${one}`)];
    return [`\`${folder}/\``, holds, from.join(', ') || 'nothing', because];
  });
  return table(['folder', 'what is in it', 'may import', 'because'], rows);
}

/** What the conformance kit plays, why, and where the guide says it. */
function conformanceTable(): string {
  const rows = CHECKS.map(({ id, title, played, mustHold, why, guide }) => [
    `\`${id}\``,
    `**${title}.** ${played} ${mustHold}`,
    why,
    `[§ ${GUIDE_SECTIONS[guide].split('-')[0]}](integrating.md#${GUIDE_SECTIONS[guide]})`,
  ]);
  return table(['check', 'what is played, and what must hold', 'why', 'guide'], rows);
}

/** Each dialect's answers that prove that a payout or a return did not happen. */
function provingAnswersTable(): string {
  const rows = DIALECT_NAMES.map((name) => {
    const { payouts, returns } = DIALECTS[name].provingAnswers;
    const meanings = Object.entries(payouts).map(([word, code]) =>
      code === null ? `\`${word}\` with a code below` : `\`${word}\` → \`${code}\``,
    );
    return [`\`${name}\``, meanings.join('<br>'), returns.map((word) => `\`${word}\``).join('<br>')];
  });
  return table(['dialect', 'refused payout → failure code', 'refused return'], rows);
}

/** The codes that prove it, and in which dialects they are believed. */
function finalCodes(): string[][] {
  return (Object.keys(PROVING_CODES) as ProvingCode[]).map((code) => [
    `\`${code}\``,
    PROVING_CODES[code],
    DIALECT_NAMES.filter((name) => DIALECTS[name].provingAnswers.codes.includes(code)).join(', '),
  ]);
}

/** Every generated section: file, name of its markers, content. */
export const GENERATED_SECTIONS: readonly {
  readonly file: string;
  readonly name: string;
  readonly content: () => string;
}[] = [
  { file: 'docs/retention.md', name: 'retention', content: retentionTable },
  { file: 'docs/retention.md', name: 'elsewhere', content: retentionElsewhereTable },
  {
    file: 'docs/operating.md',
    name: 'alerts',
    content: () =>
      table(
        ['alert', 'kind', 'class', 'what it means', 'what to do safely'],
        Object.entries(ALERTS).map(([name, { kind, class: of, meaning, safeAction }]) => [
          `\`${name}\``,
          kind,
          of,
          meaning,
          safeAction,
        ]),
      ),
  },
  {
    file: 'docs/operating.md',
    name: 'waits',
    content: () =>
      table(
        ['`WaitingFor`', 'what it means'],
        WAITING_FOR.map((name) => [`\`${name}\``, WAITS[name]]),
      ),
  },
  {
    file: 'docs/operating.md',
    name: 'outside-waits',
    content: () =>
      table(
        ['state', 'waits for', 'alert', 'what people may do', 'what ends it'],
        Object.values<OutsideWait>(OUTSIDE_WAITS).map((wait) => [
          `${wait.of} \`${wait.while}\``,
          wait.what,
          alertsOf(wait).join('; ') || '–',
          wait.mayDo,
          wait.endedBy,
        ]),
      ),
  },
  {
    file: 'docs/operating.md',
    name: 'views',
    content: () =>
      table(
        ['view', 'what it shows', 'query'],
        VIEWS.map(({ name, shows, query }) => [name, shows, `\`${query}\``]),
      ),
  },
  { file: 'docs/architecture.md', name: 'folders', content: foldersTable },
  { file: 'docs/conformance.md', name: 'checks', content: conformanceTable },
  { file: 'docs/operating.md', name: 'metrics', content: metricsTable },
  { file: 'docs/operating.md', name: 'alert-rules', content: alertRulesTable },
  {
    file: 'docs/operating.md',
    name: 'span-attributes',
    content: () => table(['attribute', 'what it says'], named(SPAN_ATTRIBUTES)),
  },
  {
    file: 'docs/operating.md',
    name: 'tracing-variables',
    content: () => table(['variable', 'what it says'], named(TRACING_VARIABLES)),
  },
  { file: 'docs/operating.md', name: 'sealed-columns', content: sealedColumnsTable },
  { file: 'docs/operating.md', name: 'key-holders', content: keyHoldersTable },
  { file: 'docs/operating.md', name: 'roles', content: rolesTable },
  { file: 'docs/operating.md', name: 'grants', content: grantsTable },
  { file: 'docs/operating.md', name: 'function-grants', content: functionGrantsTable },
  { file: 'docs/operating.md', name: 'temporal-grants', content: temporalGrantsTable },
  {
    file: 'docs/state-matrix.md',
    name: 'deposit',
    content: () => matrix(DEPOSIT_STATUSES, DEPOSIT_TRIGGERS, DEPOSIT_TRANSITIONS, UNREACHABLE_DEPOSIT_CELLS),
  },
  {
    file: 'docs/state-matrix.md',
    name: 'withdrawal',
    content: () =>
      matrix(WITHDRAWAL_STATUSES, WITHDRAWAL_TRIGGERS, WITHDRAWAL_TRANSITIONS, UNREACHABLE_WITHDRAWAL_CELLS),
  },
  {
    file: 'docs/state-matrix.md',
    name: 'ledger',
    content: () =>
      table(
        ['movement', 'from', 'to'],
        Object.entries(LEDGER_MOVEMENTS).map(([name, { from, to }]) => [`\`${name}\``, `\`${from}\``, `\`${to}\``]),
      ),
  },
  { file: 'docs/operating.md', name: 'permissions', content: permissionsTable },
  {
    file: 'docs/providers.md',
    name: 'contracts',
    content: () =>
      table(
        ['dialect', 'contract'],
        DIALECT_NAMES.map((name) => [`\`${name}\``, `\`${DIALECTS[name].contract}\``]),
      ),
  },
  { file: 'docs/providers.md', name: 'proving-answers', content: provingAnswersTable },
  {
    file: 'docs/providers.md',
    name: 'final-codes',
    content: () => table(['code', 'what it says', 'final at'], finalCodes()),
  },
  { file: 'docs/integrating.md', name: 'creation-verdicts', content: creationVerdictsTable },
  { file: 'docs/integrating.md', name: 'verdicts', content: verdictsTable },
  { file: 'docs/integrating.md', name: 'limits', content: limitsTable },
  {
    file: 'docs/integrating.md',
    name: 'failure-codes',
    content: () => table(['code', 'of', 'meaning', 'what to do'], failureCodeRows()),
  },
  {
    file: 'docs/integrating.md',
    name: 'reason-codes',
    content: () => table(['code', 'of', 'meaning'], reasonCodeRows()),
  },
  { file: 'docs/integrating.md', name: 'reconciliation-query', content: () => queryTable('getReconciliation') },
  { file: 'docs/integrating.md', name: 'bodies', content: bodies },
  { file: 'client/README.md', name: 'creation-verdicts', content: creationVerdictsTable },
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
