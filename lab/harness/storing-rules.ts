// The rules engine with every decision stored at once, for tests and benchmarks that ask it without a payment's step.
import { createRulesEngine, type Decision, type RulesEngine } from '../../activities/rules.js';
import type { Database } from '../../store/database.js';
import { insertDecision } from '../../store/rules/decisions.js';
import type { Sealer } from '../../store/sealing/sealer.js';

/** Each question answers the verdict alone. */
export type StoringRules = {
  readonly [Name in keyof RulesEngine]: RulesEngine[Name] extends (
    question: infer Question,
  ) => Promise<Decision<infer Verdict>>
    ? (question: Question) => Promise<Verdict>
    : never;
};

export function storingRules(dependencies: { readonly database: Database; readonly sealer: Sealer }): StoringRules {
  const engine = createRulesEngine(dependencies);
  const stored = async <Verdict>(asked: Promise<Decision<Verdict>>): Promise<Verdict> => {
    const { verdict, record } = await asked;
    if (record !== null) await insertDecision(dependencies.database, record);
    return verdict;
  };
  return {
    decideDeposit: (question) => stored(engine.decideDeposit(question)),
    assessPayment: (question) => stored(engine.assessPayment(question)),
    decideWithdrawal: (question) => stored(engine.decideWithdrawal(question)),
    decideDispatch: (question) => stored(engine.decideDispatch(question)),
  };
}
