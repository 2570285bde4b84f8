// Faults to plant in the activities: guessed outcomes, lost errors, wrong references and wrong times.

/** @type {readonly import('./index.mjs').PlantedFault[]} */
export const ACTIVITY_FAULTS = [
  {
    name: 'unknown-send-counts-as-unsent',
    file: 'activities/payments/withdrawal/send.ts',
    from: '      return { ...answerOf(taken, ref.at), outcome: result };',
    to: '      return nothingLeft(unsent, result.reason);',
    kind: 'guessed_outcome',
    harm: 'After a send without an answer the withdrawal counts as unsent and can be cancelled though the money left.',
  },
  {
    name: 'unsent-permission-kept',
    file: 'activities/payments/withdrawal/send.ts',
    from: '      return nothingLeft(unsent, result.reason);',
    to: '      return { ...answerOf(taken, ref.at), outcome: result };',
    kind: 'missing_release',
    harm: 'A payout that never left keeps its permission and stays claimed until two people write it off.',
  },
  {
    name: 'payout-reference-drawn-anew',
    file: 'activities/provider/payouts.ts',
    from: '    reference: payoutReferenceOf(order.id),\n    // These are the sealed values.',
    to: "    reference: crypto.randomUUID().replaceAll('-', ''),\n    // These are the sealed values.",
    kind: 'missing_idempotency',
    harm: 'Every send has a reference of its own, so the provider pays a repeated one twice and no look-up finds it.',
  },
  {
    name: 'answered-rules-not-asked',
    file: 'activities/payments/deposit/look-up.ts',
    from: "    rules === 'silent' ? async () => SILENT",
    to: "    rules !== 'silent' ? async () => SILENT",
    kind: 'wrong_guard',
    harm: 'Payments are judged without asking the rules while these answer.',
  },
  {
    name: 'inconclusive-look-up-swallowed',
    file: 'activities/payments/deposit/look-up.ts',
    from: 'if (conclusion === null || !isSettling(conclusion, ref.at) || !isInconclusive(error)) throw error;',
    to: 'if (conclusion !== null && !isSettling(conclusion, ref.at) && !isInconclusive(error)) throw error;',
    kind: 'swallowed_error',
    harm: 'A look-up that failed counts as one that found nothing, so a paid charge can expire.',
  },
  {
    name: 'second-return-asks-for-first',
    file: 'activities/payments/deposit/returns.ts',
    from: 'returnReferenceOf(ref.id, first.record.returns)',
    to: 'returnReferenceOf(ref.id, 1)',
    kind: 'missing_idempotency',
    harm: 'A second return of a deposit uses the reference of the first one, and the provider never performs it.',
  },
  {
    name: 'pending-return-counts-as-done',
    file: 'activities/payments/deposit/returns.ts',
    from: "      return { outcome: 'pending', change: null };",
    to:
      "      return { outcome: 'done', change: returnDone(record, returnRequest, requestedReturn(record, returnRequest, " +
      "{ amountMinor: returnRequest.amountMinor, at: returnRequest.at, saidBy: 'provider' })) };",
    kind: 'guessed_outcome',
    harm: 'A return the provider has not decided is booked as done; if it is refused the payer never gets the money.',
  },
  {
    name: 'term-in-milliseconds',
    file: 'activities/payments/deposit/open.ts',
    from: 'order.expiresInSeconds * 1_000)',
    to: 'order.expiresInSeconds)',
    kind: 'wrong_unit',
    harm: 'A charge expires seconds after it was created, before anyone can pay it.',
  },
  {
    name: 'unknown-payer-matches',
    file: 'activities/provider/charges.ts',
    from: "  if (!payer?.document) return 'unknown';",
    to: "  if (!payer?.document) return 'match';",
    kind: 'wrong_guard',
    harm: 'A payment whose payer the provider does not tell is credited as paid by the player.',
  },
  {
    name: 'unknown-return-counts-as-refused',
    file: 'activities/provider/charges.ts',
    from:
      '  const outcome = await asking.provider.requestReversal(request);\n' +
      "  if (outcome.kind === 'unknown') throw await undecided(asking, outcome);",
    to:
      '  const outcome = await asking.provider.requestReversal(request);\n' +
      "  if (outcome.kind === 'unknown') return { kind: 'refused', code: outcome.reason };",
    kind: 'guessed_outcome',
    harm: 'A return without an answer counts as refused, so it can be asked for again and paid twice.',
  },
  {
    name: 'any-answer-accepts-webhook',
    file: 'activities/webhooks/deliver.ts',
    from: "    isAccepted: answer.kind === 'delivered',",
    to: '    isAccepted: answer.status !== null,',
    kind: 'comparison',
    harm: 'A webhook the application answered with an error counts as delivered and is never sent again.',
  },
  {
    name: 'lost-workflows-found-late',
    file: 'activities/operations/open-check.ts',
    from: 'SETTLED_AFTER_SECONDS * 1_000)',
    to: 'SETTLED_AFTER_SECONDS * 1_000_000)',
    kind: 'wrong_unit',
    harm: 'A payment whose workflow is lost is found only after days.',
  },
  {
    name: 'write-off-half-done',
    file: 'activities/payments/withdrawal/acts.ts',
    from: "snapshot.status === 'processing' && isNeverAccepted(snapshot)",
    to: "snapshot.status === 'processing' && !isNeverAccepted(snapshot)",
    kind: 'wrong_guard',
    harm: 'A withdrawal two people wrote off does not fail, and its money stays reserved.',
  },
  {
    name: 'followed-payout-always-news',
    file: 'activities/payments/withdrawal/look-up.ts',
    from: 'withdrawal.version > ref.seenVersion',
    to: 'withdrawal.version >= ref.seenVersion',
    kind: 'version_order',
    harm: 'Following a payout takes what is known for news and asks the provider without pause.',
  },
  {
    name: 'process-alerts-inverted',
    file: 'activities/alerts.ts',
    from: 'if (stored !== status) return;',
    to: 'if (stored === status) return;',
    kind: 'wrong_guard',
    harm: 'Alerts about a payment that is still in its state are dropped; only outdated ones are raised.',
  },
];
