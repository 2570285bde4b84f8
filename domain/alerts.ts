// Every alert of the gateway: its meaning, safe action and class. docs/operating.md is generated from this table.
import { ABUSE_ALERTS } from './abuse-alerts.js';
import type { AlertDefinition, RecordText } from './alert-definition.js';

export const ALERTS = {
  LATE_PAYMENT: {
    meaning:
      'A payment arrived for an expired, cancelled or failed deposit. The money is in suspense and not credited.',
    safeAction:
      'Return the payment with `gateway suspense return`: the provider is asked until that is done or refused. Do not ' +
      'credit the player by hand.',
    kind: 'incident',
    class: 'error',
  },
  PAID_IN_TIME: {
    meaning:
      'A player paid before the deposit expired, but the provider said so only afterwards. The deposit stays ' +
      '`expired`, or as it ended. The money is in suspense and not credited.',
    safeAction:
      'Ask the operator at once. If it credits its player, enter that with `gateway cash credit-suspense`; if not, ' +
      'return the payment with `gateway suspense return`.',
    kind: 'incident',
    class: 'error',
  },
  EXPIRY_UNCONFIRMED: {
    meaning:
      'The provider did not answer the last look-up before a deposit expired. The deposit may have been paid in time.',
    safeAction:
      'Check the provider. The look-up continues until it answers, and then the alert ends. If the deposit was paid ' +
      'in time, PAID_IN_TIME says so.',
    kind: 'condition',
    class: 'error',
  },
  EXTRA_PAYMENT: {
    meaning: 'A second payment arrived on a paid charge. The money is in suspense.',
    safeAction: 'Return the second payment with `gateway suspense return`.',
    kind: 'incident',
    class: 'error',
  },
  RECEIPT_UNALLOCATED: {
    meaning: 'The provider’s account received PIX that belong to no deposit. They credit nothing.',
    safeAction:
      'List them with `gateway receipt list`. Find out who paid, and return the money at the provider or ' +
      'settle it with the operator. Then resolve the alert.',
    kind: 'incident',
    class: 'error',
  },
  RECEIPT_UNSETTLED: {
    meaning:
      'The provider lists a payment that its deposit still does not show, half an hour after the sweep ' +
      'signalled it.',
    safeAction: 'Look the deposit up again, and compare its charge with the provider’s panel.',
    kind: 'incident',
    class: 'error',
  },
  PAYOUT_UNALLOCATED: {
    meaning:
      'The provider’s list of sent PIX has one that belongs to no withdrawal, half an hour after it was found. ' +
      'It left the account outside the gateway.',
    safeAction:
      'See it with `gateway payout list`, and find out who sent it. If it was right, enter it with `gateway ' +
      'cash settle` and its id as document. If nobody knows it, treat it as an intrusion at the provider.',
    kind: 'incident',
    class: 'critical',
  },
  DISPUTE_OPEN: {
    meaning: 'The payer’s bank asks for a received PIX back (MED), and nobody has answered the case at the provider.',
    safeAction:
      'Read it with `gateway dispute list`. With the operator, answer it at the provider before its deadline. ' +
      'The deposit changes only if the money is returned.',
    kind: 'condition',
    class: 'warning',
  },
  DISPUTE_DUE: {
    meaning: 'A disputed payment (MED) must be answered within two days, or the provider decides without an answer.',
    safeAction: 'Answer the case at the provider now; the alert ends with the next reading of its list.',
    kind: 'condition',
    class: 'error',
  },
  FUNDS_BLOCKED: {
    meaning: 'Money in the account at the provider is blocked: by a court, by a dispute, or by a bank as a precaution.',
    safeAction:
      'Ask the provider for how long and for which payment; `gateway provider balance` shows the sum. What ' +
      'players are owed does not change: add money if payouts wait. The alert ends when nothing is blocked.',
    kind: 'condition',
    class: 'error',
  },
  STATEMENT_DIFFERS: {
    meaning: 'A day of a provider’s statement has lines that the books do not have, or the books have others.',
    safeAction:
      'Read the differences with `gateway statement differences`, take the alert, and find out for each which side is ' +
      'right. The alert ends when all match, by a later statement or booking, or when two people have explained them ' +
      '(`gateway statement resolve`). A new difference of the day raises it again.',
    kind: 'condition',
    class: 'error',
  },
  BALANCE_DIFFERS: {
    meaning:
      'The balance that a provider states of an account was not what the books say in two daily comparisons, also ' +
      'with what was under way.',
    safeAction:
      'Import the statements of these days: a line that is missing here or there is the usual cause. Enter what people ' +
      'moved (`gateway cash`). The alert ends when the two agree, or when two people have explained the difference ' +
      '(`gateway statement resolve`).',
    kind: 'condition',
    class: 'error',
  },
  FEE_DIFFERS: {
    meaning: 'The provider reports another fee for a payment than before. The first one stays in the ledger.',
    safeAction:
      'Compare with the provider’s statement. If the first was wrong, correct the cash box with ' +
      '`gateway cash correct`.',
    kind: 'incident',
    class: 'warning',
  },
  PAYMENT_CLAIMED_TWICE: {
    meaning: 'The provider reports one payment for two of ours. It counts for the first; the second is not credited.',
    safeAction:
      'Compare both with the provider’s statement, and ask the provider why it reports the payment twice. If it is the ' +
      'second’s, correct the first with its operator.',
    kind: 'incident',
    class: 'critical',
  },
  PARTIAL_REVERSAL: {
    meaning: 'A part of a payment went back, and left the books. The deposit keeps its state until all of it is gone.',
    safeAction: 'Tell the operator: its reconciliation has the part. Enter nothing by hand.',
    kind: 'incident',
    class: 'error',
  },
  REVERSAL_OUTSIDE_PAID: {
    meaning: 'A late or extra payment, or a part of it, went back to its payer, and left suspense.',
    safeAction: 'Nothing is entered by hand. If nobody returned it, find out why the provider did.',
    kind: 'incident',
    class: 'error',
  },
  REVERSAL_ABOVE_PAYMENT: {
    meaning: 'The provider reports returns of more than the payment. The deposit’s state does not follow from them.',
    safeAction: 'Ask the provider which of the returns moved money, and compare with its statement.',
    kind: 'incident',
    class: 'error',
  },
  ANSWER_UNREADABLE: {
    meaning:
      'The provider answers about a payment, and the named field cannot be read or contradicts the request. What the ' +
      'answer says is not known. It is requested again.',
    safeAction:
      'Look the payment up in the provider’s panel. Compare the field with docs/providers.md and the provider’s ' +
      'documentation: it may have changed. Report it; until it is mended, the payment does not move.',
    kind: 'incident',
    class: 'error',
  },
  CODE_OF_ANOTHER_CHARGE: {
    meaning:
      'The provider answered a charge with a code that would pay another charge, key or amount. The code was not ' +
      'delivered; the charge is requested again.',
    safeAction:
      'Ask the provider at once what the code is. Until it is explained, pause the provider (`gateway provider ' +
      'pause`): other codes may be wrong, too. The operator may cancel the deposit.',
    kind: 'incident',
    class: 'critical',
  },
  PROVIDER_CLOCK_DIFFERS: {
    meaning:
      'A time in a provider’s answer is more than two minutes away from what the gateway knows. The gateway uses its ' +
      'own time and the agreed term instead.',
    safeAction:
      'Ask the provider about its clock; whole hours are local time written as UTC. Until it is right, the sweeps ' +
      'of the account, which ask by the provider’s times, may find payments hours late.',
    kind: 'incident',
    class: 'error',
  },
  PROVIDER_TOLD_TO_WAIT: {
    meaning:
      'The provider wants no call of the account for a minute or longer (`Retry-After`). Until then none is made: ' +
      'charges, look-ups and payouts wait.',
    safeAction:
      'Ask the provider for the reason and the agreed rate. Compare with WORKER_PROVIDER_CALLS_PER_SECOND. Payments ' +
      'continue by themselves.',
    kind: 'incident',
    class: 'error',
  },
  CHARGE_UNANSWERED: {
    meaning: 'The provider has not answered a charge request conclusively for minutes. The deposit is `created`.',
    safeAction: 'Do nothing to the deposit: the call is retried with the same reference. Check the provider.',
    kind: 'condition',
    class: 'error',
  },
  ENVIRONMENT_GUARD: {
    meaning:
      'Outside production the provider returned a PIX of no known test environment, or in production one of a known ' +
      'test environment. It was not delivered.',
    safeAction:
      'Check the provider’s URL and credentials of this environment at once: they may belong to the other. For a test ' +
      'account set PROVIDER_<SLOT>_TEST_LOCATION_HOSTS; in production unset it.',
    kind: 'incident',
    class: 'critical',
  },
  RETURN_REFUSED: {
    meaning:
      'The provider refused to return a payment to its payer. The deposit is under review again, or the late or extra ' +
      'payment is in suspense as before.',
    safeAction: 'Read the code, clarify it with the provider, and decide again.',
    kind: 'incident',
    class: 'error',
  },
  RETURN_CONTRADICTION: {
    meaning:
      'The provider reports a return otherwise than it was concluded: it is done although it counted as over, and the ' +
      'deposit is now `returned` or `refunded`; or it was not performed although people concluded it as done, and the ' +
      'provider still holds the payment of a `returned` deposit.',
    safeAction:
      'Done after all: nothing is left to book. If the player was credited, tell the operator, who gets the event ' +
      '`deposit.refunded`. Not performed: return the payment in the provider’s panel, and the books are right again; ' +
      'or, if the operator is to keep it, enter it with `gateway cash correct` (two people in production).',
    kind: 'incident',
    class: 'critical',
  },
  CASH_BOX_SHORT: {
    meaning:
      'An approved withdrawal waits because the operation’s cash box is below zero in the account that the withdrawal ' +
      'is paid from.',
    safeAction:
      'Ask the operator to send money. When that account has it, enter it with `gateway cash fund --account` (two ' +
      'people in production). The withdrawal then continues at once.',
    kind: 'condition',
    class: 'warning',
  },
  OPERATION_SUSPENDED: {
    meaning:
      'An approved withdrawal waits because its operation, or the operation’s automatic withdrawals, are ' +
      'suspended.',
    safeAction: 'Resume it (`gateway operation resume`, `resume-automatic`), or cancel the withdrawal.',
    kind: 'condition',
    class: 'warning',
  },
  PROVIDER_PAUSED: {
    meaning: 'An approved withdrawal waits because a person has paused its provider. Nothing was sent.',
    safeAction: 'Resume the provider (`gateway provider resume SLOT`), or cancel the withdrawal.',
    kind: 'condition',
    class: 'warning',
  },
  DISPATCH_CHECK_UNAVAILABLE: {
    meaning: 'The checks before sending could not be made: the rules engine does not answer.',
    safeAction: 'Restore the `rules` workers; approved withdrawals then continue.',
    kind: 'condition',
    class: 'error',
  },
  PROVIDER_UNREACHABLE: {
    meaning: 'A payout could not be sent: the connection to the provider fails. Nothing was sent.',
    safeAction: 'Check the network and the provider; the first send is retried.',
    kind: 'condition',
    class: 'error',
  },
  PROVIDER_BALANCE_SHORT: {
    meaning: 'An approved withdrawal waits because the account at the provider does not cover it. Nothing was sent.',
    safeAction: 'Add money to the account at the provider; the withdrawal then continues. It can still be cancelled.',
    kind: 'condition',
    class: 'error',
  },
  PAYOUT_ENVIRONMENT_GUARD: {
    meaning: 'A payout was refused before the send: its operation belongs to another environment than this process.',
    safeAction: 'Check the worker’s GATEWAY_ENVIRONMENT and the operation; nothing was sent.',
    kind: 'condition',
    class: 'critical',
  },
  PAYOUT_OUTCOME_UNKNOWN: {
    meaning:
      'A payout was sent, and its outcome has been unknown for two minutes. ' +
      'It is looked up by its reference until the answer is conclusive.',
    safeAction:
      'Ask the provider about the reference. Never send it again by hand. After a day of look-ups without a ' +
      'trace, and with a written statement from the provider, two people may write it off: `gateway review ' +
      'conclude`. The alert is repeated after a day and after ten.',
    kind: 'condition',
    class: 'critical',
  },
  PAYOUT_PROCESSING: {
    meaning:
      'The provider accepted a payout and still reports it as processing: after an hour, a day and ten days, one alert ' +
      'each. Its money stays reserved.',
    safeAction:
      'Ask the provider about the reference. Never send it again by hand. A day after the send, and with a written ' +
      'statement from the provider that it did not pay and never will, two people may write it off: `gateway review ' +
      'conclude`.',
    kind: 'condition',
    class: 'error',
  },
  RETURN_UNFINISHED: {
    meaning:
      'People decided to return a payment to its payer, and the provider has not finished the return: after an hour, ' +
      'a day and ten days, one alert each. The deposit stays under review, or the payment in suspense.',
    safeAction:
      'Ask the provider about the return; add money if the account lacks it. Do not return the payment in another way: ' +
      'the call is repeated under the same id until it is done or refused. After a day two people may enter the ' +
      'provider’s written statement: `gateway review conclude-return`.',
    kind: 'condition',
    class: 'error',
  },
  PAYOUT_CONTRADICTION: {
    meaning: 'The provider’s report of a payout, or its list, contradicts the withdrawal’s state in the gateway.',
    safeAction: 'Compare with the provider’s statement; the gateway changes nothing.',
    kind: 'incident',
    class: 'critical',
  },
  PARTIAL_PAYOUT_RETURN: {
    meaning: 'The receiving bank returned a part of a paid payout. It is in the cash box; the withdrawal stays `paid`.',
    safeAction: 'Tell the operator: its reconciliation has the part. Enter nothing by hand.',
    kind: 'incident',
    class: 'error',
  },
  WEBHOOK_EXHAUSTED: {
    meaning: 'Every attempt to deliver an event failed over two days.',
    safeAction: 'Inform the operator. The event stays in GET /events, and `gateway event redeliver` sends it again.',
    kind: 'incident',
    class: 'error',
  },
  WEBHOOK_REFUSED: {
    meaning:
      'An operator answers 401 to webhooks: it rejects the signature or the timestamp. ' +
      'One alert per operation, from the first such answer.',
    safeAction:
      'Check the webhook secret and the clocks with the operator. Deliveries are retried for two days; ' +
      'after that, `gateway event redeliver` sends the event again.',
    kind: 'incident',
    class: 'error',
  },
  IP_NOT_ALLOWED: {
    meaning: 'A request with a valid signature came from an address outside the operation’s allowlist.',
    safeAction: 'Ask the operator whether the address is theirs; if not, revoke the key.',
    kind: 'incident',
    class: 'error',
  },
  KEY_ROTATION_DUE: {
    meaning: 'An API key in use is 75 days old. It must be rotated before it is 90 days old.',
    safeAction:
      'Create a second key for the operator (`gateway key create`). ' +
      'The old key expires seven days after the first use of the new one.',
    kind: 'condition',
    class: 'warning',
  },
  KEY_ROTATION_OVERDUE: {
    meaning: 'An API key in use is 90 days old and has no successor in use. It keeps working.',
    safeAction:
      'Rotate it with the operator now. Revoke it only if others may know it, because revoking stops the ' +
      'payments.',
    kind: 'condition',
    class: 'warning',
  },
  WEBHOOK_SECRET_OVERDUE: {
    meaning: 'The secret that signs an operation’s webhooks is 90 days old.',
    safeAction:
      'Agree on a time with the operator, then `gateway webhook-secret rotate`: both secrets sign for seven days.',
    kind: 'condition',
    class: 'warning',
  },
  DAY_NOT_FROZEN: {
    meaning:
      'The nightly day close could not freeze an operation’s closed day. ' +
      'Nothing is lost: the first read of the day freezes it.',
    safeAction:
      'Read the failure in the `day-close` workflow; then run `gateway reconcile close`, or wait for the next night.',
    kind: 'condition',
    class: 'warning',
  },
  WORKFLOW_REOPENED: {
    meaning:
      'An open payment or rule change had no workflow (somebody ended it, or it was lost), or one whose tasks ' +
      'failed again and again. The hourly check reopened it from its row.',
    safeAction:
      'Do nothing to the payment: it continues and asks its provider what happened. Find out who ended the ' +
      'workflow (Temporal UI) and why.',
    kind: 'incident',
    class: 'critical',
  },
  WORKFLOW_FAILING: {
    meaning:
      'The tasks of a workflow fail again and again (its code does not yield, does not match its history, or fails), ' +
      'end the process of their worker at each try, or are taken by no worker. Its payment makes no progress.',
    safeAction:
      'Do nothing to the payment: the hourly check reopens it from its row while it fails. The alert names the ' +
      'reason, the worker’s log has the error: deploy a build that mends it. If no worker takes tasks, start workers ' +
      'of its build. If the alert says that the payment is not stored yet, nothing happened at the provider: end its ' +
      'workflow in the Temporal UI; the operator may repeat its request once a build mends it.',
    kind: 'condition',
    class: 'error',
  },
  LEDGER_DIFFERS: {
    meaning: 'The nightly verification found that an operation’s ledger does not balance.',
    safeAction:
      'Run `gateway ledger verify --operation ID`, and change no row. Find what wrote the first difference ' +
      'before anything is paid out on these balances.',
    kind: 'condition',
    class: 'critical',
  },
  ACCOUNT_OVERDRAWN: {
    meaning:
      'The nightly verification found less than nothing of an operation’s cash box in an account at a provider: ' +
      'chargebacks, fees or corrections took more than was there. In an account that operations share, the others’ ' +
      'money covers it.',
    safeAction:
      'Ask the operator to send money to that account, and enter it with `gateway cash fund --account`. If its money ' +
      'lies in another account (`gateway balance list`), transfer it there. Withdrawals from the account wait meanwhile.',
    kind: 'condition',
    class: 'error',
  },
  LISTING_UNREADABLE: {
    meaning:
      'The provider lists a payment, payout or disputed payment that cannot be read. No payment was informed ' +
      'of it.',
    safeAction:
      'Look it up at the provider by the end-to-end id in the alert. If the alert has a digest instead, search ' +
      'the statement’s entries of that time. Enter money that no payment shows with `gateway cash`. Compare ' +
      'docs/providers.md with the provider’s documentation: it may have changed. Then resolve the alert; it ' +
      'does not come again.',
    kind: 'incident',
    class: 'error',
  },
  CALLBACK_FORGED: {
    meaning: 'A provider callback failed its verification and was not applied.',
    safeAction: 'Check the callback secret and the source with the provider.',
    kind: 'incident',
    class: 'error',
  },
  CALLBACK_UNREADABLE: {
    meaning:
      'A verified provider callback has a part that cannot be read, or is about another PIX key. The rest was ' +
      'applied.',
    safeAction: 'Compare with the provider’s statement and documentation: what it sends may have changed.',
    kind: 'incident',
    class: 'error',
  },
  CALLBACK_UNKNOWN_OBJECT: {
    meaning: 'A verified provider callback names a charge or payout that does not exist in the gateway.',
    safeAction: 'Compare with the provider’s statement: it may belong to another system on the same account.',
    kind: 'incident',
    class: 'warning',
  },
  ...ABUSE_ALERTS,
} as const satisfies Record<string, AlertDefinition>;
export type AlertKind = keyof typeof ALERTS;

/** The alert's row in the table; `null` for a kind of another build. */
export function alertDefinition(kind: string): AlertDefinition | null {
  return (ALERTS as Readonly<Record<string, AlertDefinition | undefined>>)[kind] ?? null;
}

/** An alert that a payment raises. */
export interface AlertNote {
  readonly kind: AlertKind;
  readonly detail: RecordText;
  /**
   * What the alert is about, if it is raised only once for it; `null` if it is raised again whenever none of its kind
   * is open.
   */
  readonly occasion: string | null;
}
