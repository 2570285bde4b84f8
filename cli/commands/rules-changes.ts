// `gateway rules changes list|show|approve|reject`: rule changes that operators propose, and the two people who decide them.
import type { Command } from 'commander';
import { approvalsMissing, hasApproved, RULE_CHANGE_APPROVALS, ruleChangeExpiresAt, type RuleChangeSnapshot } from '../../domain/rule-change.js';
import type { RuleChangeRequest } from '../../prisma/generated/client.js';
import { type Answer, answer, type CommandContext } from '../context.js';
import { readId, readPerson, readReason } from '../inputs/identifiers.js';
import { examples, limitOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';

const EXAMPLE_ID = 'chg_0123456789abcdef0123456789abcdef';
type Database = Parameters<Parameters<CommandContext['withDatabase']>[0]>[0];

export function registerRulesChanges(parent: Command, run: Registrar): void {
  const changes = parent.command('changes').description('changes that operators propose, approved by two people');
  registerList(changes, run);
  registerShow(changes, run);
  for (const decision of ['approve', 'reject'] as const) registerDecision(changes, run, decision);
}

function registerList(changes: Command, run: Registrar): void {
  changes
    .command('list')
    .description('Lists the changes that wait for approval, the longest waiting first.')
    .option('--operation <id>', 'only this operation (op_…)')
    .option('--all', 'also those that were decided', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('rules changes list', 'rules changes list --all'))
    .action(run(async (context, options: { operation?: string; all: boolean; limit: number }) => {
      const operationId = options.operation === undefined ? null : readId('operation', '--operation', options.operation);
      const rows = await context.withDatabase((database) =>
        database.ruleChangeRequest.findMany({
          where: { ...(operationId === null ? {} : { operationId }), ...(options.all ? {} : { status: 'pending_approval' }) },
          orderBy: { createdAt: 'asc' },
          take: options.limit,
        }),
      );
      const { ruleChangeSnapshot } = await import('../../store/rule-changes.js');
      return answer({ changes: rows.map((row) => presentChange(row, ruleChangeSnapshot(row))) });
    }));
}

function registerShow(changes: Command, run: Registrar): void {
  changes
    .command('show')
    .description('Shows a change: what would be different, who asked and why, who decided. The operator wrote the justification.')
    .argument('<id>', 'the change (chg_…)')
    .addHelpText('after', examples(`rules changes show ${EXAMPLE_ID}`))
    .action(run(async (context, id: string) => {
      const changeId = readId('ruleChange', 'ID', id);
      const [{ ruleChangeSnapshot }, { ruleSetOfVersion, currentRuleSet }, { ruleSetChanges }, { defaultRuleSet }] = await Promise.all([
        import('../../store/rule-changes.js'), import('../../store/rule-sets.js'), import('../rule-set-changes.js'), import('../../domain/rules/rule-set.js'),
      ]);
      return context.withDatabase(async (database) => {
        const row = await rowOf(database, changeId);
        const base = await ruleSetOfVersion(database, row.operationId, row.baseVersion);
        const current = await currentRuleSet(database, row.operationId);
        return answer({
          ...presentChange(row, ruleChangeSnapshot(row)),
          current_version: current?.version ?? 1,
          justification: row.justification,
          changes: ruleSetChanges(base?.rules ?? defaultRuleSet(1), row.rules as object),
          rules: row.rules,
        });
      });
    }));
}

const DESCRIPTIONS = {
  approve: 'Approves a change. With the second person\'s approval it is in force at once, if the rules it was made from still are.',
  reject: 'Rejects a change; one person is enough.',
} as const;

function registerDecision(changes: Command, run: Registrar, decision: 'approve' | 'reject'): void {
  changes
    .command(decision)
    .description(DESCRIPTIONS[decision])
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who decides'))
    .option('--reason <text>', 'why; kept in the history, so no names, documents or addresses')
    .addHelpText('after', examples(`rules changes ${decision} ${EXAMPLE_ID} --as ana --reason "agreed by mail"`))
    .action(run(async (context, id: string, options: { as?: string; reason?: string }) => {
      const order = { decision, person: readPerson(options.as), reason: readReason(options.reason) };
      const changeId = readId('ruleChange', 'ID', id);
      const { ruleChangeSnapshot } = await import('../../store/rule-changes.js');
      // The row tells at once what needs no workflow.
      const { change, operationName } = await context.withDatabase(async (database) => {
        const row = await rowOf(database, changeId);
        const operation = await database.operation.findUnique({ where: { id: row.operationId }, select: { name: true } });
        return { change: ruleChangeSnapshot(row), operationName: operation?.name ?? row.operationId };
      });
      if (change.status !== 'pending_approval') throw refused(notPending(change));
      if (decision === 'approve' && hasApproved(change.decisions, order.person)) throw refused(samePerson(change, order.person));
      const { decideChange } = await import('../reviews.js');
      const outcome = await context.withTemporal((client) => decideChange(client, { changeId, operationId: change.operationId }, operationName, order));
      switch (outcome.kind) {
        case 'under_way':
          return answer({ id: changeId, status: change.status, under_way: decision });
        case 'same_person':
          throw refused(samePerson(outcome.change, order.person));
        case 'not_pending':
          throw refused(notPending(outcome.change));
        case 'done':
          return presentDecided(outcome.change, decision);
      }
    }));
}

/** A superseded change is an approval that could not take effect: the person must learn it, also from the exit code. */
function presentDecided(change: RuleChangeSnapshot, decision: 'approve' | 'reject'): Answer {
  if (decision === 'approve' && change.status === 'superseded') throw refused(`change ${change.id}: superseded: it was made from version ${change.baseVersion}, which is not in force any more; nothing changed`);
  return answer({
    id: change.id,
    status: change.status,
    applied_version: change.appliedVersion,
    decided_by: change.decisions.map(({ person }) => person),
    approvals_missing: change.status === 'pending_approval' ? approvalsMissing(change.decisions) : 0,
  });
}

async function rowOf(database: Database, id: string): Promise<RuleChangeRequest> {
  const row = await database.ruleChangeRequest.findUnique({ where: { id } });
  if (row === null) throw refused(`change ${id}: there is no such change`);
  return row;
}

function presentChange(row: RuleChangeRequest, change: RuleChangeSnapshot) {
  return {
    id: change.id,
    operation_id: change.operationId,
    status: change.status,
    base_version: change.baseVersion,
    requested_by: row.requestedBy,
    created_at: change.createdAt,
    expires_at: ruleChangeExpiresAt(change),
    approvals: { given: change.decisions.filter(({ decision }) => decision === 'approve').map(({ person }) => person), needed: RULE_CHANGE_APPROVALS },
    decisions: change.decisions,
    applied_version: change.appliedVersion,
    decided_at: change.decidedAt,
  };
}

function notPending({ id, status, baseVersion }: RuleChangeSnapshot): string {
  const because = status === 'superseded' ? ` (version ${baseVersion}, which it was made from, is not in force any more)` : '';
  return `change ${id}: is ${status}${because}; only what is pending_approval can be decided`;
}

function samePerson({ id }: RuleChangeSnapshot, person: string): string {
  return `change ${id}: ${person} has approved already; another person must (--as)`;
}
