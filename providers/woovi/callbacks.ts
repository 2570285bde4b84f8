// Verifies and reads Woovi's webhooks. Each is one event, of which the documented ones are listed by their subject; it
// is only a trigger, so a notice holds references and no amounts or states. Two things prove a sender: the signature is
// Woovi's, and the `authorization` is that of our own webhook, because Woovi signs the webhooks of all its customers
// with one key.
import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { RecordWords } from '../../domain/alert-records.js';
import { readJsonBytes } from '../common/http.js';
import { fieldOf } from '../common/answers.js';
import type { CallbackReader, CallbackRequest, CallbackVerdict, AccountName, ProviderNotice } from '../port.js';
import type { CallbackOptions } from '../settings.js';
import { WOOVI_CAPABILITIES, type WooviCallbackConfig } from './client.js';
import { PublicKeys } from './public-keys.js';

/** `nothing`: an event about what the gateway does not use, or knows already. */
type Subject = 'charge' | 'payment' | 'return' | 'dispute' | 'nothing';

const SUBJECTS: Readonly<Record<string, Subject>> = {
  CHARGE_CREATED: 'nothing',
  CHARGE_COMPLETED: 'charge',
  CHARGE_COMPLETED_NOT_SAME_CUSTOMER_PAYER: 'charge',
  CHARGE_EXPIRED: 'nothing',
  TRANSACTION_RECEIVED: 'charge',
  TRANSACTION_REFUND_RECEIVED: 'nothing',
  PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED: 'return',
  PIX_TRANSACTION_REFUND_RECEIVED_REJECTED: 'return',
  PIX_TRANSACTION_REFUND_SENT_CONFIRMED: 'return',
  PIX_TRANSACTION_REFUND_SENT_REJECTED: 'return',
  MOVEMENT_CONFIRMED: 'payment',
  MOVEMENT_FAILED: 'payment',
  MOVEMENT_REMOVED: 'payment',
  DISPUTE_CREATED: 'dispute',
  DISPUTE_ACCEPTED: 'dispute',
  DISPUTE_REJECTED: 'dispute',
  DISPUTE_CANCELED: 'dispute',
  ACCOUNT_REGISTER_APPROVED: 'nothing',
  ACCOUNT_REGISTER_REJECTED: 'nothing',
  ACCOUNT_REGISTER_PENDING: 'nothing',
  PIX_AUTOMATIC_APPROVED: 'nothing',
  PIX_AUTOMATIC_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_CREATED: 'nothing',
  PIX_AUTOMATIC_COBR_APPROVED: 'nothing',
  PIX_AUTOMATIC_COBR_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_COMPLETED: 'nothing',
  PIX_AUTOMATIC_COBR_TRY_REJECTED: 'nothing',
  PIX_AUTOMATIC_COBR_TRY_REQUESTED: 'nothing',
  BOLETO_SETTLED: 'nothing',
};

function subjectOf(event: string): Subject | 'unknown' {
  const name = event.replace(/^(openpix|woovi):/i, '');
  return Object.hasOwn(SUBJECTS, name) ? SUBJECTS[name]! : 'unknown';
}

/** The events that the gateway uses, as they are registered. `TRANSACTION_RECEIVED` repeats a charge's. */
export const EVENTS_TO_REGISTER: readonly string[] = Object.entries(SUBJECTS)
  .filter(([name, subject]) => subject !== 'nothing' && name !== 'TRANSACTION_RECEIVED')
  .map(([name]) => (name.startsWith('PIX_') ? name : `OPENPIX:${name}`));

const BODY_MAX_BYTES = 256 * 1024;
const SIGNATURE_HEADER = 'x-webhook-signature';

const malformed = (reason: string): CallbackVerdict => ({ kind: 'malformed', reason });
const forged = (reason: RecordWords['forgery']): CallbackVerdict => ({ kind: 'forged', reason });
const accepted = (...notices: ProviderNotice[]): CallbackVerdict => ({ kind: 'accepted', notices });

const endToEndId = z.string().regex(/^[a-zA-Z0-9]{32,35}$/, 'must be 32 to 35 letters and digits');
/** Beside a reference of ours it only saves a look-up, so an odd one is none. */
const besides = endToEndId.nullish().catch(null);
const correlationID = z.string().min(1).max(200);

const word = z.string().max(100);
/** What Woovi sends when a webhook is registered, to see that the address answers. */
const testNotice = z.strictObject({ data_criacao: word, evento: word.optional(), event: word.optional() });
const named = z.object({ event: z.string().min(1).max(100) });
const chargeEvent = z.object({
  /** `null` for a PIX to the key itself, which belongs to no charge. */
  charge: z.object({ correlationID }).nullish(),
  pix: z
    .object({ endToEndId: besides, raw: z.object({ endToEndId: besides }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
const paymentEvent = z.object({
  payment: z.object({ correlationID }),
  transaction: z.object({ endToEndId: besides }).nullish().catch(null),
});
const returnEvent = z.object({ originalTransaction: z.object({ endToEndId }) });
const disputeEvent = z.object({ dispute: z.object({ endToEndId }) });

export class WooviCallbacks implements CallbackReader {
  readonly reusesCallbackBodies = WOOVI_CAPABILITIES.reusesCallbackBodies;
  readonly #keys: PublicKeys;

  constructor(
    readonly name: AccountName,
    private readonly config: WooviCallbackConfig,
    private readonly options: CallbackOptions = {},
  ) {
    this.#keys = new PublicKeys(config.keysUrl, options.now);
  }

  /** Reads a request to `/callbacks/{provider}/events`. The sender is verified before the body is parsed. */
  async parseCallback(request: CallbackRequest): Promise<CallbackVerdict> {
    if (request.body.length > BODY_MAX_BYTES) return malformed('the body is larger than 256 KiB');
    const signature = request.headers[SIGNATURE_HEADER];
    // It has no effect and is not kept, so it needs no proof.
    if (signature === undefined && isTest(request.body)) return { kind: 'trial' };
    const doubt = await this.#doubt(request, signature);
    if (doubt !== null) return doubt;
    if (request.path !== `/callbacks/${this.name}/events`)
      return malformed('the path is not a callback of this provider');
    return this.#read(readJsonBytes(request.body));
  }

  close(): Promise<void> {
    return this.#keys.close();
  }

  /** Why the sender is not accepted; `null` if it is. */
  async #doubt(request: CallbackRequest, signature: string | undefined): Promise<CallbackVerdict | null> {
    // The cheap proof first: a sender without it causes no request to Woovi.
    if (!sameText(request.headers['authorization'] ?? '', this.config.authorization))
      return forged('the header authorization is not the one of our webhook');
    switch (await this.#keys.prove(request.body, signature ?? '')) {
      case 'proved':
        return null;
      case 'not_proved':
        return forged(`the header ${SIGNATURE_HEADER} does not prove the sender`);
      case 'no_keys':
        return { kind: 'unverifiable', reason: 'the public keys cannot be fetched' };
    }
  }

  #read(body: unknown): CallbackVerdict {
    if (testNotice.safeParse(body).success) return accepted();
    const event = named.safeParse(body);
    if (!event.success) return malformed(problemOf(event.error));
    switch (subjectOf(event.data.event)) {
      case 'charge':
        return read(chargeEvent, body, chargeNotice);
      case 'payment':
        return read(paymentEvent, body, ({ payment, transaction }) =>
          accepted({
            kind: 'payout',
            reference: payment.correlationID,
            endToEndId: transaction?.endToEndId ?? null,
          }),
        );
      case 'return':
        return read(returnEvent, body, ({ originalTransaction }) =>
          accepted({ kind: 'return', endToEndId: originalTransaction.endToEndId }),
        );
      case 'dispute':
        return read(disputeEvent, body, ({ dispute }) => accepted({ kind: 'return', endToEndId: dispute.endToEndId }));
      case 'nothing':
        return accepted();
      case 'unknown':
        this.options.noteDrift?.('unknown_event');
        return accepted();
    }
  }
}

function chargeNotice({ charge, pix }: z.output<typeof chargeEvent>): CallbackVerdict {
  if (charge === null || charge === undefined) return accepted();
  const id = pix?.endToEndId ?? pix?.raw?.endToEndId ?? null;
  return accepted({ kind: 'charge', reference: charge.correlationID, endToEndId: id });
}

function read<Output>(
  schema: z.ZodType<Output>,
  body: unknown,
  verdictOf: (event: Output) => CallbackVerdict,
): CallbackVerdict {
  const parsed = schema.safeParse(body);
  return parsed.success ? verdictOf(parsed.data) : malformed(problemOf(parsed.error));
}

function isTest(body: Buffer): boolean {
  return testNotice.safeParse(readJsonBytes(body)).success;
}

/** The first invalid field and what is expected; never its value. */
function problemOf(error: z.ZodError): string {
  return `${fieldOf(error)}: ${error.issues[0]?.message ?? 'invalid'}`;
}

/** Compares in constant time, for texts of any length: it compares their digests. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
