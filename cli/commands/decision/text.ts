// The decisions on a payment as text: what the rules decided, what they compared, and what would have passed.
import type { explainDecisions } from '../../../staff/reads/decisions.js';
import { comparedText, localMinute } from '../../../staff/reads/texts.js';

export type DecisionExplanation = Awaited<ReturnType<typeof explainDecisions>>[number];

const STAGES: Readonly<Record<string, string>> = {
  creation: 'when it was asked for',
  dict: 'after the key directory was asked',
  payment: 'when it was paid',
  dispatch: 'before it was sent',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  automatic: 'automatic',
  review: 'to people (review)',
  refuse: 'refused',
  accept: 'accepted',
  credit: 'credited',
  send: 'sent',
  blocked: 'not sent: on a block list',
};

/** One paragraph per decision, oldest first. */
export function decisionsText(id: string, decisions: readonly DecisionExplanation[]): string[] {
  return [id, ...decisions.flatMap((decision) => ['', ...decisionText(decision)])];
}

function decisionText(decision: DecisionExplanation): string[] {
  const { stage, time_zone: timeZone, why, would_have_passed: passed } = decision;
  const at = `${localMinute(decision.decided_at.toISOString(), timeZone)} (${timeZone})`;
  const version = `rule set version ${decision.ruleset_version}`;
  return [
    `${STAGES[stage] ?? stage}, ${at}, ${version}: ${outcomeText(decision)}`,
    ...why.map(reasonText),
    ...(why.length === 0 ? ['  no rule objected'] : []),
    ...passed.map((text) => `  would have been ${text}`),
    ...(decision.asks_what_would_pass && passed.length === 0
      ? ['  no smaller amount and no later moment alone would have made it automatic']
      : []),
    decision.reproduced
      ? `  evaluates to the same again (digest ${decision.digest.slice(0, 12)}…)`
      : '  DOES NOT EVALUATE TO THE SAME AGAIN: the stored decision or the engine was changed',
  ];
}

function reasonText({ code, meaning, compared, decided }: DecisionExplanation['why'][number]): string {
  const numbers = comparedText(compared);
  return `  ${decided ? '' : '(also) '}${code}: ${meaning}${numbers === '' ? '' : ` (${numbers})`}`;
}

function outcomeText({ outcome, time_zone: timeZone }: DecisionExplanation): string {
  if (outcome.kind !== 'wait') return OUTCOMES[outcome.kind] ?? outcome.kind;
  const { for: what, until } = outcome as { for?: unknown; until?: unknown };
  const opens = typeof until === 'string' ? ` until ${localMinute(until, timeZone)}` : '';
  return `waits for ${String(what).replaceAll('_', ' ')}${opens}`;
}
