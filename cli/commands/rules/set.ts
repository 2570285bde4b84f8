// `gateway rules set`: the next version of an operation's rule set.
import type { Command } from 'commander';
import type { EngineRules } from '../../../domain/rules/engine-rules.js';
import type { RuleSet } from '../../../domain/rules/rule-set.js';
import type { NewRuleChange } from '../../../store/rules/rule-changes.js';
import { type Answer, answer, answerInWords, type CommandContext } from '../../context.js';
import { readId, readPerson, readReason } from '../../inputs/identifiers.js';
import { examples, operationOption, personOption } from '../../options.js';
import { refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

export function registerRulesSet(parent: Command, run: Registrar): void {
  parent
    .command('set')
    .description(
      'Stores the file as the next version of the operation\'s rule set, in force at once for payments decided from now on.\nIn production only an operation\'s first rules are: later ones become a change that two people approve ("gateway rules changes").\nThe file\'s own "version" is not needed; a given one must be an integer and is replaced by the next.\nIts member "engine" sets the engine\'s own thresholds (docs/rules.md); without it those in force are kept.',
    )
    .addOption(operationOption())
    .argument('<file>', 'the rule set as JSON; amounts are strings of minor units')
    .addOption(personOption('who sets it'))
    .option('--reason <text>', 'why, for those who approve a change; no names, documents or addresses')
    .option(
      '--preview',
      'stores nothing: shows what the file would have made of the decisions of the last 30 days',
      false,
    )
    .addHelpText(
      'after',
      examples(
        'rules set --operation op_0123456789abcdef0123456789abcdef rules.json --preview',
        'rules set --operation op_0123456789abcdef0123456789abcdef rules.json',
      ),
    )
    .action(
      run(
        async (
          context,
          file: string,
          options: { operation: string; as?: string; reason?: string; preview: boolean },
        ) => {
          const operationId = readId('operation', '--operation', options.operation);
          const createdBy = readPerson(options.as);
          const { readRuleSetFile } = await import('../../inputs/rule-set-file.js');
          const { rules, engine } = await readRuleSetFile('FILE', file);
          if (options.preview) return preview(context, operationId, { rules, engine });
          const [{ engineRulesOf, setAndPublishRules }, { newId }] = await Promise.all([
            import('../../../store/rules/engine-rules.js'),
            import('../../../domain/identifiers.js'),
          ]);
          const [sealer, eventId] = [await context.sealer(), newId('event')];
          const operation = await context.withDatabase((database) =>
            database.operation.findUnique({ where: { id: operationId }, select: { name: true, environment: true } }),
          );
          if (operation === null) throw refused(`operation ${operationId}: there is no such operation`);
          const onlyFirst = operation.environment === 'production' ? { expectedVersion: FIRST_VERSION } : {};
          const [stored, inForce] = await context.withDatabase(
            async (database) =>
              [
                await setAndPublishRules(database, sealer, {
                  operationId,
                  rules,
                  engine,
                  createdBy,
                  eventId,
                  at: new Date().toISOString(),
                  ...onlyFirst,
                }),
                await engineRulesOf(database, operationId),
              ] as const,
          );
          if (stored.kind === 'stale')
            return request(context, {
              operationId,
              operationName: operation.name,
              baseVersion: stored.currentVersion,
              rules,
              engine,
              requestedBy: createdBy,
              justification: readReason(options.reason),
            });
          if (stored.kind !== 'stored') throw refused(`operation ${operationId}: there is no such operation`);
          const { deliverEvent } = await import('./deliver-event.js');
          await deliverEvent(context, eventId, operationId);
          return answer({
            operation_id: operationId,
            version: stored.version,
            rules: { ...rules, version: stored.version },
            engine: inForce,
          });
        },
      ),
    );
}

/** What every operation is made with; the next version is the first that somebody chose. */
const FIRST_VERSION = 1;

/** In production nobody changes rules alone: the file becomes a change like one that the operator proposes, and two people approve its report. */
async function request(
  context: CommandContext,
  { operationName, ...change }: Omit<NewRuleChange, 'id'> & { operationName: string },
): Promise<Answer> {
  const [{ insertRuleChange }, { appendAudit }, { inTransaction }, { newId }, { startChange }] = await Promise.all([
    import('../../../store/rules/rule-changes.js'),
    import('../../../store/audit/audit.js'),
    import('../../../store/transactions.js'),
    import('../../../domain/identifiers.js'),
    import('../../staff/payment-decisions.js'),
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
  await context.withTemporal((client) => startChange(client, { changeId: id, operationId }, operationName));
  return answer({ operation_id: operationId, version: baseVersion, requests: [{ id, kind: 'rule_change' }] });
}

/** The report that a change request would carry, of the file's rules and engine against those in force. */
async function preview(
  context: CommandContext,
  operationId: string,
  { rules, engine }: { rules: RuleSet; engine: EngineRules | null },
): Promise<Answer> {
  const [
    { currentRuleSet },
    { proveRuleChange },
    { ruleSetChanges },
    { engineRulesOf },
    { reportText, ruleSetChangesText },
  ] = await Promise.all([
    import('../../../store/rules/rule-sets.js'),
    import('../../../store/rules/rule-change-proof.js'),
    import('../../staff/rule-set-changes.js'),
    import('../../../store/rules/engine-rules.js'),
    import('./change-text.js'),
  ]);
  return context.withDatabase(async (database) => {
    const current = await currentRuleSet(database, operationId);
    if (current === null) throw refused(`operation ${operationId}: there is no such operation`);
    const proof = await proveRuleChange(database, {
      operationId,
      baseVersion: current.version,
      rules,
      engine,
      through: new Date().toISOString(),
    });
    const changes = ruleSetChanges(
      { ...current.rules, engine: await engineRulesOf(database, operationId) },
      { ...rules, engine: proof.proposal.engine },
    );
    const words = [
      `against version ${current.version}, which is in force; nothing is stored`,
      ...ruleSetChangesText(changes),
      '',
      ...reportText(proof.report),
    ];
    return answerInWords(
      { operation_id: operationId, preview: true, base_version: current.version, changes, ...proof },
      words,
    );
  });
}
