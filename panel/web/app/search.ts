// What stands behind `?` in the page's addresses: plain texts, checked before a page uses them.
import type { Asking } from '../../../contract/panel/routes.js';

type QueueQuery = NonNullable<Asking<'readQueue'>['query']>;

/** The filters of the queue. A case carries them too: the next one is taken by them. */
export type QueueFilters = Omit<QueueQuery, 'cursor'>;

type Given = Readonly<Record<string, unknown>>;

export const QUEUE_SORTS = ['urgency', 'age', 'amount'] as const satisfies readonly QueueQuery['sort'][];

export function queueFilters(given: Given): QueueFilters {
  const { kind, sort } = given;
  return {
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...textOf(given, 'reason', /^[A-Z0-9_]{1,64}$/),
    ...textOf(given, 'min_amount', /^\d{1,18}$/),
    ...(kind === 'deposit' || kind === 'withdrawal' ? { kind } : {}),
    ...(sort === 'age' || sort === 'amount' ? { sort } : {}),
  };
}

export type AlertFilters = Pick<NonNullable<Asking<'readAlerts'>['query']>, 'operation' | 'resolved'>;

export function alertFilters(given: Given): AlertFilters {
  return {
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...(given['resolved'] === 'yes' ? { resolved: 'yes' as const } : {}),
  };
}

export type AuditFilters = Omit<NonNullable<Asking<'readAudit'>['query']>, 'cursor'>;

export function auditFilters(given: Given): AuditFilters {
  return {
    ...textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/),
    ...textOf(given, 'subject', /^\S{1,100}$/),
    ...textOf(given, 'person', /^\S{1,64}$/),
  };
}

export interface OperationFilter {
  readonly operation?: string;
}

export function operationFilter(given: Given): OperationFilter {
  return textOf(given, 'operation', /^[A-Za-z0-9_]{1,64}$/);
}

function textOf<Key extends string>(given: Given, key: Key, shape: RegExp): { [Name in Key]?: string } {
  const value = given[key];
  return typeof value === 'string' && shape.test(value) ? ({ [key]: value } as { [Name in Key]?: string }) : {};
}

/** Addresses hold plain texts: `?kind=deposit&min_amount=5000`. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function writeSearch(search: Given): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
