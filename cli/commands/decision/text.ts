// A payment's decisions in words, for the person who is asked why: what the rules said, what they compared, what would have passed.
import type { explainDecisions } from '../../staff/decisions.js';
import { comparedInWords, localMinute } from '../../terminal/text.js';

export type Explained = Awaited<ReturnType<typeof explainDecisions>>[number];

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
export function decisionsText(id: string, decisions: readonly Explained[]): string[] {
  return [id, ...decisions.flatMap((decision) => ['', ...decisionText(decision)])];
}

function decisionText(decision: Explained): string[] {
  const {
    stage,
    decided_at: at,
    time_zone: timeZone,
    ruleset_version: version,
    why,
    would_have_passed: passed,
    reproduced,
  } = decision;
  return [
    `${STAGES[stage] ?? stage}, ${localMinute(at.toISOString(), timeZone)} (${timeZone}), rule set version ${version}: ${outcomeInWords(decision)}`,
    ...why.map(({ code, meaning, compared, decided }) => {
      const numbers = comparedInWords(compared);
      return `  ${decided ? '' : '(also) '}${code}: ${meaning}${numbers === '' ? '' : ` (${numbers})`}`;
    }),
    ...(why.length === 0 ? ['  no rule objected'] : []),
    ...passed.map((text) => `  would have been ${text}`),
    ...(decision.asks_what_would_pass && passed.length === 0
      ? ['  no smaller amount and no later moment alone would have made it automatic']
      : []),
    reproduced
      ? `  evaluates to the same again (digest ${decision.digest.slice(0, 12)}…)`
      : '  DOES NOT EVALUATE TO THE SAME AGAIN: the stored decision or the engine was changed',
  ];
}

function outcomeInWords({ outcome, time_zone: timeZone }: Explained): string {
  if (outcome.kind !== 'wait') return OUTCOMES[outcome.kind] ?? outcome.kind;
  const { for: what, until } = outcome as { for?: unknown; until?: unknown };
  const opens = typeof until === 'string' ? ` until ${localMinute(until, timeZone)}` : '';
  return `waits for ${String(what).replaceAll('_', ' ')}${opens}`;
}
