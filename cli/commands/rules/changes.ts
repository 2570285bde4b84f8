// `gateway rules changes`: rule changes that operators or staff request, and the two people who decide them.
import type { Command } from 'commander';
import { STAFF_ACT_REFUSALS } from '../../../domain/staff.js';
import { peopleOf } from '../../../domain/payments/deposit.js';
import { approvalsMissing, type RuleChangeSnapshot } from '../../../domain/rule-change.js';
import type { ChangeAct } from '../../../staff/acts/rule-changes.js';
import { actorOf, notPermitted } from '../../actor.js';
import { type Answer, answer, answerWithText, type CommandContext, type Registrar } from '../../context.js';
import { assertOperation } from '../../inputs/existing.js';
import { readId, readOperationFilter, readReason } from '../../inputs/identifiers.js';
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
  const act = { kind: 'rule_change.recompute', id: readId('ruleChange', 'ID', id), reason: '' } as const;
  const change = await acted(context, options.as, act);
  if (change === null) return answer({ id: act.id, status: 'pending_approval', under_way: 'recompute' });
  const { proof } = change;
  if (proof === null) throw refused(`change ${act.id}: its report could not be computed; the worker's log says why`);
  return answer({
    id: act.id,
    digest: proof.digest,
    summary: proof.summary,
    approvals_missing: approvalsMissing(change),
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
  text: string,
  decision: 'approve' | 'reject',
  options: DecisionOptions,
): Promise<Answer> {
  const id = readId('ruleChange', 'ID', text);
  const reason = readReason(options.reason);
  const act: ChangeAct =
    decision === 'approve'
      ? { kind: 'rule_change.approve', id, reason, digest: readDigest(options.digest, id) }
      : { kind: 'rule_change.reject', id, reason };
  const change = await acted(context, options.as, act);
  if (change === null) return answer({ id, status: 'pending_approval', under_way: decision });
  return presentDecided(change, decision);
}

/** The change after the act; null while the act is under way. Throws a CommandProblem if it was refused. */
async function acted(context: CommandContext, name: string | undefined, act: ChangeAct) {
  const actor = await actorOf(context, name);
  const { actOnChange } = await import('../../../staff/acts/rule-changes.js');
  const { withTemporal } = context;
  const outcome = reached(
    act.id,
    await context.withDatabase((database) => actOnChange({ database, withTemporal }, actor, act)),
  );
  switch (outcome.kind) {
    case 'done':
      return outcome.change;
    case 'under_way':
      return null;
    case 'unknown_change':
      throw noSuchChange(act.id);
    case 'not_pending':
      throw refused(notPending(act.id, outcome));
    case 'not_permitted':
      throw notPermitted(actor.handle, act.kind);
    case 'approved_already':
      throw refused(`change ${act.id}: ${outcome.person} has approved already; another person must (--as)`);
    case 'no_proof':
      throw refused(
        `change ${act.id}: its report is being computed; ` +
          `look at it with "gateway rules changes show ${act.id}", then approve its digest`,
      );
    case 'too_close':
      throw refused(`change ${act.id}: ${STAFF_ACT_REFUSALS.too_close}`);
    case 'other_proof':
      throw refused(
        `change ${act.id}: the digest is not that of its report; ` +
          `look at it again: gateway rules changes show ${act.id}`,
      );
  }
}

function noSuchChange(id: string) {
  return refused(`change ${id}: there is no such change`);
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

function notPending(id: string, { status, baseVersion }: Pick<RuleChangeSnapshot, 'status' | 'baseVersion'>): string {
  const detail =
    status === 'superseded' ? ` (version ${baseVersion}, which it was made from, is not in force any more)` : '';
  return `change ${id}: is ${status}${detail}; only what is pending_approval can be decided`;
}
