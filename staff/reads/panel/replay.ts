// The rules' decisions on a payment under another version of the operation's rules: what each would have been, and why.
import type { Answering } from '../../../contract/panel/routes.js';
import { type AnyOutcome, reevaluate } from '../../../domain/rules/engine.js';
import { type RuleReport, shownExplanation } from '../../../domain/rules/rule.js';
import type { Thresholds } from '../../../domain/rules/thresholds.js';
import type { Decision } from '../../../prisma/generated/client.js';
import type { Database } from '../../../store/database.js';
import {
  digestOf,
  questionOf,
  stored,
  thresholdsOfVersion,
  thresholdsReader,
} from '../../../store/rules/replayed-decisions.js';
import { decisionsOf } from '../../../store/rules/decisions.js';
import type { Viewer } from '../../viewer.js';
import { MOST_DECISIONS } from './decisions.js';
import { visiblePayment } from './payment.js';

/** `null` when there is no such payment or version, or the viewer may not see it. */
export async function readReplay(
  database: Database,
  viewer: Viewer,
  id: string,
  version: number,
): Promise<Answering<'readReplay'> | null> {
  const payment = await visiblePayment(database, viewer, id);
  if (payment === null) return null;
  const { operationId, currency } = payment.row;
  const [decisions, thresholds] = await Promise.all([
    decisionsOf(database, id, MOST_DECISIONS),
    thresholdsOfVersion(database, operationId, version, currency),
  ]);
  if (thresholds === null) return null;
  const thresholdsFor = thresholdsReader(database, version);
  const again = decisions.map(async (one) => replayed(one, version, (await thresholdsFor(one)) ?? thresholds));
  return { version, decisions: await Promise.all(again) };
}

function replayed(decision: Decision, version: number, thresholds: Thresholds) {
  const { outcome: was } = stored(decision);
  const { outcome: is, reports } = reevaluate(questionOf(decision), thresholds);
  return {
    stage: decision.stage,
    at: decision.decidedAt,
    ruleset_version: decision.ruleSetVersion,
    was: shownOutcome(was),
    is: shownOutcome(is),
    differs: was.kind !== is.kind || String(was.reasons ?? '') !== String(is.reasons ?? ''),
    // Another version gives another digest, even with the same decision.
    reproduced: version === decision.ruleSetVersion ? digestOf(decision, thresholds, is) === decision.digest : null,
    why: hitsOf(reports, is),
  };
}

function shownOutcome({ kind, reasons = [] }: AnyOutcome) {
  return { kind, reasons: [...reasons] };
}

function hitsOf(reports: readonly RuleReport[], { reasons }: AnyOutcome) {
  return reports
    .filter(({ result }) => result === 'hit')
    .map(({ code, compared }) => ({
      code,
      compared: shownExplanation(compared),
      decided: reasons?.includes(code) ?? true,
    }));
}
