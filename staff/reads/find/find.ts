// Finds everything that a text can mean, in the database only. Each kind that the text can be is looked up; what
// several of them lead to is one hit.
import type { Database } from '../../../store/database.js';
import type { FoundBy, TextKind } from '../../../domain/found-by.js';
import { isReached } from '../../../domain/staff.js';
import {
  type ListLimits,
  matchPayments,
  matchPlayers,
  matchRequests,
  type PaymentMatch,
  type PlayerMatch,
  type RequestMatch,
} from '../../../store/support/lookups.js';
import { type FoundObject, readKey, readObject } from './objects.js';
import { idKindOf, type Reading } from './texts.js';
import { operationNames } from '../../../store/operations/operations.js';
import { lastDecisionOn } from '../../../store/rules/decisions.js';
import { type FoundPayment, readFoundPayments } from '../../../store/support/found-payments.js';

/** The newest request under an Idempotency-Key, which is kept for 30 days. */
export type FoundRequest = RequestMatch & { readonly type: 'request'; readonly operation_name: string };
/** A payment that the rules refused: it has decisions and no row. */
export interface FoundRefusal {
  readonly type: 'refused_payment';
  readonly id: string;
  readonly operation_id: string;
  readonly operation_name: string;
  readonly stage: string;
  /** The error code that the operator got; null if the decision has none. */
  readonly code: string | null;
  readonly reasons: readonly string[];
  readonly at: Date;
}
export type FoundPlayer = PlayerMatch & { readonly type: 'player'; readonly operation_name: string };

export type Hit = { readonly found_by: readonly FoundBy[] } & (
  | (FoundPayment & { readonly request: Omit<RequestMatch, 'object_id' | 'operation_id'> | null })
  | FoundObject
  | FoundRequest
  | FoundRefusal
  | FoundPlayer
);

export interface Findings {
  readonly hits: readonly Hit[];
  /** There are more hits than the limit. */
  readonly more: boolean;
}

interface GatheredPayment {
  readonly match: PaymentMatch;
  /** What it was found by. */
  readonly by: Set<TextKind>;
  request: RequestMatch | null;
}

interface FindResult {
  /** By id. */
  readonly payments: Map<string, GatheredPayment>;
  readonly others: Hit[];
}

/** Looks up every reading of a text, in the operations within reach; at most `limit` hits. */
export async function findAnything(
  database: Database,
  readings: readonly Reading[],
  { reach, limit }: ListLimits,
): Promise<Findings> {
  const gathered: FindResult = { payments: new Map(), others: [] };
  const cut = { reach, limit: limit + 1 };
  for (const reading of readings) await GATHERERS[reading.kind](database, gathered, reading, cut);
  const payments = await readPayments(database, [...gathered.payments.values()].slice(0, limit + 1));
  const hits = [...payments, ...gathered.others].filter(({ operation_id: id }) => isReached(reach, id));
  return { hits: hits.slice(0, limit), more: hits.length > limit };
}

/** The gathered payments as hits; those without a row come last. */
async function readPayments(database: Database, gathered: readonly GatheredPayment[]): Promise<Hit[]> {
  const found = await readFoundPayments(
    database,
    gathered.map(({ match }) => match),
  );
  const byId = new Map(gathered.map((one) => [one.match.id, one]));
  const hits = found.map((payment): Hit => {
    const { by, request } = byId.get(payment.id) ?? { by: [], request: null };
    return { found_by: [...by], ...payment, request: request === null ? null : responseOf(request) };
  });
  const missing = gathered.filter(({ match }) => !found.some(({ id }) => id === match.id));
  const withoutRow = await Promise.all(
    missing.map(({ match, by, request }) => readMissing(database, match.id, [...by], request)),
  );
  return [...hits, ...withoutRow.flat()];
}

function responseOf({ state, response_status, at }: RequestMatch) {
  return { state, response_status, at };
}

type Gatherer = (database: Database, gathered: FindResult, reading: Reading, cut: ListLimits) => Promise<void>;

const GATHERERS: Readonly<Record<TextKind, Gatherer>> = {
  id: gatherId,
  key_id: async (database, { others }, { kind, value }) => {
    const key = await readKey(database, value);
    if (key !== null) others.push({ found_by: [kind], ...key });
  },
  trace_id: gatherRequests,
  idempotency_key: gatherRequests,
  end_to_end_id: gatherPayments,
  provider_reference: gatherPayments,
  external_id: gatherPayments,
  id_end: gatherPayments,
  amount: gatherPayments,
  player_ref: async (database, { others }, { kind, value }, cut) => {
    const players = await matchPlayers(database, value, cut);
    const names = await operationNames(
      database,
      players.map(({ operation_id: id }) => id),
    );
    others.push(
      ...players.map((player) => ({
        found_by: [kind],
        type: 'player' as const,
        ...player,
        operation_name: names.get(player.operation_id) ?? player.operation_id,
      })),
    );
  },
};

async function gatherId(database: Database, gathered: FindResult, { kind, value }: Reading): Promise<void> {
  const idKind = idKindOf(value);
  if (idKind === null) return;
  if (idKind === 'deposit' || idKind === 'withdrawal')
    return addPayment(gathered, { kind: idKind, id: value }, kind, null);
  const object = await readObject(database, idKind, value);
  if (object !== null) gathered.others.push({ found_by: [kind], ...object });
}

async function gatherPayments(
  database: Database,
  gathered: FindResult,
  { kind, value }: Reading,
  cut: ListLimits,
): Promise<void> {
  const matches = await matchPayments(database, kind as Parameters<typeof matchPayments>[1], value, cut);
  for (const match of matches) addPayment(gathered, match, kind, null);
}

async function gatherRequests(
  database: Database,
  gathered: FindResult,
  { kind, value }: Reading,
  cut: ListLimits,
): Promise<void> {
  const requests = await matchRequests(database, kind as Parameters<typeof matchRequests>[1], value, cut);
  const names = await operationNames(
    database,
    requests.map(({ operation_id: id }) => id),
  );
  for (const request of requests) {
    const payment = paymentOf(request.object_id);
    if (payment !== null) addPayment(gathered, payment, kind, request);
    else
      gathered.others.push({
        found_by: [kind],
        type: 'request',
        ...request,
        operation_name: names.get(request.operation_id) ?? request.operation_id,
      });
  }
}

function paymentOf(id: string | null): PaymentMatch | null {
  const kind = id === null ? null : idKindOf(id);
  return id !== null && (kind === 'deposit' || kind === 'withdrawal') ? { kind, id } : null;
}

function addPayment({ payments }: FindResult, match: PaymentMatch, by: TextKind, request: RequestMatch | null): void {
  const known = payments.get(match.id) ?? { match, by: new Set<TextKind>(), request };
  known.by.add(by);
  known.request ??= request;
  payments.set(match.id, known);
}

/** The hit for a payment without a row: the rules refused it, or its request created none. */
async function readMissing(
  database: Database,
  id: string,
  by: readonly TextKind[],
  request: RequestMatch | null,
): Promise<Hit[]> {
  const decision = await lastDecisionOn(database, id);
  const operationId = decision?.operationId ?? request?.operation_id;
  if (operationId === undefined) return [];
  const name = (await operationNames(database, [operationId])).get(operationId) ?? operationId;
  if (decision === null)
    return request === null ? [] : [{ found_by: by, type: 'request', ...request, operation_name: name }];
  const outcome = decision.outcome as { readonly code?: string; readonly reasons?: readonly string[] };
  return [
    {
      found_by: by,
      type: 'refused_payment',
      id,
      operation_id: operationId,
      operation_name: name,
      stage: decision.stage,
      code: outcome.code ?? null,
      reasons: outcome.reasons ?? [],
      at: decision.decidedAt,
    },
  ];
}
