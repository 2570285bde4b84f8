// Deposits at Woovi: charges and the payments received on them. A charge does not show its payment: the account's
// transactions do. Woovi names the payer in up to three places, and one of them is the customer of its own register,
// who need not be the payer. If they differ, or one cannot be read, none is trusted: the payer is unknown, and people
// decide.
import { isSamePixKey } from '../../domain/pix.js';
import { readCode } from '../common/charge-code.js';
import { isWireAmount } from '../pix-api/wire.js';
import type { Charge, ChargeLookup, ChargeOutcome, ChargeRequest, ReceivedPix, Reversal, Unknown } from '../port.js';
import { unknown, unusable } from '../common/answers.js';
import { left, unclear, unread, type WooviContext, type WooviConfig } from './client.js';
import { isDuplicate, isNotFound, refusalOf } from './errors.js';
import {
  KNOWN,
  chargeAnswer,
  transactionsAnswer,
  type WireCharge,
  type WireTransaction,
  type WirePerson,
} from './wire.js';
import { reversalsOf } from './reversals.js';
import { chargeStateOf, type ChargeState, isSentBack } from './status.js';
import { isRead, readTransactions, type TransactionMeaning } from './transactions.js';

/** `POST /charge`. A repeat is answered with the first request's charge (`return_existing`). */
export async function createCharge(context: WooviContext, request: ChargeRequest): Promise<ChargeOutcome> {
  if (!isWireAmount(request.amountMinor)) return { kind: 'refused', code: 'amount_not_supported' };
  const { document } = request.payer;
  if (document.type !== 'CPF' && document.type !== 'CNPJ') return { kind: 'refused', code: 'document_not_supported' };
  const remaining = left(context.callTimeoutMs);
  const answer = await context.client.call({
    method: 'POST',
    path: '/charge?return_existing=true',
    body: chargeBody(request),
    timeoutMs: remaining(),
  });
  const wire = context.client.read(chargeAnswer, KNOWN.charge, answer);
  if (wire !== null) return readCreated(context, request, wire);
  const refusal = refusalOf(answer);
  if (refusal === null) return unread(chargeAnswer, answer);
  return settleByLookup(context, request, isDuplicate(refusal), remaining());
}

function chargeBody({ reference, amountMinor, expiresInSeconds, payer, description }: ChargeRequest): object {
  return {
    correlationID: reference,
    value: Number(amountMinor),
    type: 'DYNAMIC',
    comment: description.slice(0, 140),
    expiresIn: expiresInSeconds,
    // A customer is a name and one more field; a charge needs no customer.
    ...(payer.name === null ? {} : { customer: { name: payer.name, taxID: payer.document.number } }),
  };
}

/** A refused creation is a refusal, or follows one whose answer was lost. Only a look-up is conclusive. */
async function settleByLookup(
  context: WooviContext,
  request: ChargeRequest,
  saidToExist: boolean,
  timeoutMs: number,
): Promise<ChargeOutcome> {
  const answer = await getCharge(context, request.reference, timeoutMs);
  const wire = context.client.read(chargeAnswer, KNOWN.charge, answer);
  if (wire !== null) return readCreated(context, request, wire);
  if (!isNotFound('charge', answer)) return unread(chargeAnswer, answer);
  // "Already exists" and "not found" contradict each other.
  return saidToExist ? unknown('duplicate_not_found') : { kind: 'refused', code: 'psp_rejected' };
}

function getCharge(context: WooviContext, reference: string, timeoutMs: number) {
  return context.client.call({ method: 'GET', path: `/charge/${encodeURIComponent(reference)}`, timeoutMs });
}

/** Accepts only this request's charge, with its amount and its code. */
function readCreated(context: WooviContext, request: ChargeRequest, wire: WireCharge): ChargeOutcome {
  const stranger = foreignFieldOf(context, request.reference, wire);
  if (stranger !== null) return unusable('answer_of_another_charge', stranger);
  // Same id, other content: Woovi holds a charge that was not requested, and the id cannot be used again.
  if (wire.value !== request.amountMinor) return { kind: 'refused', code: 'charge_conflict' };
  if (stateOf(context, wire) === 'unknown') return unusable('unknown_charge_status', 'charge.status');
  const expiresAt = expiryOf(wire);
  const [copyPaste, other] = wire.codes;
  if (copyPaste === undefined) return unusable('charge_without_a_code', 'charge.brCode');
  if (other !== undefined)
    return { kind: 'unknown', reason: 'two_codes_of_one_charge', doubt: { kind: 'foreign_code' } };
  if (expiresAt === null) return unusable('charge_without_an_expiry', 'charge.expiresDate');
  const read = readCode(copyPaste, chargedBy(context, wire), 'charge.brCode');
  if (read.kind === 'unknown') return read;
  const { location } = read.code;
  const charge: Charge = {
    reference: wire.correlationID,
    copyPaste,
    // `qrCodeImage` is an address, and nothing but the API is fetched.
    qrCodePngBase64: null,
    createdAt: wire.createdAt ?? null,
    expiresAt,
    sandboxMarker: isTestCode(context.config, location),
    isOfTestHost: isSandboxCode(location),
    amountMinor: wire.value,
  };
  return { kind: 'created', charge };
}

/** What the code must agree with. Woovi states no address of it. */
function chargedBy({ config }: WooviContext, { value, identifier, transactionID }: WireCharge) {
  const references = [identifier, transactionID].flatMap((name) => name ?? []);
  return { amountMinor: value, pixKey: config.pixKey, locations: [], references };
}

/** The field by which the answer is about another charge, or one of another receiver; `null` if it is ours. */
function foreignFieldOf({ config }: WooviContext, reference: string, wire: WireCharge): string | null {
  if (wire.correlationID !== reference) return 'charge.correlationID';
  return isSamePixKey(config.pixKey, wire.pixKey ?? config.pixKey) ? null : 'charge.pixKey';
}

function stateOf({ client }: WooviContext, { status }: WireCharge): ChargeState | 'unknown' {
  const state = chargeStateOf(status);
  if (state === 'unknown') client.noteDrift('unknown_state');
  return state;
}

function expiryOf({ expiresDate, createdAt, expiresIn }: WireCharge): string | null {
  if (expiresDate) return expiresDate;
  if (!createdAt || expiresIn === null || expiresIn === undefined) return null;
  return new Date(Date.parse(createdAt) + expiresIn * 1_000).toISOString();
}

/** The state of a charge and every payment on it: `GET /charge/{id}`, its transactions, and the returns of those. */
export async function lookUpCharge(context: WooviContext, reference: string): Promise<ChargeLookup> {
  const remaining = left(context.callTimeoutMs);
  const [chargeSaid, transactionsSaid] = await Promise.all([
    getCharge(context, reference, remaining()),
    context.client.call({
      method: 'GET',
      path: `/transaction?charge=${encodeURIComponent(reference)}`,
      timeoutMs: remaining(),
    }),
  ]);
  if (isNotFound('charge', chargeSaid)) return { kind: 'not_found' };
  const wire = context.client.read(chargeAnswer, KNOWN.charge, chargeSaid);
  if (wire === null) return unread(chargeAnswer, chargeSaid);
  const stranger = foreignFieldOf(context, reference, wire);
  if (stranger !== null) return unusable('answer_of_another_charge', stranger);
  const state = stateOf(context, wire);
  if (state === 'unknown') return unusable('unknown_charge_status', 'charge.status');
  const listed = context.client.read(transactionsAnswer, KNOWN.transactions, transactionsSaid);
  if (listed === null) return unread(transactionsAnswer, transactionsSaid);
  if (listed.pageInfo?.hasNextPage === true) return unusable('more_transactions_than_a_page', 'pageInfo');
  const credits = creditsOf(context, { reference, state, wire }, listed.transactions);
  if (!isRead(credits)) return credits;
  // The charge is reported as paid a moment before its transaction is.
  if (state === 'paid' && credits.length === 0) return unknown('paid_without_a_payment');
  const payments = await withReversals(context, reference, credits, remaining());
  if (typeof payments === 'string') return unclear(payments);
  return { kind: 'found', status: state, createdAt: wire.createdAt ?? null, payments };
}

/** A payment that has arrived. */
interface Credit extends Omit<ReceivedPix, 'reversals'> {
  /** Whole, or in part. */
  readonly wasSentBack: boolean;
  readonly isLeftInPart: boolean;
}

/** The payments that have arrived. */
function creditsOf(
  context: WooviContext,
  charge: { reference: string; state: ChargeState; wire: WireCharge },
  rows: readonly unknown[],
): readonly Credit[] | Unknown {
  const transactions = readTransactions(context, rows);
  if (!isRead(transactions)) return transactions;
  const credits: Credit[] = [];
  for (const { transaction, meaning } of transactions) {
    const credit = creditOf(charge, transaction, meaning);
    if (typeof credit === 'string') return unclear(credit);
    if (credit !== null) credits.push(credit);
  }
  const ids = new Set(credits.map(({ endToEndId }) => endToEndId));
  if (ids.size !== credits.length) return unclear('duplicate_payment');
  const [only] = credits;
  // The charge has the fee of its payment; with several payments it does not say of which.
  return only !== undefined && credits.length === 1
    ? [{ ...only, feeMinor: only.feeMinor ?? charge.wire.fee ?? null }]
    : credits;
}

/** `null` for a transaction that is no payment, or has not arrived. */
function creditOf(
  { reference, state: chargeState, wire }: { reference: string; state: ChargeState; wire: WireCharge },
  transaction: WireTransaction,
  meaning: TransactionMeaning,
): Credit | string | null {
  const of = transaction.charge?.correlationID ?? reference;
  if (of !== reference) return 'payment_of_another_charge';
  if (meaning.kind !== 'payment') return null;
  switch (meaning.state) {
    case 'pending':
    case 'rejected':
      return null;
    case null:
      // Some answers leave the state out. Then only a charge that is reported as paid proves that the money is there.
      if (chargeState !== 'paid') return 'payment_without_a_state';
      break;
    case 'credited':
    case 'sent_back':
    case 'sent_back_in_part':
  }
  if (transaction.endToEndId === null) return 'payment_without_end_to_end_id';
  return {
    endToEndId: transaction.endToEndId,
    amountMinor: transaction.value,
    paidAt: transaction.time,
    payer: payerOf(wire, transaction),
    feeMinor: transaction.fee ?? null,
    wasSentBack: isSentBack(meaning.state),
    isLeftInPart: meaning.state === 'sent_back_in_part',
  };
}

async function withReversals(
  context: WooviContext,
  reference: string,
  credits: readonly Credit[],
  timeoutMs: number,
): Promise<readonly ReceivedPix[] | string> {
  if (credits.length === 0) return [];
  const reversals = await reversalsOf(context, { reference, credits, timeoutMs });
  if (typeof reversals === 'string') return reversals;
  const done = reversals.filter(({ status }) => status === 'done');
  const owner = done.length === 0 ? null : ownerOf(done, credits);
  if (owner === undefined) return 'return_of_one_of_several_payments';
  // One that is not done has moved nothing, so it may be told of each payment.
  const open = reversals.filter(({ status }) => status !== 'done');
  return credits.map(({ wasSentBack: _, isLeftInPart: __, ...credit }) => ({
    ...credit,
    reversals: credit.endToEndId === owner?.endToEndId ? reversals : open,
  }));
}

/**
 * The payment that these returns are of: they are listed by charge. With several payments it is the only one that the
 * account reports as sent back, if they add up to it or to the part of it that was, or the only one of their sum;
 * `undefined` if neither says.
 */
function ownerOf(done: readonly Reversal[], credits: readonly Credit[]): Credit | undefined {
  if (credits.length === 1) return credits[0];
  const sum = done.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  const sentBack = credits.filter(({ wasSentBack }) => wasSentBack);
  const fits = ({ amountMinor, isLeftInPart }: Credit) => (isLeftInPart ? sum < amountMinor : sum === amountMinor);
  const [only, ...more] = (sentBack.length > 0 ? sentBack : credits).filter(fits);
  return more.length === 0 && sentBack.length < 2 ? only : undefined;
}

/** The payer that all places agree on; `null` if they do not, or none has a document. */
function payerOf(charge: WireCharge, transaction: WireTransaction): ReceivedPix['payer'] {
  // The holder of the debited account first: it comes from the payment itself.
  const places = [transaction.debitParty?.holder, charge.payer, transaction.payer];
  const named = places.filter((person): person is WirePerson => person?.isNamed === true);
  const documents = named.flatMap(({ document }) => (document === null ? [] : [bare(document)]));
  const [first] = documents;
  if (first === undefined || documents.length < named.length) return null;
  if (!documents.every(({ number }) => number === first.number)) return null;
  return { document: first, name: named.find(({ name }) => name !== null)?.name ?? null };
}

function bare({ type, number }: NonNullable<WirePerson['document']>) {
  return { type, number: number.replace(/[.\-/]/g, '') };
}

/** The host of its API. */
export const WOOVI_HOSTS = { real: ['api.woovi.com', 'api.openpix.com.br'], test: ['api.woovi-sandbox.com'] } as const;
const SANDBOX_DOMAIN = 'woovi-sandbox.com';

/**
 * Whether the code's location, and the API that made it, are of a test environment: Woovi's sandbox, or an API of our
 * own that serves the codes itself, as the simulator does.
 */
function isTestCode({ url }: WooviConfig, location: string | null): boolean {
  const api = new URL(url).host;
  if (location === null || isReal(api)) return false;
  const host = hostOf(location);
  return host === api || isOfSandbox(host);
}

/** Whether the code's location is one of Woovi's sandbox: in production it cannot be paid. */
function isSandboxCode(location: string | null): boolean {
  return location !== null && isOfSandbox(hostOf(location));
}

const isReal = (host: string) => (WOOVI_HOSTS.real as readonly string[]).includes(host);

function isOfSandbox(host: string): boolean {
  return host === SANDBOX_DOMAIN || host.endsWith(`.${SANDBOX_DOMAIN}`);
}

/** `api.woovi-sandbox.com/api/qr/1` → `api.woovi-sandbox.com`. */
function hostOf(location: string): string {
  return location
    .replace(/^https?:\/\//i, '')
    .split(/[/?#]/, 1)[0]!
    .toLowerCase();
}
