// What must hold when the world has been healthy and quiet for long enough.
import type { BalanceRead, DayRead, Operator } from '../world/operator.js';
import { short } from '../world/story.js';
import { judgeOperator, judgeSaid } from './answers.js';
import { judgeBooks } from './books.js';
import { judgeDays } from './days.js';
import { eventsOf, judgeEvents } from './events.js';
import {
  type AlertRow,
  alertsOf,
  ByReference,
  type Evidence,
  type Finding,
  groupBy,
  type Row,
  rowsOf,
} from './evidence.js';
import type { ToldFacts } from './told.js';
import { isOpen, isTold } from './waits.js';

/** What an operator read at the end. */
export interface LastReads {
  readonly balance: BalanceRead | null;
  readonly days: readonly DayRead[];
  /** Whether its receiver is down for good. */
  readonly isIll: boolean;
}

/** Judges a world at rest. */
export async function judgeQuiet(
  evidence: Evidence,
  told: ToldFacts,
  reads: ReadonlyMap<Operator, LastReads>,
): Promise<Finding[]> {
  const { database, operators, illSlot } = evidence;
  const [rows, alerts, events] = [await rowsOf(database), await alertsOf(database), await eventsOf(database)];
  const findings = rows
    .filter((row) => isOpen(row) && row.provider !== illSlot && !isTold(row, alerts))
    .map(({ id, kind, status }) => ({
      rule: 'everything ends, or waits for a person with an alert of that wait',
      detail: `${kind} ${short(id)} is ${status}`,
    }));
  findings.push(...abuse(alerts), ...judgeSaid(evidence, rows, alerts), ...judgeDisputes(evidence, rows, alerts));
  for (const operator of operators) {
    const own = rows.filter((row) => row.operation_id === operator.id);
    const ofIt = events.filter((event) => event.operation_id === operator.id);
    const { balance: read, days, isIll } = reads.get(operator) ?? { balance: null, days: [], isIll: false };
    findings.push(
      ...(await judgeBooks(evidence, operator, { rows: own, alerts, read })),
      ...judgeEvents(operator, told, { events: ofIt, rows: own, alerts, isIll }),
      ...judgeDays(evidence, operator, { days, events: ofIt, rows: own }),
      ...judgeAsked(operator, own),
      ...judgeOperator(operator, own, { events: ofIt, clocksOffMs: evidence.clocksOffMs }),
    );
  }
  return findings;
}

/** Alerts that no world brings about: of broken books or chains, or of what banks here never say. */
const NEVER = [
  ...['LEDGER_DIFFERS', 'AUDIT_CHAIN_BROKEN', 'DECISION_NOT_REPRODUCED', 'ACT_NOT_SIGNED', 'UNPROVEN_ORDER'],
  ...['NOT_IN_THE_BOOKS', 'STEP_FORGED', 'WORKFLOW_IMPOSTOR', 'DAY_NOT_FROZEN', 'PAYMENT_CLAIMED_TWICE'],
  ...['REVERSAL_ABOVE_PAYMENT', 'FEE_DIFFERS', 'CODE_OF_ANOTHER_CHARGE', 'PAYOUT_ENVIRONMENT_GUARD'],
];

function abuse(alerts: readonly AlertRow[]): Finding[] {
  const raised = new Map(alerts.flatMap((alert) => (NEVER.includes(alert.kind) ? [[alert.kind, alert]] : [])));
  return [...raised.values()].map(({ kind, detail }) => ({
    rule: 'the gateway finds nothing wrong with its own books',
    detail: `${kind}: ${detail ?? ''}`,
  }));
}

/** People know of every open case where the provider lists them, and of no other. */
function judgeDisputes(
  { books, listsDisputes, illSlot }: Evidence,
  rows: readonly Row[],
  alerts: readonly AlertRow[],
): Finding[] {
  const at = new ByReference(books);
  return rows.flatMap(({ id, provider }) => {
    const charge = at.charge(id);
    if (charge === undefined || !listsDisputes.includes(provider) || provider === illSlot) return [];
    const isOpen = charge.payments.some(({ dispute }) => dispute === 'open');
    // A case about an extra payment names that payment.
    const named = [id, ...charge.payments.map(({ end_to_end_id: payment }) => payment)];
    const isKnown = alerts.some(
      ({ kind, object_id: of, is_open: lasts }) => kind === 'DISPUTE_OPEN' && lasts && named.includes(of ?? ''),
    );
    if (isOpen === isKnown) return [];
    const detail = `deposit ${short(id)}: the case is ${isOpen ? '' : 'not '}open`;
    return [{ rule: 'people are alerted to a case as long as it is open', detail }];
  });
}

/** One request is one payment, and a refusal is none. */
function judgeAsked(operator: Operator, rows: readonly Row[]): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, detail: string) => void findings.push({ rule, detail: `${operator.name}: ${detail}` });
  const byExternalId = groupBy(rows, (row) => `${row.kind} ${row.external_id}`);
  for (const { externalId, kind, id, refusedAs } of operator.asked) {
    const made = byExternalId.get(`${kind} ${externalId}`) ?? [];
    if (made.length > 1) find('one request makes one payment', `${externalId}: ${made.length}`);
    if (id !== null && made[0]?.id !== id) find('a payment that was answered is there', `${externalId}: ${short(id)}`);
    if (refusedAs !== null && made.length > 0)
      find('a refusal makes no payment', `${externalId} was refused (${refusedAs})`);
  }
  const known = new Set(operator.asked.map(({ kind, externalId }) => `${kind} ${externalId}`));
  for (const key of byExternalId.keys()) if (!known.has(key)) find('nothing is made that nobody asked for', key);
  for (const detail of operator.refused) find('what an operator gets is right', detail);
  return findings;
}
