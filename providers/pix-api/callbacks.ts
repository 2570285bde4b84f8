// Verifies and parses provider callbacks. A callback is only a trigger: the workflow looks the facts up, so a notice
// holds references and no amounts or states.
import { createHmac, createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { CallbackRequest, CallbackVerdict, ProviderName, ProviderNotice } from '../port.js';
import type { CallbackSettings } from '../settings.js';
import type { Dialect } from './dialect.js';
import { chargeCallback } from './wire.js';

const BODY_MAX_BYTES = 256 * 1024;

const malformed = (reason: string): CallbackVerdict => ({ kind: 'malformed', reason });
const forged = (reason: string): CallbackVerdict => ({ kind: 'forged', reason });

/**
 * Parses a request to `/callbacks/{provider}/pix` or `/callbacks/{provider}/payouts`. Verifies the sender before it
 * parses the body, so that an unknown sender learns nothing about the parser. Pure.
 */
export function parseCallback(
  name: ProviderName,
  config: CallbackSettings,
  dialect: Dialect,
  request: CallbackRequest,
): CallbackVerdict {
  if (request.body.length > BODY_MAX_BYTES) return malformed('the body is larger than 256 KiB');
  if (!isFromProvider(config, dialect, request))
    return forged(`the header ${dialect.callback.header} does not prove the sender`);
  const body = parseJson(request.body);
  if (body === undefined) return malformed('the body is not JSON');
  switch (request.path) {
    case `/callbacks/${name}/pix`:
      return chargeNotices(config, body);
    case `/callbacks/${name}/payouts`:
      return payoutNotice(dialect, body);
    default:
      return malformed('the path is not a callback of this provider');
  }
}

function isFromProvider(config: CallbackSettings, dialect: Dialect, request: CallbackRequest): boolean {
  const { scheme, header } = dialect.callback;
  // Without a secret nothing is proved: an empty header must not match.
  if (!config.callbackSecret) return false;
  const expected =
    scheme === 'secret'
      ? config.callbackSecret
      : `sha256=${createHmac('sha256', config.callbackSecret).update(request.body).digest('hex')}`;
  return sameText(request.headers[header] ?? '', expected);
}

/** Compares in constant time, for texts of any length: it compares their digests. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function chargeNotices(config: CallbackSettings, body: unknown): CallbackVerdict {
  const parsed = chargeCallback.safeParse(body);
  if (!parsed.success) return malformed(problemOf(parsed.error));
  // Another client of the same provider can cause callbacks to this gateway, but not for its key.
  if (parsed.data.pix.some((pix) => pix.chave !== undefined && pix.chave !== config.pixKey))
    return forged('chave is not our key');
  const notices = parsed.data.pix.flatMap((pix): ProviderNotice[] =>
    // A PIX sent directly to the key belongs to no charge.
    pix.txid === undefined ? [] : [{ kind: 'charge', reference: pix.txid, endToEndId: pix.endToEndId }],
  );
  return { kind: 'accepted', notices };
}

function payoutNotice(dialect: Dialect, body: unknown): CallbackVerdict {
  const parsed = dialect.payout.reply.safeParse(body);
  if (!parsed.success) return malformed(problemOf(parsed.error));
  return {
    kind: 'accepted',
    notices: [{ kind: 'payout', reference: parsed.data.reference, endToEndId: parsed.data.endToEndId }],
  };
}

/** The first invalid field and what is expected; never its value. */
function problemOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.') || 'body'}: ${issue.message}` : 'body: invalid';
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
