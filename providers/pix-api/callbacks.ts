// Verifies and parses provider callbacks. A callback is only a trigger: the workflow looks the facts up, so a notice
// holds references and no amounts or states.
import { createHmac, createHash, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { RecordWords } from '../../domain/alert-records.js';
import { isSamePixKey } from '../../domain/pix.js';
import { readJsonBytes } from '../common/http.js';
import { fieldOf } from '../common/answers.js';
import {
  type AccountName,
  type CallbackRequest,
  type CallbackVerdict,
  CERTIFICATE_HEADER,
  type ProviderNotice,
} from '../port.js';
import type { CallbackSettings } from '../settings.js';
import type { Dialect } from './dialect.js';
import { callbackBatch, efiSendNotice, receivedNotice } from './wire.js';

const BODY_MAX_BYTES = 256 * 1024;

const malformed = (reason: string): CallbackVerdict => ({ kind: 'malformed', reason });
const forged = (reason: RecordWords['forgery']): CallbackVerdict => ({ kind: 'forged', reason });
const NOTHING_TO_DO: CallbackVerdict = { kind: 'accepted', notices: [] };

/**
 * Parses a request to `/callbacks/{slot}`, `/callbacks/{slot}/pix` or `/callbacks/{slot}/payouts`. Verifies the sender
 * before it parses the body, so that an unknown sender learns nothing about the parser. Pure.
 */
export function parseCallback(
  name: AccountName,
  settings: CallbackSettings,
  dialect: Dialect,
  request: CallbackRequest,
): CallbackVerdict {
  if (request.body.length > BODY_MAX_BYTES) return malformed('the body is larger than 256 KiB');
  if (!isFromProvider(settings, dialect, request)) return forged(NOT_PROVED[dialect.callback.scheme]);
  const isOwnAddress = dialect.payoutNotices === 'own_address';
  switch (request.path) {
    case `/callbacks/${name}`:
    case `/callbacks/${name}/pix`:
      if (request.path.endsWith('/pix') || !isOwnAddress) return readBatch(settings, dialect, request.body);
      break;
    case `/callbacks/${name}/payouts`:
      if (isOwnAddress) return payoutNotice(dialect.payout, readJsonBytes(request.body));
      break;
  }
  return malformed('the path is not a callback of this provider');
}

const NOT_PROVED = {
  secret: 'the header of the secret does not prove the sender',
  hmac: 'the header of the signature does not prove the sender',
  certificate_or_query: 'neither a verified certificate nor the secret in the address proves the sender',
} as const satisfies Record<Dialect['callback']['scheme'], string>;

function isFromProvider(settings: CallbackSettings, { callback }: Dialect, request: CallbackRequest): boolean {
  const { callbackSecret: secret, callbackCertificate: subject } = settings;
  // Without a secret nothing is proved: an empty one must not match.
  switch (callback.scheme) {
    case 'secret':
      return !!secret && sameText(request.headers[callback.header] ?? '', secret);
    case 'hmac':
      return !!secret && sameText(request.headers[callback.header] ?? '', signatureOf(secret, request.body));
    case 'certificate_or_query':
      // Every configured proof must hold: with both, both.
      return (
        (!!secret || !!subject) &&
        (!secret || sameText(new URLSearchParams(request.query).get(callback.parameter) ?? '', secret)) &&
        (!subject || sameText(request.headers[CERTIFICATE_HEADER] ?? '', `SUCCESS ${subject}`))
      );
  }
}

function signatureOf(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Compares in constant time, for texts of any length: it compares their digests. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

type Element =
  | { readonly kind: 'notice'; readonly notice: ProviderNotice }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unreadable' | 'not_ours'; readonly problem: string };

/** Reads each element separately: an unreadable one does not keep the others from being applied. */
function readBatch(settings: CallbackSettings, dialect: Dialect, bytes: Buffer): CallbackVerdict {
  const isBank = dialect.callback.scheme === 'certificate_or_query';
  // Banks try an address when it is registered, each with its own body.
  if (isBank && bytes.length === 0) return NOTHING_TO_DO;
  const body = readJsonBytes(bytes);
  if (body === undefined) return malformed('the body is not JSON');
  if (isBank && isTrial(body)) return NOTHING_TO_DO;
  const parsed = callbackBatch.safeParse(body);
  if (!parsed.success) return malformed(problemOf(parsed.error));
  const elements = parsed.data.pix.map((element, at) => readElement(settings, dialect, element, `pix.${at}`));
  // Another client of the same provider can cause callbacks to this gateway, but not for its key.
  if (!isBank && elements.some(({ kind }) => kind === 'not_ours')) return forged('chave is not our key');
  const unreadable = elements.flatMap((element) => ('problem' in element ? [element.problem] : []));
  const notices = elements.flatMap((element) => (element.kind === 'notice' ? [element.notice] : []));
  if (unreadable.length === 0) return { kind: 'accepted', notices };
  if (elements.every(({ kind }) => kind === 'unreadable')) return malformed(unreadable[0] ?? 'body: invalid');
  return { kind: 'accepted', notices, unreadable };
}

function isTrial(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && 'evento' in body && !('pix' in body);
}

function readElement(settings: CallbackSettings, dialect: Dialect, element: unknown, at: string): Element {
  const isSend =
    dialect.payoutNotices === 'batch' && typeof element === 'object' && element !== null && 'tipo' in element;
  return isSend
    ? readAs(efiSendNotice, settings, element, at, ({ gnExtras, endToEndId }) => ({
        kind: 'payout',
        reference: gnExtras.idEnvio,
        endToEndId: endToEndId ?? null,
      }))
    : readAs(receivedNotice, settings, element, at, noticeOfReceived);
}

/** `noticeOf`: null for what concerns no payment. */
function readAs<Wire extends { readonly chave?: string | null | undefined }>(
  schema: z.ZodType<Wire>,
  settings: CallbackSettings,
  element: unknown,
  at: string,
  noticeOf: (wire: Wire) => ProviderNotice | null,
): Element {
  const parsed = schema.safeParse(element);
  if (!parsed.success) return { kind: 'unreadable', problem: problemOf(parsed.error, at) };
  if (!isOurKey(settings, parsed.data.chave ?? null))
    return { kind: 'not_ours', problem: `${at}.chave: is another key` };
  const notice = noticeOf(parsed.data);
  return notice === null ? { kind: 'nothing' } : { kind: 'notice', notice };
}

/** A notice without a key is as good: what it names is looked up. */
function isOurKey({ pixKey }: CallbackSettings, reported: string | null): boolean {
  return reported === null || (pixKey !== null && isSamePixKey(pixKey, reported));
}

function noticeOfReceived({ txid, endToEndId, hasReturns }: z.output<typeof receivedNotice>): ProviderNotice | null {
  if (txid) return { kind: 'charge', reference: txid, endToEndId };
  // A return may be one of a payout, without the id of the send. A PIX to the key itself belongs to no charge.
  return hasReturns && endToEndId !== null ? { kind: 'return', endToEndId } : null;
}

function payoutNotice(payout: Dialect['payout'], body: unknown): CallbackVerdict {
  if (payout === null || payout.notice === null) return malformed('the path is not a callback of this provider');
  if (body === undefined) return malformed('the body is not JSON');
  const parsed = payout.notice.safeParse(body);
  if (!parsed.success) return malformed(problemOf(parsed.error));
  return { kind: 'accepted', notices: [{ kind: 'payout', ...parsed.data }] };
}

/** The first invalid field and what is expected; never its value. */
function problemOf(error: z.ZodError, at = ''): string {
  return `${fieldOf(error, at)}: ${error.issues[0]?.message ?? 'invalid'}`;
}
