// What each alert records of its case, in English: the table that code fills in, and that the panel reads to say the
// same in Portuguese. `{name}` is a place for a value; `[…]` is left out where its value is null.
import type { RecordText } from './alert-definition.js';
import type { AlertKind } from './alerts.js';
import type { AuditProblem } from './audit-findings.js';
import type { LedgerProblemKind } from './ledger-problems.js';
import type { DepositStatus } from './payments/deposit.js';
import type { AskedOfProvider, TamperedRefusal } from './payments/permissions.js';
import type { WithdrawalStatus } from './payments/withdrawal.js';
import type { DecisionStage } from './rules/engine.js';
import type { StaffRole } from './staff.js';

const DISPUTE = {
  due: 'provider {provider}, case {case}, to be answered before {at}',
  without_term: 'provider {provider}, case {case}, the provider gives no deadline',
} as const;

/** By kind and name. Two records of a kind never read alike. */
export const ALERT_RECORDS = {
  LATE_PAYMENT: { paid: '{payment}: paid while {status}' },
  PAID_IN_TIME: { paid: '{payment}: paid at {at}, before it expired' },
  EXPIRY_UNCONFIRMED: {
    unanswered: '{payment}: it expired, and the provider has not said yet whether it was paid in time[ ({code})]',
  },
  EXTRA_PAYMENT: { paid: '{payment}: another payment ({bankId}) while {status}' },
  RECEIPT_UNALLOCATED: { received: '{count} received by provider {provider} belong to no deposit' },
  RECEIPT_UNSETTLED: {
    listed: 'provider {provider} lists a payment ({bankId}) that the deposit does not show',
  },
  PAYOUT_UNALLOCATED: {
    listed: 'provider {provider} lists the payout {payout}, which belongs to no withdrawal',
  },
  DISPUTE_OPEN: DISPUTE,
  DISPUTE_DUE: DISPUTE,
  FUNDS_BLOCKED: { blocked: 'provider {provider}: {amount} cannot be used' },
  STATEMENT_DIFFERS: {
    differs: '{day}: {missingHere} missing here, {missingThere} missing there, {differing} differ',
  },
  BALANCE_DIFFERS: {
    differs:
      'provider {provider}: the account had {stated} and the books {booked} at {at}, and they differed the day before',
  },
  FEE_DIFFERS: { differs: '{payment}: {feeOf}: fee of {reportedFee}, entered {noted}' },
  PAYMENT_CLAIMED_TWICE: {
    claimed: '{payment}: the provider reports the movement {bankId}, which {other} has',
  },
  PARTIAL_REVERSAL: {
    part: '{payment}: {reversal} of a part',
    returned: '{payment}: {centavos} of {leftCentavos} centavos went back',
  },
  REVERSAL_OUTSIDE_PAID: {
    own: '{payment}: {reversal} while {status}[; {recalledCentavos} centavos of it came out of the cash box again]',
    other:
      '{payment}: {reversal} of another payment ({bankId})' +
      '[; {recalledCentavos} centavos of it came out of the cash box again]',
  },
  REVERSAL_ABOVE_PAYMENT: {
    sum: '{payment}: returns of {centavos} centavos on a payment of {wholeCentavos}',
    ours: '{payment}: a return of {centavos} centavos, of which {leftCentavos} were left',
  },
  ANSWER_UNREADABLE: { field: '{payment}: provider {provider}: {field} ({code})' },
  CODE_OF_ANOTHER_CHARGE: { code: '{payment}: provider {provider}: {code}' },
  PROVIDER_CLOCK_DIFFERS: {
    answer: 'provider {provider}: {timed} ({minutes} min {side} ours; {payment})',
    list: 'provider {provider}: an entry of a list ({minutes} min {side} ours)',
  },
  PROVIDER_TOLD_TO_WAIT: { wait: 'provider {provider} wants no call for {seconds} s' },
  CHARGE_UNANSWERED: {
    unanswered: '{payment}: no conclusive answer to the charge request yet[ ({code})]',
    lasting: '{payment}: no conclusive answer to the charge request for over {after}',
  },
  ENVIRONMENT_GUARD: { guarded: '{payment}: the PIX is of another environment' },
  RETURN_REFUSED: { refused: '{payment}: the provider refused the return ({code})' },
  RETURN_CONTRADICTION: {
    done: '{payment}: a return that counted as over is done, while {status}',
    not_done: '{payment}: the provider did not perform the return that people concluded as done',
    amount: '{payment}: a return that is entered is now reported with {centavos} centavos',
  },
  CASH_BOX_SHORT: { short: '{payment}: the cash box does not cover it[ ({code})]' },
  OPERATION_SUSPENDED: {
    suspended: '{payment}: the operation, or what it decides automatically, is suspended[ ({code})]',
  },
  PROVIDER_PAUSED: { paused: '{payment}: a person has paused the provider[ ({code})]' },
  DISPATCH_CHECK_UNAVAILABLE: { unavailable: '{payment}: the checks before sending cannot be made[ ({code})]' },
  PROVIDER_UNREACHABLE: { unsent: '{payment}: nothing was sent[ ({code})]' },
  PROVIDER_BALANCE_SHORT: { short: '{payment}: the account at the provider does not cover it[ ({code})]' },
  PAYOUT_ENVIRONMENT_GUARD: { guarded: '{payment}: its operation belongs to another environment[ ({code})]' },
  PAYOUT_OUTCOME_UNKNOWN: {
    traceless: '{payment}: the provider shows no trace of it yet[ ({code})]',
    unanswered: '{payment}: the provider does not answer look-ups[ ({code})]',
    lasting: '{payment}: the outcome of its send is unknown for over {after}',
  },
  PAYOUT_PROCESSING: { lasting: '{payment}: the provider reports it as processing for over {after}' },
  RETURN_UNFINISHED: { lasting: '{payment}: its return is not finished for over {after}' },
  PAYOUT_CONTRADICTION: {
    listed: 'provider {provider} lists the payout {payout}, which this withdrawal does not show',
    reported: '{payment}: the provider reports {reported} while it is {status}',
    returns: '{payment}: the provider reports returns of {sum}, of which {booked} are entered, while it is {status}',
  },
  PARTIAL_PAYOUT_RETURN: { returned: '{payment}: the receiving bank returned a part of it: {amount}' },
  WEBHOOK_EXHAUSTED: { exhausted: 'event {event}: every attempt failed' },
  WEBHOOK_REFUSED: { refused: 'the operator answered 401, first to event {event}' },
  IP_NOT_ALLOWED: {
    refused: 'A request with a valid signature of this key came from {ip}, outside the allowlist.',
  },
  KEY_ROTATION_DUE: { due: 'the call key is {days} days old; rotate it before it is {limitDays}' },
  KEY_ROTATION_OVERDUE: { overdue: 'the call key is {days} days old and still the only one in use' },
  WEBHOOK_SECRET_OVERDUE: { overdue: 'the webhook secret is {days} days old' },
  DAY_NOT_FROZEN: { open: '{currency} through {day} could not be frozen' },
  WORKFLOW_REOPENED: {
    missing: 'the {object} was {was} and had no workflow; it was reopened',
    impostor: 'the {object} was {was} and had a workflow of another than the gateway ({impostor}); it was reopened',
    stuck: 'the {object} was {was} and its workflow made no progress ({count} failed tasks); it was reopened',
  },
  WORKFLOW_FAILING: {
    history: 'the workflow {workflow} makes no progress: its code does not match its history',
    endless: 'the workflow {workflow} makes no progress: its code does not yield',
    error: 'the workflow {workflow} makes no progress: its code fails: {error}[ in {where}][ ({file})]',
    tried:
      'the workflow of this {objectSeen} makes no progress: its task was tried {count} times: it fails, or ends its worker',
    untaken: 'the workflow of this {objectSeen} makes no progress: no worker has taken its task since {since}',
  },
  LEDGER_DIFFERS: { differs: '{count} differences, first {difference} of {subject}' },
  ACCOUNT_OVERDRAWN: { overdrawn: 'the cash box is below zero at {accounts}' },
  LISTING_UNREADABLE: { unread: 'provider {provider} lists something that cannot be read: {name}' },
  CALLBACK_FORGED: { forged: 'provider {provider}: {forgery}' },
  CALLBACK_UNREADABLE: { unread: 'provider {provider}: {count} of a batch could not be read ({field}[: {fault}])' },
  CALLBACK_UNKNOWN_OBJECT: {
    payment: 'provider {provider} announced something about a payment that does not exist here',
    named: 'provider {provider} announced a {named} that does not exist here',
  },
  WORKFLOW_IMPOSTOR: {
    ended: 'had a workflow of another than the gateway ({impostor}); it was ended, and the row is right',
  },
  AUDIT_CHAIN_BROKEN: { broken: '{count} problems, first {problem} at entry {entry}[ (seal {seal})]' },
  DECISION_NOT_REPRODUCED: {
    differs: 'the decision at {stage} does not reproduce from its stored facts and rules',
  },
  ACT_NOT_SIGNED: {
    stored: 'the signature of {act} does not hold',
    asked: '{act} of {subject} was asked for: its signature does not hold. It was not done.',
  },
  UNPROVEN_ORDER: {
    ordered: 'a {ordered} was ordered by somebody else than the api: {payment}, operation {operation}',
    invented: 'a workflow was started for a payment that does not exist: {payment}, operation {operation}',
    copied:
      'a {ordered} that was refused was ordered again by somebody else than the api: {payment}, operation {operation}',
  },
  NOT_IN_THE_BOOKS: { refused: '{payment}: the {asked} was refused ({refusal})' },
  STEP_FORGED: {
    called: '{step} was called {forgedHow}: {payment}, operation {operation}',
    by_hand: '{step} was called by hand: {byHand}: {payment}, operation {operation}',
  },
  BREAK_GLASS: { begun: '{person} broke the glass, ticket {ticket}' },
  ROLE_GRANTED: { granted: '{person} is {role} now, by {grantedBy}' },
  PASSKEY_ADDED: { added: '{person} has a new passkey' },
} as const satisfies Readonly<Record<AlertKind, Readonly<Record<string, string>>>>;

/** An object of a workflow, in a record. */
export const OBJECT_WORDS = { deposit: 'deposit', withdrawal: 'withdrawal', rule_change: 'rule change' } as const;

/** The places whose values are words: each has its closed list, and the panel a translation of every one. */
export interface RecordWords {
  readonly status: DepositStatus | WithdrawalStatus;
  readonly reported: WithdrawalStatus;
  readonly reversal: 'refund' | 'chargeback';
  readonly asked: AskedOfProvider;
  readonly refusal: TamperedRefusal;
  readonly problem: AuditProblem;
  readonly difference: LedgerProblemKind;
  readonly named: 'charge' | 'payout';
  readonly ordered: 'deposit' | 'withdrawal';
  readonly object: (typeof OBJECT_WORDS)[keyof typeof OBJECT_WORDS];
  readonly objectSeen:
    | RecordWords['object']
    | 'deposit, which is not stored yet,'
    | 'withdrawal, which is not stored yet,';
  readonly after: 'an hour' | 'a day' | 'ten days';
  readonly timed: 'a payment' | 'a payout' | 'the creation of a charge';
  readonly side: 'ahead of' | 'behind';
  readonly stage: DecisionStage;
  readonly role: StaffRole;
  readonly forgery:
    | 'chave is not our key'
    | 'the header authorization is not the one of our webhook'
    | 'the header x-webhook-signature does not prove the sender'
    | 'the header of the secret does not prove the sender'
    | 'the header of the signature does not prove the sender'
    | 'neither a verified certificate nor the secret in the address proves the sender';
  /** How a step was called that no workflow of the gateway schedules. Nothing of it is from the caller's input. */
  readonly forgedHow:
    | 'for a deposit that does not exist'
    | 'for a withdrawal that does not exist'
    | 'for a change of rules that does not exist'
    | 'before its time, or by clocks that differ'
    | 'with an act that nobody stored';
  readonly byHand:
    | 'for an event that does not exist'
    | 'with a progress that no step wrote'
    | 'with a condition that is none of ours'
    | 'only in the sandbox a deposit expires before its time';
}

type Places<Template> = Template extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;
type Optional<Template> = Template extends `${string}[${infer Part}]${infer Rest}`
  ? Places<Part> | Optional<Rest>
  : never;
type ValueOf<Place> = Place extends keyof RecordWords ? RecordWords[Place] : string | number | bigint;
/** What a template's places take. */
type Values<Template> = Template extends string
  ? { readonly [Place in Exclude<Places<Template>, Optional<Template>>]: ValueOf<Place> } & {
      readonly [Place in Optional<Template>]: ValueOf<Place> | null;
    }
  : never;

type Records = typeof ALERT_RECORDS;
/** The names of a kind's records; of several kinds, those that all of them have. */
export type RecordName<Kind extends AlertKind> = keyof Records[Kind] & string;

/** An alert's kind with its record, filled in. */
export function alertOf<Kind extends AlertKind, Name extends RecordName<Kind>>(
  kind: Kind,
  name: Name,
  values: Values<Records[Kind][Name]>,
): { readonly kind: Kind; readonly detail: RecordText } {
  return { kind, detail: filled(ALERT_RECORDS[kind][name] as string, values as Filling) as RecordText };
}

type Filling = Readonly<Record<string, string | number | bigint | null | undefined>>;
const PART = /\[([^\]]*)\]/g;
const PLACE = /\{(\w+)\}/g;

/** The template with its values; a part in brackets without its value is left out. */
export function filled(template: string, values: Filling): string {
  return template
    .replace(PART, (_, part: string) => (hasAll(part, values) ? part : ''))
    .replace(PLACE, (_, place: string) => String(values[place] ?? ''));
}

function hasAll(part: string, values: Filling): boolean {
  return [...part.matchAll(PLACE)].every(([, place = '']) => values[place] !== null && values[place] !== undefined);
}

/** A record that was read back: which it is, and what stands in its places. */
export interface ReadRecord {
  readonly name: string;
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** Which of the kind's records the text is; `null`: none, or the kind is of another build. */
export function readRecord(kind: string, text: string): ReadRecord | null {
  const records = (ALERT_RECORDS as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>)[kind] ?? {};
  // The one with the most words of its own: it may fit another whose places take more.
  const fitting = Object.entries(records).flatMap(([name, template]) => {
    const values = expression(template).exec(text)?.groups;
    return values === undefined ? [] : [{ name, values, words: template.replace(PLACE, '').length }];
  });
  const [best = null] = fitting.toSorted((one, other) => other.words - one.words);
  return best === null ? null : { name: best.name, values: best.values };
}

function expression(template: string): RegExp {
  const source = template
    .replace(/[.*+?^$()|\\]/g, '\\$&')
    .replace(PART, '(?:$1)?')
    .replace(PLACE, '(?<$1>.+?)');
  return new RegExp(`^${source}$`, 's');
}
