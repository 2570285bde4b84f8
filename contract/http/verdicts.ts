// What each error means for the payment, for every kind of endpoint: whether an operator may release the player's
// reserve, must look the payment up, or must retry. The contract, the error pages, the guide and the client are
// generated from this table, and tests check the api against it.
//
// A cell depends on the position of the check. The fourteen checks and the routing come before the Idempotency-Key: an
// error there says nothing about an earlier attempt. After it, the key is bound to method, path, query and body, and
// the error is recorded: every earlier attempt with that key got the same error or did not get through. Headers are not
// bound, so an invalid header counts like a check before the key.
import { type ErrorCode, ERRORS, type FieldError } from './errors.js';
import { type RouteDefinition, codesOf } from './route.js';

/** The verdicts about a payment. */
export const VERDICTS = {
  payment_decided: {
    title: 'payment decided',
    meaning: 'This request did nothing, and no earlier attempt with this `Idempotency-Key` did anything.',
    next: 'Release the reserve. To try again, correct the request and use a new `external_id` and a new key.',
  },
  payment_exists: {
    title: 'payment exists (look)',
    meaning: 'The payment exists. This answer does not change it.',
    next: 'Keep the reserve. Act on the state of the payment: `existing` in the answer, or read the payment.',
  },
  nothing_known: {
    title: 'nothing known of an earlier attempt',
    meaning: 'This request did nothing. An earlier attempt may have succeeded.',
    next:
      'Keep the reserve. Correct the cause and send the stored key and bytes again, or look the payment up by ' +
      '`external_id`.',
  },
  repeat: {
    title: 'repeat',
    meaning: 'The outcome is not known yet.',
    next:
      'Keep the reserve. Send the same key and the same bytes again, after `Retry-After` if it is present. If you ' +
      'stop retrying, look the payment up by `external_id`.',
  },
} as const;
export type Verdict = keyof typeof VERDICTS;

/** The kinds of endpoints. */
export const ENDPOINT_KINDS = {
  create: 'POST that creates a payment',
  act: 'POST that acts on a payment',
  other_post: 'other POST',
  read: 'GET',
} as const;
export type EndpointKind = keyof typeof ENDPOINT_KINDS;

/** The three errors that share the code `validation_failed`. `errors[]` and the status tell them apart. */
export type ValidationRefusal = 'validation_failed_body' | 'validation_failed_other' | 'validation_failed_too_large';
/** A row of the table: an error code, or one of the three kinds of `validation_failed`. */
export type AnswerName = Exclude<ErrorCode, 'validation_failed'> | ValidationRefusal;

export type VerdictRow = Readonly<Record<EndpointKind, Verdict>>;

const every = (verdict: Verdict): VerdictRow => ({ create: verdict, act: verdict, other_post: verdict, read: verdict });
/** Checked before the key, or not about a payment. */
const NOTHING_KNOWN = every('nothing_known');
const REPEAT = every('repeat');
/** Recorded under the key of a creation. An action on a payment does not decide whether the payment exists. */
const REFUSED_CREATION: VerdictRow = { ...NOTHING_KNOWN, create: 'payment_decided' };
/** The payment was found. */
const FOUND: VerdictRow = { ...NOTHING_KNOWN, act: 'payment_exists' };

/** Total over the codes: a missing code does not compile. */
export const VERDICT_TABLE: Readonly<Record<AnswerName, VerdictRow>> = {
  validation_failed_body: REFUSED_CREATION,
  validation_failed_other: NOTHING_KNOWN,
  validation_failed_too_large: NOTHING_KNOWN,
  currency_not_enabled: REFUSED_CREATION,
  method_not_enabled: REFUSED_CREATION,
  // No creation in this version returns it.
  rail_not_enabled: NOTHING_KNOWN,
  invalid_signature: NOTHING_KNOWN,
  timestamp_out_of_window: NOTHING_KNOWN,
  replayed_nonce: NOTHING_KNOWN,
  unknown_key: NOTHING_KNOWN,
  ip_not_allowed: NOTHING_KNOWN,
  insufficient_scope: NOTHING_KNOWN,
  operation_suspended: NOTHING_KNOWN,
  not_found: NOTHING_KNOWN,
  // The key's first request was another one, and this answer does not contain its outcome.
  idempotency_key_reused: NOTHING_KNOWN,
  duplicate_external_id: { ...NOTHING_KNOWN, create: 'payment_exists' },
  invalid_state_transition: FOUND,
  idempotency_in_progress: REPEAT,
  day_open: REPEAT,
  etag_mismatch: NOTHING_KNOWN,
  amount_below_minimum: REFUSED_CREATION,
  amount_above_maximum: REFUSED_CREATION,
  document_invalid: { ...REFUSED_CREATION, act: 'payment_exists' },
  document_mismatch: REFUSED_CREATION,
  player_blocked: REFUSED_CREATION,
  destination_blocked: REFUSED_CREATION,
  insufficient_operation_balance: REFUSED_CREATION,
  velocity_exceeded: REFUSED_CREATION,
  // For bank transfers and currency exchange, which no operation has enabled.
  fx_not_enabled: NOTHING_KNOWN,
  fx_quote_expired: NOTHING_KNOWN,
  fx_quote_mismatch: NOTHING_KNOWN,
  corridor_not_allowed: NOTHING_KNOWN,
  beneficiary_bank_unreachable: NOTHING_KNOWN,
  recall_window_expired: NOTHING_KNOWN,
  rate_limited: REPEAT,
  internal_error: REPEAT,
  service_unavailable: REPEAT,
};

export const ANSWER_NAMES = Object.keys(VERDICT_TABLE) as readonly AnswerName[];

/** The text of each kind of `validation_failed`. */
const VALIDATION_REFUSALS: Readonly<Record<ValidationRefusal, string>> = {
  validation_failed_body: '400 `validation_failed` whose `errors[].field` are all fields of the body or the query',
  validation_failed_other:
    '400 `validation_failed` that names a header (`Idempotency-Key`, `Content-Type`) or no field',
  validation_failed_too_large: '413 `validation_failed`',
};

const isValidationRefusal = (name: AnswerName): name is ValidationRefusal => Object.hasOwn(VALIDATION_REFUSALS, name);

/** The error code of a row. */
export function codeOfAnswer(name: AnswerName): ErrorCode {
  return isValidationRefusal(name) ? 'validation_failed' : name;
}

/** The HTTP status of a row. */
export function statusOfAnswer(name: AnswerName): number {
  return name === 'validation_failed_too_large' ? 413 : ERRORS[codeOfAnswer(name)].status;
}

/** The text of a row, for documents. */
export function answerText(name: AnswerName): string {
  return isValidationRefusal(name) ? VALIDATION_REFUSALS[name] : `${ERRORS[name].status} \`${name}\``;
}

/**
 * Fields of bodies and queries begin with a lower-case letter, headers with a capital; the empty name is the whole
 * request.
 */
const FIELD = /^[a-z]/;

/** The row of an answer. */
export function answerNameOf(
  code: ErrorCode,
  status: number,
  errors: readonly Pick<FieldError, 'field'>[],
): AnswerName {
  if (code !== 'validation_failed') return code;
  if (status === 413) return 'validation_failed_too_large';
  return errors.length > 0 && errors.every(({ field }) => FIELD.test(field))
    ? 'validation_failed_body'
    : 'validation_failed_other';
}

/** The kind of a route. */
export function endpointKindOf({
  method,
  creates,
  params,
}: Pick<RouteDefinition, 'method' | 'creates' | 'params'>): EndpointKind {
  if (method === 'GET') return 'read';
  if (creates === 'deposit' || creates === 'withdrawal') return 'create';
  return params?.['id'] === undefined ? 'other_post' : 'act';
}

export const KINDS = Object.keys(ENDPOINT_KINDS) as readonly EndpointKind[];

/** Whether any route of that kind can return it. */
function isAnswered(routes: readonly RouteDefinition[], name: AnswerName, kind: EndpointKind): boolean {
  // Any request may have used a path that is no route.
  if (name === 'not_found') return true;
  return routes.some((route) => endpointKindOf(route) === kind && codesOf(route).includes(codeOfAnswer(name)));
}

/** The verdict of the answer on an endpoint of that kind; null when no such endpoint returns it. */
export function verdictAt(routes: readonly RouteDefinition[], name: AnswerName, kind: EndpointKind): Verdict | null {
  return isAnswered(routes, name, kind) ? VERDICT_TABLE[name][kind] : null;
}

/** Rows of a table: the answer, then its verdict on each kind of endpoint. */
export function verdictRows(routes: readonly RouteDefinition[]): readonly (readonly string[])[] {
  return ANSWER_NAMES.flatMap((name) => {
    const cells = KINDS.map((kind) => verdictAt(routes, name, kind));
    return cells.every((cell) => cell === null)
      ? []
      : [[answerText(name), ...cells.map((cell) => (cell === null ? '–' : `\`${cell}\``))]];
  });
}

/** One entry per verdict, with the answers of a creation that have it. */
export function creationVerdicts(
  routes: readonly RouteDefinition[],
): readonly { readonly verdict: Verdict; readonly answers: readonly string[] }[] {
  return (Object.keys(VERDICTS) as Verdict[]).map((verdict) => ({
    verdict,
    answers: ANSWER_NAMES.filter((name) => verdictAt(routes, name, 'create') === verdict).map(answerText),
  }));
}

/** The same as a Markdown list, for the contract. */
export function creationList(routes: readonly RouteDefinition[]): string {
  return creationVerdicts(routes)
    .map(({ verdict, answers }) => {
      const { title, meaning, next } = VERDICTS[verdict];
      return `* **${title}** (${answers.join(', ')}). ${meaning} ${next}`;
    })
    .join('\n');
}

/** Results that are not in the table. */
export const BESIDE_THE_TABLE =
  'A timeout and a lost connection count as *repeat*. So does an unknown code with 429, 5xx, or 409 and `retryable`. ' +
  'Any other unknown code counts as *nothing known*, never as *payment decided*.';

/** The rows of a code: one, or the three of `validation_failed`. */
export function answersOf(code: ErrorCode): readonly AnswerName[] {
  return ANSWER_NAMES.filter((name) => codeOfAnswer(name) === code);
}
