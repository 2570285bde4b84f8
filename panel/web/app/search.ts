// The query strings of the page's addresses: plain texts, checked before a page uses them.
import type { Asking } from '../../../contract/panel/routes.js';

type QueueQuery = NonNullable<Asking<'readQueue'>['query']>;

/** The filters of the queue. A case carries them too: the next one is taken by them. */
export type QueueFilters = Omit<QueueQuery, 'cursor'>;

export type ShiftFilters = NonNullable<Asking<'readShift'>['query']>;

export const SHIFT_HOURS = ['8', '24', '168'] as const satisfies readonly ShiftFilters['hours'][];

export function shiftFilters(given: SearchInput): ShiftFilters {
  return { ...operationFilter(given), ...oneOf(given, 'hours', SHIFT_HOURS) };
}

type SearchInput = Readonly<Record<string, unknown>>;

export const QUEUE_WORK = ['mine', 'escalated', 'asked', 'snoozed'] as const satisfies readonly QueueQuery['work'][];
export const QUEUE_SORTS = ['urgency', 'age', 'amount'] as const satisfies readonly QueueQuery['sort'][];

export function queueFilters(given: SearchInput): QueueFilters {
  const { kind, sort } = given;
  return {
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...textOf(given, 'reason', /^[A-Z0-9_]{1,64}$/),
    ...textOf(given, 'min_amount', /^\d{1,18}$/),
    ...(kind === 'deposit' || kind === 'withdrawal' ? { kind } : {}),
    ...(sort === 'age' || sort === 'amount' ? { sort } : {}),
    ...oneOf(given, 'work', QUEUE_WORK),
  };
}

export type AlertFilters = Pick<NonNullable<Asking<'readAlerts'>['query']>, 'id' | 'operation' | 'resolved'>;

export function alertFilters(given: SearchInput): AlertFilters {
  return {
    ...textOf(given, 'id', /^alr_[A-Za-z0-9]{1,64}$/),
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...(given['resolved'] === 'yes' ? { resolved: 'yes' as const } : {}),
  };
}

export type AuditFilters = Omit<NonNullable<Asking<'readAudit'>['query']>, 'cursor'>;

export function auditFilters(given: SearchInput): AuditFilters {
  return {
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...textOf(given, 'subject', /^\S{1,100}$/),
    ...textOf(given, 'person', /^\S{1,64}$/),
  };
}

export interface OperationFilter {
  readonly operation?: string;
}

export type RulesFilters = OperationFilter & Omit<NonNullable<Asking<'readLists'>['query']>, 'cursor'>;

const LISTS = ['block', 'review'] as const;
const LIST_KINDS = ['player', 'pix_key', 'document', 'ip', 'device'] as const;

/** The parameters of the rules page: the operation, and the filters of its lists. */
export function rulesFilters(given: SearchInput): RulesFilters {
  return {
    ...operationFilter(given),
    ...oneOf(given, 'list', LISTS),
    ...oneOf(given, 'kind', LIST_KINDS),
  };
}

export type PaymentFilters = OperationFilter & Omit<NonNullable<Asking<'readPayments'>['query']>, 'cursor'>;

const KINDS = ['deposit', 'withdrawal'] as const;

export function paymentFilters(given: SearchInput): PaymentFilters {
  return {
    ...operationFilter(given),
    ...oneOf(given, 'kind', KINDS),
    ...textOf(given, 'status', /^[a-z_]{1,32}$/),
    ...textOf(given, 'player', /^[A-Za-z0-9_.:-]{1,64}$/),
    ...textOf(given, 'provider', /^[a-z0-9._-]{1,64}$/),
    ...textOf(given, 'reason', /^[A-Z0-9_]{1,64}$/),
    ...textOf(given, 'min_amount', /^\d{1,18}$/),
    ...textOf(given, 'max_amount', /^\d{1,18}$/),
    ...textOf(given, 'from', /^\d{4}-\d\d-\d\d$/),
    ...textOf(given, 'to', /^\d{4}-\d\d-\d\d$/),
  };
}

export interface WebhookFilters extends OperationFilter {
  /** Whether the log of deliveries is open. */
  readonly log?: 'open';
  readonly failed?: 'yes';
}

export function webhookFilters(given: SearchInput): WebhookFilters {
  return {
    ...operationFilter(given),
    ...oneOf(given, 'log', ['open'] as const),
    ...oneOf(given, 'failed', ['yes'] as const),
  };
}

export interface CallFilters extends OperationFilter {
  readonly refused?: 'yes';
}

export function callFilters(given: SearchInput): CallFilters {
  return { ...operationFilter(given), ...oneOf(given, 'refused', ['yes'] as const) };
}

export function operationFilter(given: SearchInput): OperationFilter {
  return textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/);
}

function oneOf<Key extends string, Value extends string>(
  given: SearchInput,
  key: Key,
  values: readonly Value[],
): { [Name in Key]?: Value } {
  const found = values.find((value) => value === given[key]);
  return found === undefined ? {} : ({ [key]: found } as { [Name in Key]?: Value });
}

function textOf<Key extends string>(given: SearchInput, key: Key, shape: RegExp): { [Name in Key]?: string } {
  const value = given[key];
  return typeof value === 'string' && shape.test(value) ? ({ [key]: value } as { [Name in Key]?: string }) : {};
}

/** Addresses hold plain texts: `?kind=deposit&min_amount=5000`. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: SearchInput): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
