// Asks the panel. Every request is typed by the contract's table; an answer that is no success is thrown as a fault.
import type { PanelError } from '../../../contract/panel/errors.js';
import type { Answered, Asking, PanelRouteName } from '../../../contract/panel/routes.js';
import { ENDPOINTS } from './endpoints.js';
import { PanelFault } from './faults.js';
import { automaticHeader } from './presence.js';

const API = '/api';
/** The panel itself gives up after thirty seconds. */
const ACT_TIMEOUT_MS = 40_000;
const READ_TIMEOUT_MS = 20_000;

export type JsonRoute = Exclude<PanelRouteName, 'stream' | 'exportAudit' | 'exportPayments' | 'exportCase'>;

/** The parts of a request that the route has. */
export type Request<Name extends PanelRouteName> = {
  readonly [Part in keyof Asking<Name> as Asking<Name>[Part] extends undefined ? never : Part]: Asking<Name>[Part];
};

interface AskOptions {
  readonly signal?: AbortSignal;
  /** Sent although the page is left at this moment. */
  readonly keepalive?: boolean;
}

let whenSessionEnds: () => void = () => undefined;

/** Called each time an answer reports that there is no session. */
export function onSessionEnd(listener: () => void): void {
  whenSessionEnds = listener;
}

export async function ask<Name extends JsonRoute>(
  name: Name,
  request: Request<Name>,
  { signal, keepalive = false }: AskOptions = {},
): Promise<Answered<Name>> {
  const { method, path } = ENDPOINTS[name];
  const { params, query, body } = request as Partial<Record<'params' | 'query' | 'body', unknown>>;
  // The page reloads, and renews its claim, by a timer.
  const isAct = method !== 'GET' && name !== 'claimCase';
  const timeout = AbortSignal.timeout(method === 'GET' ? READ_TIMEOUT_MS : ACT_TIMEOUT_MS);
  const response = await fetch(API + filled(path, params) + searchOf(query), {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    keepalive,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    headers: {
      ...(isAct ? {} : automaticHeader()),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new PanelFault({ kind: 'unanswered', traceId: null });
  });
  return answerOf<Name>(response);
}

async function answerOf<Name extends JsonRoute>(response: Response): Promise<Answered<Name>> {
  const traceId = response.headers.get('Svc-Trace-Id');
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answered<Name>;
  if (!isPanelError(answer)) throw new PanelFault({ kind: 'unanswered', traceId });
  if (answer.code === 'not_signed_in') whenSessionEnds();
  throw new PanelFault({ kind: 'refused', error: answer });
}

function isPanelError(answer: unknown): answer is PanelError {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'trace_id' in answer;
}

/** Where the browser gets the audit trail as a file: what it gets goes to the disk as it comes. */
export function auditExportAddress({ query }: Request<'exportAudit'>): string {
  return API + ENDPOINTS.exportAudit.path + searchOf(query);
}

/** The same for a filtered list of payments. */
/** Where the browser saves a case from. */
export function caseExportAddress({ params }: Request<'exportCase'>): string {
  return API + filled(ENDPOINTS.exportCase.path, params);
}

export function paymentsExportAddress({ params, query }: Request<'exportPayments'>): string {
  return API + filled(ENDPOINTS.exportPayments.path, params) + searchOf(query);
}

function filled(path: string, params: unknown): string {
  const values = (params ?? {}) as Readonly<Record<string, string>>;
  return path.replace(/:([a-z]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function searchOf(query: unknown): string {
  const given = Object.entries((query ?? {}) as Readonly<Record<string, string | undefined>>).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
