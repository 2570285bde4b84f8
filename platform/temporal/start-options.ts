// How payment workflows are started: ids, policies, and the texts for the Temporal UI.
import type { SearchAttributePair } from '@temporalio/common';
import { listSummary, SEARCH_ATTRIBUTES, type WaitingFor } from '../../contract/temporal/search-attributes.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { formatBrl } from '../../domain/money.js';

/** The data of a payment on its workflow's page: ids, codes and amounts, no personal data. */
export interface PaymentCard {
  readonly kind: 'deposit' | 'withdrawal';
  readonly id: string;
  readonly operationId: string;
  readonly operationName: string;
  readonly externalId: string;
  readonly status: string;
  readonly amountMinor: bigint;
  readonly waitingFor: WaitingFor;
  /** The panel's address, where the process knows it: the page in the Temporal UI links to the payment's page there. */
  readonly panelUrl?: string | undefined;
}

/** Options of the first run. Retries of the request attach to it. Another run starts only if the first one failed. */
export function creationOptions<Input>(card: PaymentCard, input: Input) {
  return { ...commonOptions(card, input), workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' } as const;
}

/** Options of a later run of a closed payment. An open run takes the message instead. */
export function reopenOptions<Input>(card: PaymentCard, input: Input) {
  return { ...commonOptions(card, input), workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const;
}

function commonOptions<Input>(card: PaymentCard, input: Input) {
  return {
    workflowId: card.id,
    taskQueue: TASK_QUEUES.payments,
    args: [input] as [Input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `${card.kind} ${formatBrl(card.amountMinor)} · op ${card.operationName}`,
    staticDetails: [
      `- external_id: ${card.externalId}`,
      `- operation: ${card.operationName} (${card.operationId})`,
      `- amount: ${formatBrl(card.amountMinor)}`,
      ...(card.panelUrl === undefined ? [] : [`- [the payment in the panel](${card.panelUrl}/payments/${card.id})`]),
    ].join('\n'),
    typedSearchAttributes: searchAttributes(card),
  } as const;
}

function searchAttributes(card: PaymentCard): SearchAttributePair[] {
  return [
    { key: SEARCH_ATTRIBUTES.OperationId, value: card.operationId },
    { key: SEARCH_ATTRIBUTES.ExternalId, value: card.externalId },
    { key: SEARCH_ATTRIBUTES.PaymentKind, value: card.kind },
    { key: SEARCH_ATTRIBUTES.PaymentStatus, value: card.status },
    { key: SEARCH_ATTRIBUTES.WaitingFor, value: card.waitingFor },
    { key: SEARCH_ATTRIBUTES.AmountMinor, value: searchableAmount(card.amountMinor) },
    { key: SEARCH_ATTRIBUTES.Summary, value: listSummary(card, []) },
  ];
}

/**
 * The index holds 64-bit integers that travel as JSON numbers, so larger amounts are capped at the largest exact one.
 */
function searchableAmount(amountMinor: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(amountMinor < largest ? amountMinor : largest);
}
