// The proof of a proposed rule change: the proposal and what it would have decided, under one digest. Two people
// approve that digest, so both approve the same proposal and report. It is made from the cases that the operation's
// rules decided.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import type { DecidedCase, LaterDecision, Rules, StoredDecision } from '../../domain/rules/proof/redecide.js';
import { REPORT_DAYS, ReportBuilder, type RuleChangeReport } from '../../domain/rules/proof/report.js';
import { defaultRuleSet, type RuleSet } from '../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../domain/rules/thresholds.js';
import type { Database } from '../database.js';
import { rowsOf, sqlFile } from '../statements.js';
import { engineRulesOf, ruleSetOfVersion } from './rule-sets.js';

/** The only enabled currency. */
const CURRENCY = 'BRL';
/** The newest cases that a report counts. The report of a busier operation says when it starts. */
const MOST_CASES = 500_000;

export interface Proposal {
  readonly operation_id: string;
  /** The version that the proposal was made from. */
  readonly base_version: number;
  /** The proposed rule set, without a version: that is given when it comes into force. */
  readonly rules: Omit<RuleSet, 'version'>;
  /** The engine's own thresholds beside it. */
  readonly engine: EngineRules;
}

export interface RuleChangeProof {
  readonly proposal: Proposal;
  readonly report: RuleChangeReport;
  readonly digest: string;
}

export interface ProofOrder {
  readonly operationId: string;
  readonly baseVersion: number;
  readonly rules: RuleSet;
  /** `null` keeps those of the base version. */
  readonly engine: EngineRules | null;
  /** The window's end, RFC 3339. */
  readonly through: string;
}

/**
 * Decides the window's cases again under both rule sets. `onPage` is called after each page with the number of cases so
 * far; it may throw to stop.
 */
export async function proveRuleChange(
  database: Database,
  order: ProofOrder,
  onPage: (cases: number) => void = () => undefined,
  most = MOST_CASES,
): Promise<RuleChangeProof> {
  const { operationId, baseVersion, through } = order;
  const [base, baseEngine] = await Promise.all([
    ruleSetOfVersion(database, operationId, baseVersion),
    engineRulesOf(database, operationId, baseVersion),
  ]);
  const engine = order.engine ?? baseEngine;
  const builder = new ReportBuilder(
    rulesOf(base?.rules ?? defaultRuleSet(1), baseEngine),
    rulesOf(order.rules, engine),
  );
  const earliest = new Date(Date.parse(through) - REPORT_DAYS * 86_400_000).toISOString();
  let [from, cases, isCutOff] = [earliest, 0, false];
  for await (const page of decidedCases(database, { operationId, from: earliest, through })) {
    const read = page.slice(0, most - cases);
    for (const asked of read) builder.add(asked);
    cases += read.length;
    isCutOff = read.length < page.length;
    if (isCutOff) from = read.at(-1)?.decidedAt ?? from;
    onPage(cases);
    if (isCutOff) break;
  }
  const { version: _version, ...rules } = order.rules;
  const proposal: Proposal = { operation_id: operationId, base_version: baseVersion, rules, engine };
  const report = builder.report({ currency: CURRENCY, from, through, isCutOff });
  return { proposal, report, digest: proofDigest({ proposal, report }) };
}

/** SHA-256, in lower-case hex, of the canonical JSON (RFC 8785) of {proposal, report}. */
export function proofDigest({ proposal, report }: Pick<RuleChangeProof, 'proposal' | 'report'>): string {
  return createHash('sha256')
    .update(canonicalJson({ proposal, report } as unknown as JsonValue), 'utf8')
    .digest('hex');
}

function rulesOf(rules: RuleSet, engine: EngineRules): Rules {
  return { thresholds: thresholdsOf(rules, CURRENCY, engine), engine };
}

const CASES = sqlFile('rules/decided-cases.sql');

/** Facts are a few kilobytes each: a page is a few megabytes at most. */
const PAGE = 500;

export interface CaseWindow {
  readonly operationId: string;
  /** Inclusive, RFC 3339. */
  readonly from: string;
  /** Exclusive, RFC 3339; also for later decisions. */
  readonly through: string;
}

/**
 * Pages of the cases that an operation's rules decided, newest first, each with the decision that counted. A case that
 * was decided again (facts had changed, a wait continued) is counted once. Every row is found by an index in the order
 * of the page; nothing is sorted.
 */
export async function* decidedCases(database: Database, window: CaseWindow): AsyncGenerator<DecidedCase[]> {
  let before = { beforeAt: window.through, beforeId: '0' };
  for (;;) {
    const rows: CaseRow[] = await rowsOf<CaseRow>(
      database,
      CASES({ ...window, ...before, page: PAGE }),
      'for_its_values',
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(caseOf);
    if (rows.length < PAGE) return;
    before = { beforeAt: last.decided_at, beforeId: last.id };
  }
}

interface CaseRow {
  readonly id: string;
  readonly object_id: string;
  readonly stage: DecidedCase['stage'];
  /** RFC 3339. */
  readonly decided_at: string;
  readonly facts: object;
  readonly outcome: StoredDecision['outcome'];
  readonly timezone: string;
  readonly later: LaterDecision | null;
  readonly player_ref: string | null;
  readonly amount_minor: bigint | null;
}

function caseOf(row: CaseRow): DecidedCase {
  return {
    objectId: row.object_id,
    stage: row.stage,
    decidedAt: row.decided_at,
    playerRef: row.player_ref,
    amountMinor: row.amount_minor,
    decision: { facts: row.facts, outcome: row.outcome, timezone: row.timezone },
    later: row.later,
  };
}
