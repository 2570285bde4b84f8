// What changed thresholds would have done to the payments of the last 30 days, against what people decided about them.
import type { Answering } from '../../../contract/panel/routes.js';
import { toMoney } from '../../../domain/money.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { changedEngine, type EngineRules } from '../../../domain/rules/engine-rules.js';
import {
  type MadeDecision,
  needsTwoPeople,
  NOT_COMPARABLE,
  type NotComparable,
  redecide,
  type Rules,
} from '../../../domain/rules/proof/redecide.js';
import { REPORT_DAYS } from '../../../domain/rules/proof/report.js';
import { defaultRuleSet, parseRuleSetDraft, type RuleSet } from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';
import type { Database } from '../../../store/database.js';
import { type PersonsVerdict, personsVerdicts } from '../../../store/support/decided-payments.js';
import { decidedCases } from '../../../store/rules/rule-change-proof.js';
import { currentRuleSet, engineRulesOf } from '../../../store/rules/rule-sets.js';
import { DAY_MS } from '../../../domain/instant.js';

/** The only enabled currency. */
const CURRENCY = 'BRL';
/** The newest decisions that a trial reads: it runs in the panel's process, between other requests. */
const MOST_CASES = 20_000;
const MOST_SHOWN = 10;

type Changes = Readonly<Record<string, JsonValue>>;

/** Rules that a person tries or proposes. */
export interface ChangedRules {
  /** The version in force, which they were made from. */
  readonly baseVersion: number;
  readonly current: RuleSet;
  readonly rules: RuleSet;
  readonly currentEngine: EngineRules;
  readonly engine: EngineRules;
}

/**
 * The rules in force with changed thresholds of the currency: `changes` by the names of a rule set, `engineChanges` by
 * those of `ENGINE_SETTINGS`. Throws a RuleSetError for what they cannot hold.
 */
export async function changedRules(
  database: Database,
  operationId: string,
  changes: Changes,
  engineChanges: Changes = {},
): Promise<ChangedRules> {
  const [stored, currentEngine] = await Promise.all([
    currentRuleSet(database, operationId),
    engineRulesOf(database, operationId),
  ]);
  const current = stored?.rules ?? defaultRuleSet(1);
  const { version: _version, ...rest } = current;
  const own = Object.entries({ ...current.currencies[CURRENCY], ...changes });
  // Without hours the time is "always", which the rules say with null; every other threshold is left out.
  const kept = Object.fromEntries(own.filter(([name, value]) => value !== null || name === 'auto_hours'));
  const rules = parseRuleSetDraft({ ...rest, currencies: { ...current.currencies, [CURRENCY]: kept } });
  const engine = changedEngine(currentEngine, CURRENCY, engineChanges);
  return { baseVersion: stored?.version ?? 1, current, rules, currentEngine, engine };
}

interface Moved {
  readonly id: string;
  readonly amountMinor: bigint;
}

/** Decides the newest payments again under both. Stores nothing. */
export async function tryRules(
  database: Database,
  operationId: string,
  { baseVersion, current, rules, currentEngine, engine }: ChangedRules,
  now: Date,
): Promise<Answering<'tryRules'>> {
  const inForce: Rules = { thresholds: thresholdsOf(current, CURRENCY, currentEngine), engine: currentEngine };
  const proposed: Rules = { thresholds: thresholdsOf(rules, CURRENCY, engine), engine };
  const through = now.toISOString();
  let from = new Date(now.getTime() - REPORT_DAYS * DAY_MS).toISOString();
  let [read, compared, isCutOff] = [0, 0, false];
  const moved = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []])) as unknown as Record<Way, Moved[]>;
  const notComparable = Object.fromEntries(NOT_COMPARABLE.map((because) => [because, 0])) as Record<
    NotComparable,
    number
  >;
  for await (const page of decidedCases(database, { operationId, from, through })) {
    const cases = page.slice(0, MOST_CASES - read);
    for (const asked of cases) {
      const [was, is] = [redecide(asked, inForce), redecide(asked, proposed)];
      const unknown = [was, is].find((one) => one.kind === 'not_comparable');
      if (unknown !== undefined) notComparable[unknown.because] += 1;
      if (was.kind !== 'decided' || is.kind !== 'decided') continue;
      compared += 1;
      const own = { id: asked.objectId, amountMinor: asked.amountMinor ?? 0n };
      for (const [way, goes] of Object.entries(WAYS)) if (goes(was, is)) moved[way as Way].push(own);
    }
    read += cases.length;
    isCutOff = cases.length < page.length || read >= MOST_CASES;
    if (!isCutOff) continue;
    from = cases.at(-1)?.decidedAt ?? from;
    break;
  }
  const { freed, ...others } = moved;
  const verdicts = await personsVerdicts(
    database,
    freed.map(({ id }) => id),
  );
  return {
    base_version: baseVersion,
    from,
    through,
    is_cut_off: isCutOff,
    compared,
    not_comparable: notComparable,
    freed: { ...sumOf(freed), ...judged(freed, verdicts) },
    held: sumOf(others.held),
    newly_refused: sumOf(others.newly_refused),
    no_longer_refused: sumOf(others.no_longer_refused),
    delayed: sumOf(others.delayed),
    hastened: sumOf(others.hastened),
    to_two_people: sumOf(others.to_two_people),
    from_two_people: sumOf(others.from_two_people),
    refused_payments: shown(freed, verdicts),
  };
}

const PASSES: readonly string[] = ['automatic', 'credit'];
const passes = ({ outcome }: MadeDecision) => PASSES.includes(outcome.kind);
const waits = ({ outcome }: MadeDecision) => outcome.kind === 'review';
const isRefused = ({ outcome }: MadeDecision) => outcome.kind === 'refuse';
const isSent = ({ outcome }: MadeDecision) => outcome.kind === 'send';
const isDelayed = ({ outcome }: MadeDecision) => outcome.kind === 'wait';

/** The ways in which a payment would go otherwise: without people, to them, refused, later, or to two people. */
const WAYS = {
  freed: (was, is) => waits(was) && passes(is),
  held: (was, is) => passes(was) && waits(is),
  newly_refused: (was, is) => !isRefused(was) && isRefused(is),
  no_longer_refused: (was, is) => isRefused(was) && !isRefused(is),
  delayed: (was, is) => isSent(was) && isDelayed(is),
  hastened: (was, is) => isDelayed(was) && isSent(is),
  to_two_people: (was, is) => !needsTwoPeople(was) && needsTwoPeople(is),
  from_two_people: (was, is) => needsTwoPeople(was) && !needsTwoPeople(is),
} as const satisfies Readonly<Record<string, (was: MadeDecision, is: MadeDecision) => boolean>>;
type Way = keyof typeof WAYS;

function sumOf(moved: readonly Moved[]) {
  const amount = moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return { payments: moved.length, amount: toMoney(amount, CURRENCY) };
}

function judged(freed: readonly Moved[], verdicts: ReadonlyMap<string, PersonsVerdict>) {
  const of = (verdict: PersonsVerdict) => freed.filter(({ id }) => verdicts.get(id) === verdict).length;
  const [approved, refused] = [of('approved'), of('refused')];
  return { approved, refused, undecided: freed.length - approved - refused };
}

/** The largest that people refused. */
function shown(freed: readonly Moved[], verdicts: ReadonlyMap<string, PersonsVerdict>) {
  return freed
    .filter(({ id }) => verdicts.get(id) === 'refused')
    .sort((one, other) => (one.amountMinor < other.amountMinor ? 1 : -1))
    .slice(0, MOST_SHOWN)
    .map(({ id, amountMinor }) => ({ id, amount: toMoney(amountMinor, CURRENCY) }));
}
