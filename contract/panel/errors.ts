// The panel's errors: a closed list, and the one shape in which they are answered.
import { z } from 'zod';
import { personalDecision } from './schemas/common.js';

interface ErrorDefinition {
  readonly status: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly detail: string;
}

export const PANEL_ERRORS = {
  invalid: { status: 400, retryable: false, detail: 'The request is invalid; see issues.' },
  not_signed_in: { status: 401, retryable: false, detail: 'There is no session, or it has ended.' },
  link_not_valid: { status: 401, retryable: false, detail: 'The link is unknown, used or too old.' },
  passkey_not_valid: {
    status: 401,
    retryable: false,
    detail: 'The passkey is unknown, removed, or did not answer this.',
  },
  passkey_unconfirmed: {
    status: 403,
    retryable: true,
    detail: 'The passkey signs in once a second person has confirmed its fingerprint.',
  },
  oidc_not_valid: {
    status: 401,
    retryable: false,
    detail: 'The identity provider did not confirm this sign-in, or it took too long.',
  },
  oidc_nobody: {
    status: 403,
    retryable: false,
    detail: 'Nobody here has this account of the identity provider, or they are disabled; see subject.',
  },
  oidc_away: { status: 503, retryable: true, detail: 'The identity provider does not answer.' },
  passkey_needed: {
    status: 403,
    retryable: false,
    detail: 'Sign in with a passkey for this; the first one is made with a sign-in code.',
  },
  not_permitted: { status: 403, retryable: false, detail: 'No role of yours may do this here.' },
  cross_site: { status: 403, retryable: false, detail: 'The request does not come from the panel’s own page.' },
  not_found: { status: 404, retryable: false, detail: 'There is no such thing, or not for you.' },
  method_not_allowed: { status: 405, retryable: false, detail: 'The path has no such method.' },
  body_too_slow: { status: 408, retryable: true, detail: 'The request took too long to arrive.' },
  too_large: { status: 413, retryable: false, detail: 'The request is too large.' },
  not_json: { status: 415, retryable: false, detail: 'The body must be application/json.' },
  rate_limited: { status: 429, retryable: true, detail: 'Too many of these in a short time.' },

  // Acts on payments. Nothing changed.
  not_a_person: {
    status: 409,
    retryable: false,
    detail: 'Nobody with this handle works on cases of the operation.',
  },
  not_yours: { status: 409, retryable: false, detail: 'Only who decided flags a decision as a mistake.' },
  reason_needed: { status: 409, retryable: false, detail: 'An approval of this amount needs a reason.' },
  not_confirmed: { status: 409, retryable: false, detail: 'What was typed to confirm it is not what it asks for.' },
  not_signed: { status: 409, retryable: false, detail: 'You sign this with your passkey.' },
  passkey_new: {
    status: 409,
    retryable: true,
    detail: 'The passkey is new: it signs this later, or once a second person has confirmed it.',
  },
  proof_not_valid: {
    status: 409,
    retryable: false,
    detail: 'The signature is for another act, used already, too old, or not yours.',
  },
  stale: { status: 409, retryable: false, detail: 'It changed after you saw it; look again.' },
  other_state: { status: 409, retryable: false, detail: 'Its state does not allow this; see now.' },
  same_person: { status: 409, retryable: false, detail: 'You have approved already; another person must.' },
  refused_by_rules: { status: 409, retryable: false, detail: 'The rules refuse it: it can only be refused.' },
  not_judged: { status: 409, retryable: true, detail: 'The rules have not judged it and do not answer.' },
  amount_mismatch: {
    status: 409,
    retryable: false,
    detail: 'Another amount than charged was paid, or a part went back: it can only be returned.',
  },
  return_under_way: { status: 409, retryable: false, detail: 'It is being returned, or the provider refused it.' },
  too_early: { status: 409, retryable: false, detail: 'It is too early to write this payout off.' },
  other_evidence: { status: 409, retryable: false, detail: 'The first person named other evidence.' },
  lapsed: { status: 409, retryable: false, detail: 'The last look-up found the payout, or the request lapsed.' },
  provider_silent: { status: 503, retryable: true, detail: 'The provider does not answer the look-up.' },
  act_not_taken: { status: 409, retryable: false, detail: 'The stored act was used, too old, or not yours.' },

  // Requests of two people.
  decided_before: { status: 409, retryable: false, detail: 'Somebody has decided it already; see now.' },
  own_request: { status: 409, retryable: false, detail: 'You asked for it; another person must approve it.' },
  too_close: {
    status: 409,
    retryable: true,
    detail: 'One of you is new, and one made the other or somebody made both: a third person decides, or wait a day.',
  },
  own_code: { status: 409, retryable: false, detail: 'You gave the code: a third person confirms the passkey.' },
  requester_not_permitted: { status: 409, retryable: false, detail: 'Who asked for it may not any more; reject it.' },
  not_in_suspense: {
    status: 409,
    retryable: false,
    detail: 'The payment in suspense has less left, or a return of it is under way or in the books already.',
  },
  already_in_books: {
    status: 409,
    retryable: false,
    detail: 'The PIX is in the books already: entered or in suspense.',
  },
  not_covered: { status: 409, retryable: false, detail: 'The account that pays does not cover it.' },
  account_taken: { status: 409, retryable: false, detail: 'The account at the provider is another operation’s.' },
  account_in_use: {
    status: 409,
    retryable: false,
    detail: 'The operation’s withdrawals are paid from the account that the money would leave.',
  },
  overtaken: { status: 409, retryable: false, detail: 'A later request is in force.' },
  too_many_keys: { status: 409, retryable: false, detail: 'The operation has two active keys of these scopes.' },
  two_secrets: {
    status: 409,
    retryable: true,
    detail: 'Two webhook secrets sign already: wait for the end of the earlier one, or revoke it at once.',
  },
  too_many_events: { status: 409, retryable: false, detail: 'These are too many events; ask for a shorter span.' },
  redelivery_under_way: {
    status: 409,
    retryable: true,
    detail: 'An earlier redelivery of this operation is still under way.',
  },
  about_you: { status: 409, retryable: false, detail: 'The alert is about you: another person looks after it.' },
  money_held: {
    status: 409,
    retryable: false,
    detail: 'The payment of the alert still lies in suspense: take it out first.',
  },
  open_too_short: { status: 409, retryable: true, detail: 'The alert of a new passkey stays open for twelve hours.' },
  last_passkey: { status: 409, retryable: false, detail: 'It is your last one: add another first.' },
  yourself: { status: 409, retryable: false, detail: 'Another admin does that to you.' },
  last_admin: { status: 409, retryable: false, detail: 'One admin stays.' },
  command_line_only: { status: 409, retryable: false, detail: 'It is decided with the gateway command.' },

  /** The act may still be done: the page asks for the outcome before it offers the act again. */
  outcome_unknown: { status: 504, retryable: false, detail: 'Nobody answered in time; the outcome is not known yet.' },
  unreached: { status: 503, retryable: true, detail: 'Its process cannot be reached. Nothing changed.' },
  unavailable: { status: 503, retryable: true, detail: 'The panel cannot answer now.' },
  internal: { status: 500, retryable: false, detail: 'The panel failed. The trace id leads to the reason.' },
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

export type PanelErrorCode = keyof typeof PANEL_ERRORS;
const PANEL_ERROR_CODES = Object.keys(PANEL_ERRORS) as [PanelErrorCode, ...PanelErrorCode[]];

/** What every route can answer. */
export const COMMON_ERRORS = [
  'invalid',
  'not_signed_in',
  'not_permitted',
  'cross_site',
  'method_not_allowed',
  'body_too_slow',
  'too_large',
  'not_json',
  'rate_limited',
  'unavailable',
  'internal',
] as const satisfies readonly PanelErrorCode[];

/** The body of every error. */
export const panelError = z.object({
  code: z.enum(PANEL_ERROR_CODES),
  /** For people who read English; pages have their own words for each code. */
  detail: z.string(),
  retryable: z.boolean(),
  /** What logs and traces know the request by. */
  trace_id: z.string(),
  /** Of `invalid`: which field, and what is wrong with it. */
  issues: z.array(z.object({ path: z.string(), problem: z.string() })).optional(),
  /** Of `stale`, `other_state`, `same_person`, `decided_before`: how it is now, and who decided what. */
  now: z.object({ status: z.string(), version: z.int().nullable(), decisions: z.array(personalDecision) }).optional(),
  /** Of `too_early`. */
  not_before: z.string().nullable().optional(),
  /**
   * For `oidc_nobody`: the identity provider's name for the caller. An admin who knows the person can let it sign them
   * in.
   */
  subject: z.string().optional(),
  /** Of `rate_limited`. */
  retry_after_seconds: z.int().optional(),
});
export type PanelError = z.output<typeof panelError>;
