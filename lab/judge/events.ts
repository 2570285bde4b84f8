// Events: every change has one, in order; each reached its operator; and none tells more than the rows have.
import type { Operator } from '../world/operator.js';
import { short } from '../world/story.js';
import { type AlertRow, type Finding, groupBy, type Row, type Reads } from './evidence.js';
import type { ToldFacts } from './told.js';

export interface EventRow {
  readonly id: string;
  readonly operation_id: string;
  readonly object_id: string;
  readonly version: number;
  readonly type: string;
  /** The UTC day. */
  readonly date: string;
  readonly at_ms: number;
}

export const eventsOf = (database: Reads): Promise<EventRow[]> =>
  database.query<EventRow>(
    `SELECT id, operation_id, object_id, object_version AS version, type,
       to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, (extract(epoch FROM created_at) * 1000)::float8 AS at_ms
     FROM event ORDER BY operation_id, sequence`,
  );

/** `isIll`: its receiver is down for good, so that nothing is demanded of deliveries to it. */
export function judgeEvents(
  operator: Operator,
  told: ToldFacts,
  {
    events,
    rows,
    alerts,
    isIll,
  }: {
    readonly events: readonly EventRow[];
    readonly rows: readonly Row[];
    readonly alerts: readonly AlertRow[];
    readonly isIll: boolean;
  },
): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const isExhausted = (id: string) =>
    alerts.some((alert) => alert.kind === 'WEBHOOK_EXHAUSTED' && alert.object_id === id);
  for (const { id, type, object_id: object } of events)
    if (!isIll && !operator.accepted.has(id) && !isExhausted(id))
      find('every event reaches its operator', `${type} of ${short(object)}`);
  const byObject = groupBy(events, (event) => event.object_id);
  for (const row of rows) {
    const versions = byObject.get(row.id) ?? [];
    const last = versions.at(-1);
    if (last !== undefined && (last.version !== row.version || last.type.split('.')[1] !== row.status))
      find('the last event is the present state', `${short(row.id)} is ${row.status} (${row.version}), ${last.type}`);
    const born = row.kind === 'deposit' ? 2 : (versions[0]?.version ?? 1);
    versions.forEach(({ version, type }, index) => {
      if (version !== born + index) find('every version has its event', `${short(row.id)}: ${type} is ${version}`);
    });
    const best = told.latest(row.id);
    if (best !== undefined && best.version > row.version)
      find('what operators were told is in the rows', `${short(row.id)}: told ${best.version}, row ${row.version}`);
    else if (best !== undefined && (best.version !== row.version || best.status !== row.status))
      find('operators can read the present state', `${short(row.id)}: told ${best.status}, row ${row.status}`);
  }
  return findings;
}
