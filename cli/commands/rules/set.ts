// `gateway rules set`: stores the next version of a rule set, requests it as a change, or previews it.
import type { Command } from 'commander';
import type { EngineRules } from '../../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../../domain/rules/rule-set.js';
import type { NewRuleChange } from '../../../store/rules/rule-changes.js';
import { permittedPerson } from '../../actor.js';
import { type Answer, answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { noSuchOperation } from '../../inputs/existing.js';
import { readId, readReason } from '../../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import { unreachedText } from '../../unreached.js';

/** The version that every operation is created with. In production only this one is replaced without approval. */
const FIRST_VERSION = 1;

interface Options {
  readonly operation: string;
  readonly as?: string;
  readonly reason?: string;
  readonly preview: boolean;
}

/** The file's rules. `engine` null: keep the current engine thresholds. */
interface Proposal {
  readonly operationId: string;
  readonly rules: RuleSet;
  readonly engine: EngineRules | null;
}

export function registerSet(rules: Command, run: Registrar): void {
  rules
    .command('set')
    .summary('Store the next version of a rule set')
    .description(
      "Store a file as the next version of the operation's rule set. Payments decided from now on use it.\n\n" +
        "In production this applies only to an operation's first rules. Later ones become a change that two " +
        'people approve: see "gateway rules changes".\n\n' +
        'The file\'s own "version" is optional: if given, it must be an integer, and it is replaced by the next ' +
        'version. Its member "engine" sets the engine\'s thresholds (docs/rules.md); without it the current ones ' +
        'are kept.',
    )
    .addOption(operationOption())
    .argument('<file>', 'the rule set as JSON; amounts are strings of minor units')
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
  const proposal: Proposal = { operationId, ...(await readRuleSetFile('FILE', file)) };
  if (options.preview) return preview(context, proposal);
  const person = await permittedPerson(context, options.as, 'rules.set', operationId);
  return store(context, proposal, person, options.reason);
}

/** Stores the rules and delivers their event. Rules that need approval become a change instead. */
async function store(
  context: CommandContext,
  proposal: Proposal,
  person: string,
  reason: string | undefined,
): Promise<Answer> {
  const [{ engineRulesOf, setAndPublishRules }, { operationById }, { newId }] = await Promise.all([
    import('../../../store/rules/engine-rules.js'),
    import('../../../store/operations/operations.js'),
    import('../../../domain/identifiers.js'),
  ]);
  const { operationId, rules } = proposal;
  const [sealer, eventId] = [await context.sealer(), newId('event')];
  const operation = await context.withDatabase((database) => operationById(database, operationId));
  if (operation === null) throw noSuchOperation(operationId);
  const order = {
    ...proposal,
    createdBy: person,
    eventId,
    at: new Date().toISOString(),
    ...(operation.environment === 'production' ? { expectedVersion: FIRST_VERSION } : {}),
  };
  const [stored, engine] = await context.withDatabase(
    async (database) =>
      [await setAndPublishRules(database, sealer, order), await engineRulesOf(database, operationId)] as const,
  );
  switch (stored.kind) {
    case 'stored': {
      const { deliverEvent } = await import('./deliver-event.js');
      await deliverEvent(context, eventId, operationId);
      const { version } = stored;
      return answer({ operation_id: operationId, version, rules: { ...rules, version }, engine });
    }
    case 'stale':
      return request(context, operation.name, {
        ...proposal,
        baseVersion: stored.currentVersion,
        requestedBy: person,
        justification: readReason(reason),
      });
    case 'unknown_operation':
      throw noSuchOperation(operationId);
  }
}

/** Requests the rules as a change, like one that an operator proposes: two people approve its report. */
async function request(
  context: CommandContext,
  operationName: string,
  change: Omit<NewRuleChange, 'id'>,
): Promise<Answer> {
  const [{ insertRuleChange }, { appendAudit }, { inTransaction }, { newId }, { startChange }] = await Promise.all([
    import('../../../store/rules/rule-changes.js'),
    import('../../../store/audit/audit.js'),
    import('../../../store/transactions.js'),
    import('../../../domain/identifiers.js'),
    import('../../../staff/acts/rule-changes.js'),
  ]);
  const { operationId, requestedBy, baseVersion } = change;
  const id = newId('ruleChange');
  await context.withDatabase((database) =>
    inTransaction(database, async (transaction) => {
      await insertRuleChange(transaction, { ...change, id });
      await appendAudit(transaction, {
        person: requestedBy,
        action: 'rule_change.request',
        operationId,
        subject: id,
        detail: { base_version: baseVersion },
      });
    }),
  );
  const unreached = await context.withTemporal((client) =>
    startChange(client, { changeId: id, operationId }, operationName),
  );
  if (unreached !== null)
    throw refused(
      `${await unreachedText(id, unreached)}; it is stored, "gateway rules changes recompute ${id}" starts it`,
    );
  return answer({ operation_id: operationId, version: baseVersion, requests: [{ id, kind: 'rule_change' }] });
}

/** The report that a change would have: the file's rules compared with the current ones. Stores nothing. */
async function preview(context: CommandContext, { operationId, rules, engine }: Proposal): Promise<Answer> {
  const [{ currentRuleSet }, { proveRuleChange }, { engineRulesOf }, { ruleSetChanges }, text] = await Promise.all([
    import('../../../store/rules/rule-sets.js'),
    import('../../../store/rules/rule-change-proof.js'),
    import('../../../store/rules/engine-rules.js'),
    import('../../../staff/reads/rule-set-changes.js'),
    import('./change-text.js'),
  ]);
  return context.withDatabase(async (database) => {
    const current = await currentRuleSet(database, operationId);
    if (current === null) throw noSuchOperation(operationId);
    const { version: baseVersion } = current;
    const through = new Date().toISOString();
    const proof = await proveRuleChange(database, { operationId, baseVersion, rules, engine, through });
    const changes = ruleSetChanges(
      { ...current.rules, engine: await engineRulesOf(database, operationId) },
      { ...rules, engine: proof.proposal.engine },
    );
    return answerWithText({ operation_id: operationId, preview: true, base_version: baseVersion, changes, ...proof }, [
      `against version ${baseVersion}, which is in force; nothing is stored`,
      ...text.ruleSetChangesText(changes),
      '',
      ...text.reportText(proof.report),
    ]);
  });
}
