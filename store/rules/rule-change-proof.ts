// The proof of a proposed change of rules: what exactly is proposed and what it would have done, under one digest. Two people
// approve that digest, so neither the proposal nor the report can change between them.
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../domain/rules/canonical-json.js';
import type { EngineRules } from '../../domain/rules/engine-rules.js';
import { REPORT_DAYS, ReportBuilder, type RuleChangeReport } from '../../domain/rules/proof/report.js';
import type { Rules } from '../../domain/rules/proof/redecide.js';
import { defaultRuleSet, type RuleSet } from '../../domain/rules/rule-set.js';
import { thresholdsOf } from '../../domain/rules/thresholds.js';
import type { Database } from '../database.js';
import { decidedCases } from './decided-cases.js';
import { engineRulesOf } from './engine-rules.js';
import { ruleSetOfVersion } from './rule-sets.js';

/** Every enabled payment is in it. */
const CURRENCY = 'BRL';
/** Newest decisions first; a busier operation's report says from when on it counts. */
export const MOST_CASES = 500_000;

export interface Proposal {
  readonly operation_id: string;
  /** The version that the proposal was made from. */
  readonly base_version: number;
  /** The proposed rule set; its version is given when it comes into force. */
  readonly rules: Omit<RuleSet, 'version'>;
  /** The engine's own thresholds that will hold beside it. */
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
  /** Null: those of the base version are kept. */
  readonly engine: EngineRules | null;
  /** The window's end, RFC 3339. */
  readonly through: string;
}

/** Decides the window again under both rule sets. `onPage` is called after each page with the number of cases so far, and may throw to end it. */
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
