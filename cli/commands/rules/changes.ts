// `gateway rules changes`: rule changes that operators or staff request, and the two people who decide them.
import type { Command } from 'commander';
import type { RuleChangeOutcome } from '../../../contract/temporal/rule-change.js';
import { peopleOf } from '../../../domain/deposit.js';
import { approvalsMissing, hasApproved, type RuleChangeSnapshot } from '../../../domain/rule-change.js';
import { permittedPerson } from '../../actor.js';
import { type Answer, answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { isSamePerson, readId, readOperationFilter, readReason } from '../../inputs/identifiers.js';
import { listed } from '../../limits.js';
import { examples, limitOption, operationFilterOption, personOption, reasonOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { reached } from '../../unreached.js';

const EXAMPLE_ID = 'chg_0123456789abcdef0123456789abcdef';

export function registerChanges(rules: Command, run: Registrar): void {
  const changes = rules.command('changes').description('Review requested rule changes; two people approve one');
  registerList(changes, run);
  registerShow(changes, run);
  registerRecompute(changes, run);
  registerApprove(changes, run);
  registerReject(changes, run);
}

interface ListOptions {
  readonly operation?: string;
  readonly all: boolean;
  readonly limit: number;
}

function registerList(changes: Command, run: Registrar): void {
  changes
    .command('list')
    .description('List rule changes that wait for approval, longest waiting first')
    .addOption(operationFilterOption())
    .option('--all', 'include decided changes', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('rules changes list', 'rules changes list --all'))
    .action(
      run(async (context, { operation, all, limit }: ListOptions) => {
        const operationId = readOperationFilter(operation);
        const { readChanges } = await import('../../../staff/reads/rule-changes.js');
        const read = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readChanges(database, { operationId, all, limit: limit + 1 });
        });
        return answer({ changes: listed(context, 'changes', read, limit) });
      }),
    );
}

function registerShow(changes: Command, run: Registrar): void {
  changes
    .command('show')
    .summary('Show a rule change and its report')
    .description(
      'Show a rule change: what would differ, who requested it and why, who decided, and its report. The report ' +
        'decides the payments of the last 30 days again under the proposed rules. Two people approve it by its ' +
        'digest.\n\n' +
        'The justification is text of the person who requested the change.',
    )
    .argument('<id>', 'the change (chg_…)')
    .addHelpText('after', examples(`rules changes show ${EXAMPLE_ID}`))
    .action(
      run(async (context, id: string) => {
        const changeId = readId('ruleChange', 'ID', id);
        const { readChange } = await import('../../../staff/reads/rule-changes.js');
        const change = await context.withDatabase((database) => readChange(database, changeId));
        if (change === null) throw noSuchChange(changeId);
        const { changeText } = await import('./change-text.js');
        return answerWithText(change, changeText(change));
      }),
    );
}

function registerRecompute(changes: Command, run: Registrar): void {
  changes
    .command('recompute')
    .summary('Compute the report of a rule change again')
    .description(
      'Compute the report of a rule change again, over the 30 days before now. Approvals of the earlier report ' +
        'no longer count.',
    )
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who requests it'))
    .addHelpText('after', examples(`rules changes recompute ${EXAMPLE_ID} --as ana`))
    .action(run(recompute));
}

async function recompute(context: CommandContext, id: string, options: { as?: string }): Promise<Answer> {
  const changeId = readId('ruleChange', 'ID', id);
  const person = await permittedPerson(context, options.as, 'rule_change.recompute');
  const { change, operationName } = await pendingChange(context, changeId);
  const { recomputeChange } = await import('../../../staff/acts/rule-changes.js');
  const input = { changeId, operationId: change.operationId };
  const outcome = await reached(
    changeId,
    await context.withTemporal((client) => recomputeChange(client, input, operationName, person)),
  );
  if (outcome.kind === 'under_way') return answer({ id: changeId, status: change.status, under_way: 'recompute' });
  const { proof } = decided(outcome, person);
  if (proof === null) throw refused(`change ${changeId}: its report could not be computed; the worker's log says why`);
  return answer({
    id: changeId,
    digest: proof.digest,
    summary: proof.summary,
    approvals_missing: approvalsMissing({ decisions: change.decisions, proof }),
  });
}

interface DecisionOptions {
  readonly as?: string;
  readonly reason?: string;
  readonly digest?: string;
}

function registerApprove(changes: Command, run: Registrar): void {
  changes
    .command('approve')
    .summary('Approve a rule change and its report')
    .description(
      'Approve a rule change and its report, by the digest that "rules changes show" prints.\n\n' +
        'When a second person approves the same digest, the change takes effect at once. It does not if the rules ' +
        'that it was made from have been replaced meanwhile.',
    )
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who decides'))
    .addOption(reasonOption())
    .option('--digest <sha256>', 'the digest of the report that you read and approve (required)')
    .addHelpText(
      'after',
      examples(`rules changes approve ${EXAMPLE_ID} --as ana --reason "agreed by mail" --digest ${'0'.repeat(12)}…`),
    )
    .action(run((context, id: string, options: DecisionOptions) => decide(context, id, 'approve', options)));
}

function registerReject(changes: Command, run: Registrar): void {
  changes
    .command('reject')
    .summary('Reject a rule change')
    .description('Reject a rule change. One person is enough.')
    .argument('<id>', 'the change (chg_…)')
    .addOption(personOption('who decides'))
    .addOption(reasonOption())
    .addHelpText('after', examples(`rules changes reject ${EXAMPLE_ID} --as ana --reason "agreed by mail"`))
    .action(run((context, id: string, options: DecisionOptions) => decide(context, id, 'reject', options)));
}

async function decide(
  context: CommandContext,
  id: string,
  decision: 'approve' | 'reject',
  options: DecisionOptions,
): Promise<Answer> {
  const changeId = readId('ruleChange', 'ID', id);
  const order = {
    decision,
    reason: readReason(options.reason),
    digest: decision === 'approve' ? readDigest(options.digest, changeId) : null,
    person: await permittedPerson(context, options.as, 'rule_change.decide'),
  };
  const { change, operationName } = await pendingChange(context, changeId);
  if (decision === 'approve' && hasApproved(change, order.person)) throw refused(samePerson(change, order.person));
  const { decideChange } = await import('../../../staff/acts/rule-changes.js');
  const input = { changeId, operationId: change.operationId };
  const outcome = await reached(
    changeId,
    await context.withTemporal((client) => decideChange(client, input, operationName, order)),
  );
  if (outcome.kind === 'under_way') return answer({ id: changeId, status: change.status, under_way: decision });
  return presentDecided(decided(outcome, order.person), decision);
}

/** The row is enough to refuse an unknown id and a decided change. */
async function pendingChange(context: CommandContext, changeId: string) {
  const { readChangeState } = await import('../../../staff/reads/rule-changes.js');
  const found = await context.withDatabase((database) => readChangeState(database, changeId));
  if (found === null) throw noSuchChange(changeId);
  if (found.change.status !== 'pending_approval') throw refused(notPending(found.change));
  return found;
}

function noSuchChange(id: string) {
  return refused(`change ${id}: there is no such change`);
}

/** The change after the decision. Throws a CommandProblem if it was refused. */
function decided({ kind, change }: RuleChangeOutcome, person: string): RuleChangeSnapshot {
  switch (kind) {
    case 'same_person':
      throw refused(samePerson(change, person));
    case 'not_pending':
      throw refused(notPending(change));
    case 'other_proof':
      throw refused(
        `change ${change.id}: the digest is not that of its report; ` +
          `look at it again: gateway rules changes show ${change.id}`,
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

/** Approving a superseded change has no effect, so it is a problem with exit code 1. */
function presentDecided(change: RuleChangeSnapshot, decision: 'approve' | 'reject'): Answer {
  if (decision === 'approve' && change.status === 'superseded')
    throw refused(
      `change ${change.id}: superseded: it was made from version ${change.baseVersion}, ` +
        'which is not in force any more; nothing changed',
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
  const detail =
    status === 'superseded' ? ` (version ${baseVersion}, which it was made from, is not in force any more)` : '';
  return `change ${id}: is ${status}${detail}; only what is pending_approval can be decided`;
}

function samePerson({ id, decisions }: RuleChangeSnapshot, person: string): string {
  const earlier = decisions.find((decision) => isSamePerson(decision.person, person))?.person ?? person;
  return `change ${id}: ${earlier} has approved already; another person must (--as)`;
}
