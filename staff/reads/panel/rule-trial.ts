// What changed thresholds would have done to the payments of the last 30 days, against what people decided about them.
import type { Answering } from '../../../contract/panel/routes.js';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { type DecidedCase, redecide, type Rules } from '../../../domain/rules/proof/redecide.js';
import { REPORT_DAYS } from '../../../domain/rules/proof/report.js';
import { defaultRuleSet, parseRuleSetDraft, type RuleSet } from '../../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../../domain/rules/thresholds.js';
import type { Database } from '../../../store/database.js';
import { type PersonsVerdict, personsVerdicts } from '../../../store/support/decided-payments.js';
import { decidedCases } from '../../../store/rules/decided-cases.js';
import { engineRulesOf } from '../../../store/rules/engine-rules.js';
import { currentRuleSet } from '../../../store/rules/rule-sets.js';

/** The only enabled currency. */
const CURRENCY = 'BRL';
/** The newest decisions that a trial reads: it runs in the panel's process, between other requests. */
const MOST_CASES = 20_000;
const MOST_SHOWN = 10;
const DAY_MS = 86_400_000;

export type ThresholdChanges = Readonly<Record<string, JsonValue>>;

/** The version in force, and its rules with changed thresholds of the currency. Throws RuleSetError. */
export async function changedRules(
  database: Database,
  operationId: string,
  changes: ThresholdChanges,
): Promise<{ readonly baseVersion: number; readonly current: RuleSet; readonly rules: RuleSet }> {
  const stored = await currentRuleSet(database, operationId);
  const current = stored?.rules ?? defaultRuleSet(1);
  const { version: _version, ...rest } = current;
  const own = Object.entries({ ...current.currencies[CURRENCY], ...changes });
  // Without hours the time is "always", which the rules say with null; every other threshold is left out.
  const kept = Object.fromEntries(own.filter(([name, value]) => value !== null || name === 'auto_hours'));
  const rules = parseRuleSetDraft({ ...rest, currencies: { ...current.currencies, [CURRENCY]: kept } });
  return { baseVersion: stored?.version ?? 1, current, rules };
}

interface Moved {
  readonly id: string;
  readonly amountMinor: bigint;
}

/** Decides the newest payments again under both. Stores nothing. */
export async function tryRules(
  database: Database,
  operationId: string,
  { baseVersion, current, rules }: Awaited<ReturnType<typeof changedRules>>,
  now: Date,
): Promise<Answering<'tryRules'>> {
  const engine = await engineRulesOf(database, operationId);
  const [inForce, proposed] = [current, rules].map((set): Rules => ({
    thresholds: thresholdsOf(set, CURRENCY, engine),
    engine,
  })) as [Rules, Rules];
  const through = now.toISOString();
  let [from, compared, isCutOff] = [new Date(now.getTime() - REPORT_DAYS * DAY_MS).toISOString(), 0, false];
  const [freed, held]: [Moved[], Moved[]] = [[], []];
  for await (const page of decidedCases(database, { operationId, from, through })) {
    const read = page.slice(0, MOST_CASES - compared);
    for (const asked of read) {
      const way = wayOf(asked, inForce, proposed);
      if (way !== null)
        (way === 'freed' ? freed : held).push({ id: asked.objectId, amountMinor: asked.amountMinor ?? 0n });
    }
    compared += read.length;
    isCutOff = read.length < page.length || compared >= MOST_CASES;
    if (!isCutOff) continue;
    from = read.at(-1)?.decidedAt ?? from;
    break;
  }
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
    freed: { ...sumOf(freed), ...judged(freed, verdicts) },
    held: sumOf(held),
    refused_payments: shown(freed, verdicts),
  };
}

/** Whether the change lets the payment pass without people, or has people look at it. */
function wayOf(asked: DecidedCase, inForce: Rules, proposed: Rules): 'freed' | 'held' | null {
  const [was, is] = [redecide(asked, inForce), redecide(asked, proposed)];
  if (was.kind !== 'decided' || is.kind !== 'decided') return null;
  const [waited, waits] = [was.outcome.kind === 'review', is.outcome.kind === 'review'];
  if (waited && PASSES.has(is.outcome.kind)) return 'freed';
  return waits && PASSES.has(was.outcome.kind) ? 'held' : null;
}

const PASSES: ReadonlySet<string> = new Set(['automatic', 'credit']);

function sumOf(moved: readonly Moved[]) {
  const amount = moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return { payments: moved.length, amount: { amount: String(amount), currency: CURRENCY } };
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
    .map(({ id, amountMinor }) => ({ id, amount: { amount: String(amountMinor), currency: CURRENCY } }));
}
