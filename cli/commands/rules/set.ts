// `gateway rules set`: stores the next version of a rule set, requests it as a change, or previews it.
import type { Command } from 'commander';
import type { ProposedRules } from '../../../staff/acts/rule-sets.js';
import { actorOf, notPermitted } from '../../actor.js';
import { type Answer, answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { noSuchOperation } from '../../inputs/existing.js';
import { readId, readReason } from '../../inputs/identifiers.js';
import { FileArgument } from '../../inputs/named-file.js';
import { MOST_RULES_BYTES } from '../../inputs/sizes.js';
import { examples, operationOption, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { unreachedText } from '../../unreached.js';

interface Options {
  readonly operation: string;
  readonly as?: string;
  readonly reason?: string;
  readonly preview: boolean;
}

export function registerSet(rules: Command, run: Registrar): void {
  rules
    .command('set')
    .summary('Store the next version of a rule set')
    .description(
      "Store a file as the next version of the operation's rule set. Payments decided from now on use it.\n\n" +
        "In production this applies only to an operation's first rules, and before its first payment. Later ones " +
        'become a change that two people approve: see "gateway rules changes".\n\n' +
        'The file\'s own "version" is optional: if given, it must be an integer, and it is replaced by the next ' +
        'version. Its member "engine" sets the engine\'s thresholds (docs/rules.md); without it the current ones ' +
        'are kept.',
    )
    .addOption(operationOption())
    .addArgument(
      new FileArgument('<file>', 'the rule set as JSON; amounts are strings of minor units', MOST_RULES_BYTES),
    )
    .addOption(personOption('who sets it'))
    .option('--reason <text>', 'why, for the people who approve a change; no names, documents or addresses')
    .option(
      '--preview',
      'store nothing: show what the file would have changed in the decisions of the last 30 days',
      false,
    )
    .addHelpText(
      'after',
      examples(
        'rules set --operation op_0123456789abcdef0123456789abcdef rules.json --preview',
        'rules set --operation op_0123456789abcdef0123456789abcdef rules.json',
      ),
    )
    .action(run(set));
}

async function set(context: CommandContext, file: string, options: Options): Promise<Answer> {
  const operationId = readId('operation', '--operation', options.operation);
  const { readRuleSetFile } = await import('../../inputs/rule-set-file.js');
  const proposal: ProposedRules = { operationId, ...(await readRuleSetFile(context, 'FILE', file)) };
  return options.preview ? preview(context, proposal) : store(context, proposal, options);
}

/** Stores the rules, or requests them where two people must approve. */
async function store(
  context: CommandContext,
  proposal: ProposedRules,
  { as, reason }: Pick<Options, 'as' | 'reason'>,
): Promise<Answer> {
  const { operationId, rules } = proposal;
  const justification = readReason(reason);
  const actor = await actorOf(context, as);
  const sealer = await context.sealer();
  const { setRules } = await import('../../../staff/acts/rule-sets.js');
  const set = await context.withDatabase((database) =>
    setRules({ database, sealer, withTemporal: connected(context) }, actor, proposal, justification),
  );
  switch (set.kind) {
    case 'unknown_operation':
      throw noSuchOperation(operationId);
    case 'not_permitted':
      throw notPermitted(actor.handle, 'rules.set');
    case 'stored': {
      const { version, engine } = set;
      return answer({ operation_id: operationId, version, rules: { ...rules, version }, engine });
    }
    case 'requested': {
      const { changeId: id, baseVersion, unreached } = set;
      if (unreached !== null)
        throw refused(
          `${unreachedText(id, unreached)}; it is stored, "gateway rules changes recompute ${id}" starts it`,
        );
      return answer({ operation_id: operationId, version: baseVersion, requests: [{ id, kind: 'rule_change' }] });
    }
  }
}

/** The connection to Temporal, if the process has one: rules that need nobody else are set without it, too. */
function connected({ environment, withTemporal }: CommandContext): CommandContext['withTemporal'] {
  return async (work) => {
    const { hasTemporalConfig } = await import('../../../platform/config/cli.js');
    if (!hasTemporalConfig(environment)) throw badInput('TEMPORAL_ADDRESS', 'is missing: where Temporal is');
    return withTemporal(work);
  };
}

/** The report that a change would have: the file's rules compared with the current ones. Stores nothing. */
async function preview(context: CommandContext, proposal: ProposedRules): Promise<Answer> {
  const { operationId } = proposal;
  const [{ previewRules }, { reportText, ruleSetChangesText }] = await Promise.all([
    import('../../../staff/reads/rule-preview.js'),
    import('./change-text.js'),
  ]);
  const previewed = await context.withDatabase((database) => previewRules(database, proposal));
  if (previewed === null) throw noSuchOperation(operationId);
  const { baseVersion, changes, proof } = previewed;
  return answerWithText({ operation_id: operationId, preview: true, base_version: baseVersion, changes, ...proof }, [
    `against version ${baseVersion}, which is in force; nothing is stored`,
    ...ruleSetChangesText(changes),
    '',
    ...reportText(proof.report),
  ]);
}
