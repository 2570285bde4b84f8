// Every alert the gateway raises: what it means and what to do safely. The operating guide is checked against this table.

export interface AlertDefinition {
  readonly meaning: string;
  readonly safeAction: string;
  /** A lasting condition is resolved by the gateway itself when it passes; an incident by a person. */
  readonly kind: 'condition' | 'incident';
}

export const ALERTS = {
  LATE_PAYMENT: {
    meaning:
      'A payment arrived for a deposit that is expired, cancelled or failed. The money is in suspense and credited to nobody.',
    safeAction: 'Reconcile with the provider and return the payment; do not credit the player by hand.',
    kind: 'incident',
  },
  EXTRA_PAYMENT: {
    meaning: 'A second payment arrived on a charge that was paid already. The money is in suspense.',
    safeAction: 'Return the second payment at the provider.',
    kind: 'incident',
  },
  PARTIAL_REVERSAL: {
    meaning: 'The provider reports a return of part of a payment. The deposit’s state does not show it.',
    safeAction: 'Settle the difference with the operator; the deposit stays as it is.',
    kind: 'incident',
  },
  REVERSAL_OUTSIDE_PAID: {
    meaning: 'The provider reports a return for a deposit that is not paid.',
    safeAction: 'Compare with the provider’s statement before anything else moves.',
    kind: 'incident',
  },
  CHARGE_UNANSWERED: {
    meaning: 'The provider has not answered a charge request conclusively for minutes. The deposit is still `created`.',
    safeAction: 'Nothing to do on the deposit: it is asked again with the same reference. Check the provider.',
    kind: 'condition',
  },
  ENVIRONMENT_GUARD: {
    meaning: 'Outside production the provider returned a PIX without the sandbox marker; it was not delivered.',
    safeAction: 'Check the provider credentials of this environment at once: they may be production’s.',
    kind: 'incident',
  },
  RETURN_REFUSED: {
    meaning: 'The provider refused to return a reviewed deposit to its payer. It is under review again.',
    safeAction: 'Read the code, settle it with the provider, and decide again.',
    kind: 'incident',
  },
  CASH_BOX_SHORT: {
    meaning: 'An approved withdrawal waits because the operation’s cash box is below zero.',
    safeAction: 'Ask the operator to fund the cash box; the withdrawal goes on by itself.',
    kind: 'condition',
  },
  OPERATION_SUSPENDED: {
    meaning: 'An approved withdrawal waits because its operation is suspended.',
    safeAction: 'Resume the operation, or cancel the withdrawal.',
    kind: 'condition',
  },
  DISPATCH_CHECK_UNAVAILABLE: {
    meaning: 'The checks before sending could not be made: the rules engine does not answer.',
    safeAction: 'Bring the `rules` workers back; approved withdrawals go on by themselves.',
    kind: 'condition',
  },
  PROVIDER_UNREACHABLE: {
    meaning: 'A payout could not leave: the provider cannot be connected to. Nothing was sent.',
    safeAction: 'Check the network and the provider; the first send is tried again by itself.',
    kind: 'condition',
  },
  PAYOUT_ENVIRONMENT_GUARD: {
    meaning: 'A payout was refused before leaving: its operation belongs to another environment than this process.',
    safeAction: 'Check the worker’s GATEWAY_ENVIRONMENT and the operation; nothing was sent.',
    kind: 'condition',
  },
  PAYOUT_OUTCOME_UNKNOWN: {
    meaning:
      'A payout was sent and for two minutes nobody has known what became of it. It is looked up by its reference until the answer is conclusive.',
    safeAction:
      'Ask the provider for the reference. Never send it again by hand. After a day without a trace, and with the provider’s word in writing, two people may end it: `gateway review conclude`.',
    kind: 'condition',
  },
  PAYOUT_CONTRADICTION: {
    meaning: 'The provider reports a payout differently from what is final here.',
    safeAction: 'Compare with the provider’s statement; the gateway changes nothing by itself.',
    kind: 'incident',
  },
  WEBHOOK_EXHAUSTED: {
    meaning: 'Every attempt to deliver an event failed over two days.',
    safeAction: 'Tell the operator; the event stays in GET /events, and `gateway event redeliver` sends it again.',
    kind: 'incident',
  },
  WEBHOOK_REFUSED: {
    meaning:
      'An operator answers 401 to webhooks: it does not accept the signature or the timestamp. One alert per operation, from the first such answer on.',
    safeAction:
      'Check the webhook secret and the clocks with the operator; deliveries go on being tried for two days, and `gateway event redeliver` sends later.',
    kind: 'incident',
  },
  IP_NOT_ALLOWED: {
    meaning: 'A request with a valid signature came from an address outside the operation’s allowlist.',
    safeAction: 'Ask the operator whether it is theirs; if not, revoke the key.',
    kind: 'incident',
  },
  KEY_ROTATION_DUE: {
    meaning: 'A call key in use is 75 days old. It has to be rotated before it is 90.',
    safeAction:
      'Make the operator a second key (`gateway key create`); the old one ends by itself seven days after the new one’s first use.',
    kind: 'condition',
  },
  KEY_ROTATION_OVERDUE: {
    meaning: 'A call key in use is 90 days old and has no successor in use. It goes on working.',
    safeAction:
      'Rotate it with the operator now; revoke it only if it may be known to others, because that stops their payments.',
    kind: 'condition',
  },
  WEBHOOK_SECRET_OVERDUE: {
    meaning: 'The secret that an operation’s webhooks are signed with is 90 days old.',
    safeAction:
      'Agree on a time with the operator, then `gateway webhook-secret rotate`: both secrets sign for seven days.',
    kind: 'condition',
  },
  DAY_NOT_FROZEN: {
    meaning:
      'The nightly day close could not freeze an operation’s closed day. Nothing is lost: the first read of the day freezes it.',
    safeAction:
      'Look at the failure in the `day-close` workflow; then `gateway reconcile close`, or wait for the next night.',
    kind: 'condition',
  },
  CALLBACK_FORGED: {
    meaning: 'A provider callback failed its verification and was not applied.',
    safeAction: 'Check the callback secret and the source with the provider.',
    kind: 'incident',
  },
  CALLBACK_UNKNOWN_OBJECT: {
    meaning: 'A verified provider callback names a charge or payout that does not exist here.',
    safeAction: 'Compare with the provider’s statement: it may belong to another system on the same account.',
    kind: 'incident',
  },
} as const satisfies Record<string, AlertDefinition>;
export type AlertKind = keyof typeof ALERTS;
