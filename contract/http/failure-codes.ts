// What a `failure_code` means for an operator: the codes that the gateway and its adapters give. A bank's own codes,
// such as those of ISO 20022, come beside them. The integration guide has this table.

export interface FailureCode {
  readonly of: 'deposit' | 'withdrawal';
  readonly meaning: string;
  readonly next: string;
}

const ANOTHER_DEPOSIT = 'Create another deposit, with a new `external_id`.';
const RELEASE = 'Release the reserve.';
const ASK_US = 'Release the reserve and tell us.';
const OTHER_KEY = 'Release the reserve and ask the player for another key.';

export const FAILURE_CODES = {
  psp_rejected: { of: 'deposit', meaning: 'The bank refused the charge and gave no code.', next: ANOTHER_DEPOSIT },
  psp_removed: { of: 'deposit', meaning: 'The bank withdrew the charge before it was paid.', next: ANOTHER_DEPOSIT },
  charge_expired: {
    of: 'deposit',
    meaning: 'The bank’s answer came so late that the charge could no longer be paid.',
    next: ANOTHER_DEPOSIT,
  },
  environment_guard: {
    of: 'deposit',
    meaning: 'Outside production: the bank returned a PIX without the sandbox’s marker, and it was not delivered.',
    next: 'Tell us: the sandbox is connected to the wrong bank.',
  },
  key_malformed: { of: 'withdrawal', meaning: 'No directory can hold a key of this form.', next: OTHER_KEY },
  key_not_found: { of: 'withdrawal', meaning: 'The PIX key belongs to nobody.', next: OTHER_KEY },
  key_of_another_document: {
    of: 'withdrawal',
    meaning: 'The PIX key belongs to somebody other than the player.',
    next: OTHER_KEY,
  },
  account_blocked: { of: 'withdrawal', meaning: 'The receiving account is blocked.', next: OTHER_KEY },
  document_not_supported: {
    of: 'withdrawal',
    meaning: 'The bank takes no document of the player’s type.',
    next: RELEASE,
  },
  amount_not_supported: { of: 'withdrawal', meaning: 'The bank takes no such amount.', next: RELEASE },
  payout_invalid: { of: 'withdrawal', meaning: 'The bank refused the payment order as invalid.', next: ASK_US },
  paying_key_invalid: { of: 'withdrawal', meaning: 'The gateway’s own key at the bank is not valid.', next: ASK_US },
  payment_denied: { of: 'withdrawal', meaning: 'The bank denied the payment and gave no code.', next: RELEASE },
  payment_failed: { of: 'withdrawal', meaning: 'The bank reports a failure and gave no code.', next: RELEASE },
  psp_failed: { of: 'withdrawal', meaning: 'The bank reports a failure and gave no code.', next: RELEASE },
  psp_never_accepted: {
    of: 'withdrawal',
    meaning: 'The bank says in writing that the payment order never reached it; two people entered that.',
    next: RELEASE,
  },
  psp_never_paid: {
    of: 'withdrawal',
    meaning: 'The bank says in writing that it did not pay and never will; two people entered that.',
    next: RELEASE,
  },
} as const satisfies Readonly<Record<string, FailureCode>>;
