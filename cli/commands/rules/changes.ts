// `gateway rules changes list|approve|reject|recompute`: rule changes that operators propose, and the two people who decide them.
import type { Command } from 'commander';
import type { RuleChangeOutcome } from '../../../contract/temporal/rule-change.js';
import { peopleOf } from '../../../domain/deposit.js';
import { approvalsMissing, hasApproved, type RuleChangeSnapshot } from '../../../domain/rule-change.js';
import { type Answer, answer, type CommandContext } from '../../context.js';
import { isSamePerson, readId, readPerson, readReason } from '../../inputs/identifiers.js';
import { assertOperation } from '../../inputs/existing.js';
import { listed } from '../../limits.js';
import { examples, limitOption, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import type { Registrar } from '../../program.js';
import { presentChange, requestRow } from '../../staff/rule-changes.js';
import { registerRulesChangesShow } from './changes-show.js';

const EXAMPLE_ID = 'chg_0123456789abcdef0123456789abcdef';

export function registerRulesChanges(parent: Command, run: Registrar): void {
  const changes = parent.command('changes').description('changes that operators propose, approved by two people');
  registerList(changes, run);
  registerRulesChangesShow(changes, run);
  registerRecompute(changes, run);
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
    .action(
      run(async (context, options: { operation?: string; all: boolean; limit: number }) => {
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return database.ruleChangeRequest.findMany({
            where: {
              ...(operationId === null ? {} : { operationId }),
              ...(options.all ? {} : { status: 'pending_approval' }),
            },
            orderBy: { createdAt: 'asc' },
            take: options.limit + 1,
          });
        });
        const { ruleChangeSnapshot } = await import('../../../store/rules/rule-changes.js');
        const shown = listed(context, 'changes', rows, options.limit);
        return answer({ changes: shown.map((row) => presentChange(row, ruleChangeSnapshot(row))) });
      }),
    );
}

const DESCRIPTIONS = {
  approve:
    'Approves a change and its report, by the digest that "rules changes show" prints. With the second person\'s approval of the same digest it is in force\nat once, if the rules it was made from still are.',
  reject: 'Rejects a change; one person is enough.',
} as const;

function registerDecision(changes: Command, run: Registrar, decision: 'approve' | 'reject'): void {
  const command = changes
    .command(decision)
    .description(DESCRIPTIONS[decision])
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who decides'))
    .option('--reason <text>', 'why; kept in the history, so no names, documents or addresses');
  if (decision === 'approve')
    command.option('--digest <sha256>', 'the digest of the report that you have read and approve; needed');
  const digest = decision === 'approve' ? ` --digest ${'0'.repeat(12)}…` : '';
  command
    .addHelpText(
      'after',
      examples(`rules changes ${decision} ${EXAMPLE_ID} --as ana --reason "agreed by mail"${digest}`),
    )
    .action(
      run(async (context, id: string, options: { as?: string; reason?: string; digest?: string }) => {
        const changeId = readId('ruleChange', 'ID', id);
        const order = {
          decision,
          person: readPerson(options.as),
          reason: readReason(options.reason),
          digest: decision === 'approve' ? readDigest(options.digest, changeId) : null,
        };
        const { change, operationName } = await pendingChange(context, changeId);
        if (decision === 'approve' && hasApproved(change, order.person))
          throw refused(samePerson(change, order.person));
        const { decideChange } = await import('../../staff/payment-decisions.js');
        const outcome = await context.withTemporal((client) =>
          decideChange(client, { changeId, operationId: change.operationId }, operationName, order),
        );
        if (outcome.kind === 'under_way') return answer({ id: changeId, status: change.status, under_way: decision });
        return presentDecided(decided(outcome, order.person), decision);
      }),
    );
}

function registerRecompute(changes: Command, run: Registrar): void {
  changes
    .command('recompute')
    .description(
      "Computes a change's report anew, of the last 30 days before now. Approvals given to the earlier report do not count any more.",
    )
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who asks for it'))
    .addHelpText('after', examples(`rules changes recompute ${EXAMPLE_ID} --as ana`))
    .action(
      run(async (context, id: string, options: { as?: string }) => {
        const changeId = readId('ruleChange', 'ID', id);
        const person = readPerson(options.as);
        const { change, operationName } = await pendingChange(context, changeId);
        const { recomputeChange } = await import('../../staff/payment-decisions.js');
        const outcome = await context.withTemporal((client) =>
          recomputeChange(client, { changeId, operationId: change.operationId }, operationName, person),
        );
        if (outcome.kind === 'under_way')
          return answer({ id: changeId, status: change.status, under_way: 'recompute' });
        const { proof } = decided(outcome, person);
        if (proof === null)
          throw refused(`change ${changeId}: its report could not be computed; the worker's log says why`);
        return answer({
          id: changeId,
          digest: proof.digest,
          summary: proof.summary,
          approvals_missing: approvalsMissing({ decisions: change.decisions, proof }),
        });
      }),
    );
}

/** The request's row tells at once what needs no workflow. */
async function pendingChange(
  context: CommandContext,
  changeId: string,
): Promise<{ change: RuleChangeSnapshot; operationName: string }> {
  const { ruleChangeSnapshot } = await import('../../../store/rules/rule-changes.js');
  const found = await context.withDatabase(async (database) => {
    const row = await requestRow(database, changeId);
    const operation = await database.operation.findUnique({ where: { id: row.operationId }, select: { name: true } });
    return { change: ruleChangeSnapshot(row), operationName: operation?.name ?? row.operationId };
  });
  if (found.change.status !== 'pending_approval') throw refused(notPending(found.change));
  return found;
}

/** The change as it is after what counted; everything else is a refusal. */
function decided({ kind, change }: RuleChangeOutcome, person: string): RuleChangeSnapshot {
  switch (kind) {
    case 'same_person':
      throw refused(samePerson(change, person));
    case 'not_pending':
      throw refused(notPending(change));
    case 'other_proof':
      throw refused(
        `change ${change.id}: the digest is not that of its report; look at it again: gateway rules changes show ${change.id}`,
      );
    case 'done':
      return change;
  }
}

function readDigest(text: string | undefined, changeId: string): string {
  if (text === undefined)
    throw badInput(
      '--digest',
      `is needed: the digest of the report that you approve; read it with: gateway rules changes show ${changeId}`,
    );
  if (!/^[0-9a-f]{64}$/.test(text))
    throw badInput('--digest', 'must be 64 lower-case hexadecimal digits, as "gateway rules changes show" prints them');
  return text;
}

/** A superseded change is an approval that could not take effect: the person must learn it, also from the exit code. */
function presentDecided(change: RuleChangeSnapshot, decision: 'approve' | 'reject'): Answer {
  if (decision === 'approve' && change.status === 'superseded')
    throw refused(
      `change ${change.id}: superseded: it was made from version ${change.baseVersion}, which is not in force any more; nothing changed`,
    );
  return answer({
    id: change.id,
    status: change.status,
    applied_version: change.appliedVersion,
    decided_by: peopleOf(change.decisions),
    approvals_missing: change.status === 'pending_approval' ? approvalsMissing(change) : 0,
  });
}

function notPending({ id, status, baseVersion }: RuleChangeSnapshot): string {
  const because =
    status === 'superseded' ? ` (version ${baseVersion}, which it was made from, is not in force any more)` : '';
  return `change ${id}: is ${status}${because}; only what is pending_approval can be decided`;
}

function samePerson({ id, decisions }: RuleChangeSnapshot, person: string): string {
  const earlier = decisions.find((decision) => isSamePerson(decision.person, person))?.person ?? person;
  return `change ${id}: ${earlier} has approved already; another person must (--as)`;
}
