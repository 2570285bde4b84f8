// What a run of Schemathesis did, read from its event file: how many cases of each operation and phase, which answers,
// which failures.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { alignedTable } from '../../tools/bootstrap/table.mjs';

const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'] as const;
export type Phase = (typeof PHASES)[number];

export interface OperationReport {
  readonly cases: Record<Phase, number>;
  /** How often each status came. */
  readonly statuses: Map<number, number>;
  readonly failures: string[];
}

export interface JudgeReport {
  /** By label, `POST /deposits/{id}/cancel`. */
  readonly operations: ReadonlyMap<string, OperationReport>;
  /** About no single operation: the run itself failed. */
  readonly errors: readonly string[];
}

/** How the process ended. */
export interface JudgeEnd {
  /** Undefined when it had to be ended. */
  readonly exitCode: number | undefined;
  readonly limitSeconds: number;
}

const caseSchema = z.object({ value: z.object({ method: z.string(), path: z.string() }) });
const checkSchema = z.object({
  status: z.string(),
  failure_info: z.object({ failure: z.object({ title: z.string(), message: z.string() }) }).optional(),
});
const interactionSchema = z.object({ response: z.object({ status_code: z.number() }).nullish() });

const eventSchema = z.object({
  ScenarioFinished: z
    .object({
      phase: z.enum(PHASES),
      recorder: z.object({
        cases: z.record(z.string(), caseSchema).default({}),
        checks: z.record(z.string(), z.array(checkSchema)).default({}),
        interactions: z.record(z.string(), interactionSchema).default({}),
      }),
    })
    .optional(),
  NonFatalError: z.object({ label: z.string(), value: z.object({ type: z.string(), message: z.string() }) }).optional(),
  FatalError: z.object({ exception: z.object({ type: z.string(), message: z.string() }) }).optional(),
  EngineFinished: z.object({ stop_reason: z.string() }).optional(),
});
type Event = z.output<typeof eventSchema>;

/** Throws if the file has another shape than that of the pinned version. */
export function readReport(file: string, end: JudgeEnd): JudgeReport {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const events = (end.exitCode === undefined ? lines.slice(0, -1) : lines).map((line) =>
    eventSchema.parse(JSON.parse(line)),
  );
  const operations = new Map<string, OperationReport>();
  for (const { ScenarioFinished: scenario } of events) if (scenario !== undefined) count(operations, scenario);
  return { operations, errors: errorsOf(events, operations, end) };
}

function count(
  operations: Map<string, OperationReport>,
  { phase, recorder }: NonNullable<Event['ScenarioFinished']>,
): void {
  for (const [id, { value }] of Object.entries(recorder.cases)) {
    const label = `${value.method} ${value.path}`;
    const operation: OperationReport = operations.get(label) ?? {
      cases: { examples: 0, coverage: 0, fuzzing: 0, stateful: 0 },
      statuses: new Map(),
      failures: [],
    };
    operations.set(label, operation);
    operation.cases[phase] += 1;
    const status = recorder.interactions[id]?.response?.status_code;
    if (status !== undefined) operation.statuses.set(status, (operation.statuses.get(status) ?? 0) + 1);
    for (const { failure_info: info } of recorder.checks[id] ?? []) {
      if (info !== undefined)
        operation.failures.push([info.failure.title, info.failure.message].filter((text) => text !== '').join(': '));
    }
  }
}

function errorsOf(
  events: readonly Event[],
  operations: ReadonlyMap<string, OperationReport>,
  { exitCode, limitSeconds }: JudgeEnd,
): string[] {
  const faults: string[] = events.flatMap(({ NonFatalError: one, FatalError: fatal }) => [
    ...(one === undefined ? [] : [`${one.label}: ${one.value.type}: ${one.value.message}`]),
    ...(fatal === undefined ? [] : [`${fatal.exception.type}: ${fatal.exception.message}`]),
  ]);
  const stopped = events.find(({ EngineFinished: end }) => end !== undefined)?.EngineFinished?.stop_reason;
  if (exitCode === undefined) faults.push(`It did not end within ${limitSeconds} s.`);
  else if (stopped === undefined) faults.push(`It ended with code ${exitCode} before its end.`);
  const isFound = [...operations.values()].some(({ failures }) => failures.length > 0);
  // Its own verdict counts even where this reader saw nothing.
  if (exitCode !== 0 && exitCode !== undefined && faults.length === 0 && !isFound)
    faults.push(`It ended with code ${exitCode} and named no failure.`);
  return faults;
}

/** A line an operation: cases by phase, answers, failures. */
export function tableOf({ operations }: JudgeReport): string {
  const rows = [...operations]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([label, { cases, statuses, failures }]) => [
      label,
      ...PHASES.map((phase) => String(cases[phase])),
      [...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, times]) => `${status}×${times}`)
        .join(' ') + (failures.length > 0 ? `  ✗ ${failures.length}` : ''),
    ]);
  return alignedTable([['operation', ...PHASES, 'answers'], ...rows]);
}
