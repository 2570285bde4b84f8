// `gateway rules changes show`: a proposed change with its proof, as the person reads it who will approve its digest.
import type { Command } from 'commander';
import type { RuleChangeProof } from '../../../store/rules/rule-change-proof.js';
import { answerInWords } from '../../context.js';
import { readId } from '../../inputs/identifiers.js';
import { examples } from '../../options.js';
import type { Registrar } from '../../program.js';
import { presentChange, requestRow } from '../../staff/rule-changes.js';

export function registerRulesChangesShow(parent: Command, run: Registrar): void {
  parent
    .command('show')
    .description(
      'Shows a change: what would be different, who asked and why, who decided, and its report: the decisions of the last 30 days under the proposed\nrules, with the digest that two people approve. The operator wrote the justification.',
    )
    .argument('<id>', 'the change (chg_…)')
    .addHelpText('after', examples('rules changes show chg_0123456789abcdef0123456789abcdef'))
    .action(
      run(async (context, id: string) => {
        const changeId = readId('ruleChange', 'ID', id);
        const shown = await context.withDatabase((database) => readChange(database, changeId));
        const { changeText } = await import('./change-text.js');
        return answerInWords(shown, changeText(shown));
      }),
    );
}

export type ShownChange = Awaited<ReturnType<typeof readChange>>;

async function readChange(database: Parameters<typeof requestRow>[0], changeId: string) {
  const [
    { proposedEngine, ruleChangeSnapshot, storedProof },
    { engineRulesOf },
    { ruleSetOfVersion, currentRuleSet },
    { ruleSetChanges },
    { defaultRuleSet },
    { proofDigest },
  ] = await Promise.all([
    import('../../../store/rules/rule-changes.js'),
    import('../../../store/rules/engine-rules.js'),
    import('../../../store/rules/rule-sets.js'),
    import('../../staff/rule-set-changes.js'),
    import('../../../domain/rules/rule-set.js'),
    import('../../../store/rules/rule-change-proof.js'),
  ]);
  const row = await requestRow(database, changeId);
  const base = await ruleSetOfVersion(database, row.operationId, row.baseVersion);
  const current = await currentRuleSet(database, row.operationId);
  const proof = storedProof(row);
  const engine = proposedEngine(row);
  return {
    ...presentChange(row, ruleChangeSnapshot(row)),
    current_version: current?.version ?? 1,
    justification: row.justification,
    changes: ruleSetChanges(
      {
        ...(base?.rules ?? defaultRuleSet(1)),
        ...(engine === null ? {} : { engine: await engineRulesOf(database, row.operationId, row.baseVersion) }),
      },
      { ...(row.rules as object), ...(engine === null ? {} : { engine }) },
    ),
    rules: row.rules,
    proof: proof === null ? null : presentProof(proof, proofDigest(proof)),
  };
}

/** `is_intact`: the digest, computed again from what is stored, is the stored one. */
function presentProof({ proposal, report, digest }: RuleChangeProof, computed: string) {
  return { digest, is_intact: computed === digest, proposal, report };
}
