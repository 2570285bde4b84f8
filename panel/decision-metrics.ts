// How often people decide what, and how long cases wait for it.
import type { Answering } from '../contract/panel/routes.js';
import { count, observeSeconds } from '../platform/telemetry/instruments.js';
import type { PaymentRow } from '../staff/reads/panel/payment.js';
import { isRefusal, type Refusal } from './refusal.js';
import type { HandlerRequest } from './request.js';

export function measureDecision(
  { kind, row: { reviewSince } }: PaymentRow,
  { body: { decision } }: Pick<HandlerRequest<'decideCase'>, 'body'>,
  answer: Answering<'decideCase'> | Refusal,
): void {
  const outcome = isRefusal(answer) ? answer.refused : answer.outcome;
  count('gateway_panel_decisions_total', { kind, decision, outcome });
  const hasEnded = outcome === 'done' || outcome === 'under_way';
  if (!hasEnded || reviewSince === null) return;
  observeSeconds('gateway_panel_review_seconds', { kind }, (Date.now() - reviewSince.getTime()) / 1_000);
}
