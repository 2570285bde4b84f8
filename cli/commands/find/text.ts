// The hits of `gateway find` as text for a terminal.
import type { PresentedHit, TemporalAnswer } from './answer.js';
import { TEXT_KIND_NAMES } from '../../../staff/reads/find/texts.js';
import { cell, type Json, NONE } from '../../terminal/cells.js';
import { columns } from '../../terminal/columns.js';

const PROBLEMS: Readonly<Record<string, string>> = {
  temporal_not_asked: 'Temporal was not asked; this is what the database says',
  temporal_does_not_answer: 'Temporal does not answer; this is what the database says',
  no_workflow: 'NO WORKFLOW DRIVES IT: "gateway workflow verify --refresh" opens it again from its row',
  workflow_has_ended: 'ITS WORKFLOW HAS ENDED: "gateway workflow verify --refresh" opens it again from its row',
  no_worker_answers: 'no worker answered for its workflow; is the worker running?',
};

const TEMPORAL: Readonly<Record<TemporalAnswer, string | null>> = {
  answered: null,
  not_needed: null,
  no_answer: 'Temporal does not answer: the wait is derived from the database.',
  not_configured: 'TEMPORAL_ADDRESS is not set: the wait is derived from the database.',
};

/** One paragraph for each hit. */
export function findText(hits: readonly PresentedHit[], more: boolean, temporal: TemporalAnswer, now: Date): string[] {
  const note = TEMPORAL[temporal];
  return [
    ...(hits.length > 1 ? [`${hits.length}${more ? ' or more' : ''} hits`, ''] : []),
    ...hits.flatMap((hit, index) => [...(index === 0 ? [] : ['']), ...hitText(hit, now)]),
    ...(note === null ? [] : ['', note]),
  ];
}

function hitText(hit: PresentedHit, now: Date): string[] {
  const values = JSON.parse(JSON.stringify(hit)) as Record<string, Json>;
  const {
    found_by,
    type,
    id,
    commands,
    waits_for,
    workflow,
    request,
    open_alerts,
    temporal_ui,
    since,
    status,
    details,
    ...rest
  } = values;
  const by = (found_by as string[]).map((kind) => TEXT_KIND_NAMES[kind as keyof typeof TEXT_KIND_NAMES]).join(' and ');
  const others = Object.entries({ ...rest, ...(details as Record<string, Json> | undefined) });
  const rows = [
    ...(status === undefined
      ? []
      : [['state', `${spaced(String(status))}, since ${cell(since ?? null) ?? NONE}${ago(since, now)}`]]),
    ...waitRows(waits_for as Wait | undefined, workflow as Workflow | undefined),
    ...requestRows(request as Request | undefined | null, now),
    ...others.flatMap(([name, value]) =>
      cell(value) === NONE ? [] : [[spaced(name), cell(value) ?? JSON.stringify(value)]],
    ),
    ...alertRows(open_alerts as readonly Alert[] | undefined),
    ...(commands as string[]).map((command, index) => [index === 0 ? 'next' : '', command]),
    ...(temporal_ui === null || temporal_ui === undefined ? [] : [['Temporal UI', String(temporal_ui)]]),
  ];
  return [
    `${spaced(String(type))} ${id === undefined ? '' : String(id)}`.trimEnd() + ` (found by ${by})`,
    ...columns(rows, ['left', 'left'], '  '),
  ];
}

interface Wait {
  readonly for: string;
  readonly meaning: string;
  readonly next: string | null;
  readonly at: string | null;
  readonly problem: string | null;
}

interface Workflow {
  readonly says: string | null;
  readonly pending_activities: readonly {
    readonly activity: string;
    readonly attempt: number;
    readonly next_attempt_at: string | null;
    readonly last_failure: string | null;
  }[];
}

function waitRows(wait: Wait | undefined, workflow: Workflow | undefined): string[][] {
  if (wait === undefined) return workflow?.says == null ? [] : [['workflow', workflow.says]];
  const next =
    wait.next === null ? [] : [['then', `${wait.next}${wait.at === null ? '' : ` at ${cell(wait.at) ?? ''}`}`]];
  return [
    ['waits for', wait.for === 'nothing' ? 'nothing' : `${spaced(wait.for)}: ${wait.meaning}`],
    ...(workflow?.says == null ? next : [['workflow', workflow.says]]),
    ...(workflow?.pending_activities ?? []).map(({ activity, attempt, next_attempt_at: at, last_failure: failure }) => [
      'tries',
      [
        `${activity}, attempt ${attempt}`,
        ...(at === null ? [] : [`due ${cell(at) ?? ''}`]),
        ...(failure === null ? [] : [`last failure ${failure}`]),
      ].join(', '),
    ]),
    ...(wait.problem === null ? [] : [['but', PROBLEMS[wait.problem] ?? wait.problem]]),
  ];
}

interface Request {
  readonly state: string;
  readonly response_status: number | null;
  readonly at: string;
}

function requestRows(request: Request | undefined | null, now: Date): string[][] {
  if (request == null) return [];
  const { state, response_status: status, at } = request;
  const outcome =
    status !== null
      ? `answered ${status}`
      : state === 'running'
        ? 'still running, or cut off'
        : 'not decided (429 or 5xx): it may be repeated with the same key';
  return [['request', `${outcome}, ${cell(at) ?? ''}${ago(at, now)}`]];
}

interface Alert {
  readonly id: string;
  readonly kind: string;
  readonly since: string;
  readonly do: string | null;
}

function alertRows(alerts: readonly Alert[] | undefined): string[][] {
  if (alerts === undefined) return [];
  if (alerts.length === 0) return [['open alerts', 'none']];
  return alerts.map(({ id, kind, since, do: action }) => [
    'open alert',
    `${kind} since ${cell(since) ?? ''} (${id})${action === null ? '' : `: ${action}`}`,
  ]);
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** ` (5 minutes)`: how long ago, in the largest unit that fits. */
function ago(at: Json | undefined, now: Date): string {
  if (typeof at !== 'string') return '';
  const passed = now.getTime() - Date.parse(at);
  const [unit, size] = UNITS.find(([, milliseconds]) => passed >= milliseconds) ?? ['second', 1_000];
  const count = Math.max(0, Math.floor(passed / size));
  return ` (${count} ${unit}${count === 1 ? '' : 's'})`;
}
