// Building blocks of the schemas. `because` (validation.ts) sets the reason where it differs from zod's default.
import { isIP } from 'node:net';
import { z } from 'zod';
import 'zod-openapi';
import { isCalendarDay, readInstant } from '../../../domain/instant.js';
import type { Reason } from '../errors.js';
import { because } from '../validation.js';

/** A string of at most `maximum` characters (code points). */
export function textUpTo(maximum: number, reason: Reason) {
  return z
    .string()
    .refine((text) => [...text].length <= maximum, because(reason, `must have at most ${maximum} characters`))
    .meta({ maxLength: maximum });
}

/**
 * The operator's own id of a payment (specification, "Deposits"). A longer one is `format`, like any other mismatch.
 */
export const externalId = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
  .meta({ description: 'The operator’s own id, unique per operation and type.', example: 'order-20261121-0001' });

/** The operator's opaque, immutable reference of a player. */
export const externalRef = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, 'must be 1 to 64 characters of A-Z a-z 0-9 _ . : -')
  .meta({ description: 'Opaque and immutable; never an e-mail, a phone or a tax number.', example: 'player-1001' });

/**
 * RFC 3339 with seconds and an offset (`Z` or `+hh:mm`). In UTC the year is 0001 to 9999, as the database requires.
 * What is read is the same moment in UTC, with milliseconds.
 */
export const timestamp = z
  .string()
  .refine((text) => readInstant(text) !== null, {
    ...because('format', 'must be an RFC 3339 timestamp with seconds, in the years 0001 to 9999 of UTC'),
    abort: true,
  })
  .overwrite((text) => readInstant(text)?.toISOString() ?? text)
  .meta({ format: 'date-time', example: '2026-11-21T12:00:00.000Z' });

/** A calendar day, `YYYY-MM-DD`. */
export const calendarDate = z
  .string()
  .refine(isCalendarDay, because('format', 'must be a date, YYYY-MM-DD, in the years 0001 to 9999'))
  .meta({ format: 'date', example: '2026-11-20' });

/** ISO 3166-1 alpha-2, upper case. */
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be two upper-case letters')
  .meta({ example: 'BR' });

/** An IPv4 or IPv6 address, without a zone (`fe80::1%eth0`), which only one machine can interpret. */
export const ipAddress = z
  .string()
  .refine((text) => isIP(text) !== 0 && !text.includes('%'), because('format', 'must be an IPv4 or IPv6 address'))
  .meta({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], example: '203.0.113.10' });

/** A code of a rail; the list is open. */
export const rail = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,31}$/, 'must be 2 to 32 characters of a-z 0-9 _, beginning with a letter')
  .meta({ example: 'ted' });

/** Up to 20 keys with string values. */
export const metadata = z
  .record(z.string(), z.string())
  .refine((entries) => Object.keys(entries).length <= 20, because('range', 'must have at most 20 keys'))
  .meta({ description: 'Up to 20 keys with string values.', maxProperties: 20, example: { campaign: 'november' } });
