// What the fact readers share: parameters of their statements, and what columns mean. Each decision has one statement,
// a `.sql` file of this folder, so that all its facts are from the same moment.
import type { DocumentUse } from '../../../domain/rules/deposit-rules.js';
import { type EngineRules, engineRulesSchema } from '../../../domain/rules/engine-rules.js';
import type { ListKind, ListName } from '../../../domain/rules/lookup-values.js';
import { parseRuleSet } from '../../../domain/rules/rule-set.js';
import { type Thresholds, thresholdsOf } from '../../../domain/rules/thresholds.js';
import { MissingRowError } from '../../errors.js';

export interface ListQuestion {
  readonly kind: ListKind;
  readonly hash: Uint8Array | null;
}

/** What is asked of the lists: kinds and hashes, in the same order. */
export function listParameters(asked: readonly ListQuestion[]) {
  const known = asked.filter((one): one is ListQuestion & { hash: Uint8Array } => one.hash !== null);
  return {
    listKinds: known.map(({ kind }) => kind),
    listHashes: known.map(({ hash }) => Buffer.from(hash)),
  };
}

/** Whether a kind is listed, from the `hits` of `listed`. */
export function isListed(hits: readonly string[], list: ListName, kind: ListKind): boolean {
  return hits.includes(`${list}:${kind}`);
}

export interface KnownPlayerColumns {
  readonly player_revision: string | null;
  readonly same_document: boolean | null;
}

/** The document compared with the player's stored one; `null` is a new player. */
export function documentUse(isSame: boolean | null): DocumentUse {
  if (isSame === null) return 'first_use';
  return isSame ? 'same' : 'changed';
}

/** The revision of a player that does not exist yet; inserting the player makes it out of date. */
export const NO_PLAYER_REVISION = '-1';

export interface RuleSetColumns {
  readonly version: number | null;
  readonly rules: unknown;
  readonly engine: unknown;
}

export interface RulesInForce {
  readonly ruleSetVersion: number;
  readonly thresholds: Thresholds;
  /** The engine's own thresholds, for facts that depend on them. */
  readonly engine: EngineRules;
}

/** The thresholds of the rule set that was read. Throws MissingRowError for an operation without a rule set. */
export function rulesInForce(row: RuleSetColumns | null, operationId: string, currency: string): RulesInForce {
  if (row === null || row.version === null)
    throw new MissingRowError('RuleSet', `operation ${operationId} has no rule set`);
  const engine = engineRulesSchema.parse(row.engine ?? {});
  return { ruleSetVersion: row.version, thresholds: thresholdsOf(parseRuleSet(row.rules), currency, engine), engine };
}

/** Computed here: a day in the database session's time zone can have 23 or 25 hours. */
export function hoursBefore(at: string, hours: number): string {
  return new Date(Date.parse(at) - hours * 3_600_000).toISOString();
}

/** The longest local day, and an hour. */
export const HOURS_OF_LOCAL_DAY = 26;

/**
 * The rolling windows, 7 and 30 times 24 hours: their start, its UTC day, and when that ends. Whole days come from kept
 * sums, the rest of the first day from its rows.
 */
export function windowParameters(at: string) {
  const [d7, d30] = [windowOf(at, 7), windowOf(at, 30)];
  return {
    ...{ d7Start: d7.start, d7FirstDay: d7.firstDay, d7NextDay: d7.nextDay },
    ...{ d30Start: d30.start, d30FirstDay: d30.firstDay, d30NextDay: d30.nextDay },
  };
}

function windowOf(at: string, days: number) {
  const start = hoursBefore(at, days * 24);
  const firstDay = start.slice(0, 10);
  return { start, firstDay, nextDay: new Date(Date.parse(firstDay) + 86_400_000).toISOString() };
}

/** An instant of a JSON result as RFC 3339 with milliseconds in UTC. */
export function utcInstant(text: string): string {
  return new Date(text).toISOString();
}

/** A payment in a list of facts, as JSON in SQL builds it. */
export interface JsonMovement {
  readonly at: string;
  readonly amountMinor: bigint;
}

export function movementOf({ at, amountMinor }: JsonMovement): JsonMovement {
  return { at: utcInstant(at), amountMinor };
}
