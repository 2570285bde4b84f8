// `gateway request`: requests that a second person approves in production.
import type { Command } from 'commander';
import type { RequestDecision } from '../../staff/acts/requests.js';
import { actorOf, changeServices, SIGNED_IN_PANEL } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { readId, readOperationFilter } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { ACCOUNT_TAKEN } from '../inputs/provider-account.js';
import { examples, limitOption, operationFilterOption, personOption } from '../options.js';
import { refused, refusedForPanel } from '../problem.js';
import { cashRefusalText } from './cash.js';
import { tooManyKeys } from './key.js';
import { NOT_ERASED } from './player.js';
import { notConcludableText } from './review/conclude-return.js';
import { ITEM_NOT_OPEN, STATEMENT_CHANGED } from './statement.js';

export function registerRequest(program: Command, run: Registrar): void {
  const request = program.command('request').description('Decide requests that need a second person (production)');
  registerList(request, run);
  registerDecision(request, run, 'approve');
  registerDecision(request, run, 'reject');
}

interface ListOptions {
  readonly operation?: string;
  readonly all: boolean;
  readonly limit: number;
}

function registerList(request: Command, run: Registrar): void {
  request
    .command('list')
    .description('List requests that wait for a second person, newest first')
    .addOption(operationFilterOption())
    .option('--all', 'include decided requests', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('request list', 'request list --all'))
    .action(
      run(async (context, { operation, all, limit }: ListOptions) => {
        const operationId = readOperationFilter(operation);
        const { readRequests } = await import('../../staff/reads/requests.js');
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return readRequests(database, { operationId, all, limit: limit + 1 });
        });
        return answer({ requests: listed(context, 'requests', rows, limit) });
      }),
    );
}

const DECISIONS = {
  approve: {
    summary: 'Approve a request',
    description:
      'Approve a request: what it asks for takes effect. The secret of a new key is printed (only once). A client ' +
      'certificate or webhook secret may then be made by its command, within seven days. The person who made the ' +
      'request cannot approve it.',
  },
  reject: {
    summary: 'Reject a request',
    description: 'Reject a request. It changes nothing. The person who made the request may reject it too.',
  },
} as const;

function registerDecision(request: Command, run: Registrar, decision: keyof typeof DECISIONS): void {
  const { summary, description } = DECISIONS[decision];
  request
    .command(decision)
    .summary(summary)
    .description(description)
    .argument('<id>', 'the request (apr_…)')
    .addOption(personOption('who decides'))
    .addHelpText('after', examples(`request ${decision} apr_0123456789abcdef0123456789abcdef --as ben`))
    .action(
      run(async (context, id: string, options: { as?: string }) => {
        const requestId = readId('approvalRequest', 'ID', id);
        const actor = await actorOf(context, options.as);
        const { decideRequest } = await import('../../staff/acts/requests.js');
        const outcome = await context.withDatabase(async (database) => {
          const services = { ...(await changeServices(context, database)), retirementBlocks: blocksOf(context) };
          return decideRequest(services, actor, { requestId, decision });
        });
        return present(requestId, actor.handle, outcome);
      }),
    );
}

/** Why a sealing key cannot be retired: read when its retirement is approved. */
function blocksOf(context: CommandContext) {
  return async (keyId: string): Promise<readonly string[]> => {
    const { readSealing } = await import('./sealing/status.js');
    return (await readSealing(context)).find(({ id }) => id === keyId)?.blocks ?? [];
  };
}

/** The outcome of a decision. Throws a CommandProblem if nothing changed. */
export function present(requestId: string, handle: string, outcome: RequestDecision): Answer {
  switch (outcome.kind) {
    case 'approved':
      return answer({ id: requestId, status: 'approved', ...effectOf(outcome) });
    case 'rejected':
      return answer({ id: requestId, status: 'rejected', operation_id: outcome.operationId });
    case 'no_such_request':
      throw refused(`request ${requestId}: there is no such request`);
    case 'not_permitted':
      throw refusedForPanel(`${handle}: has no role that may decide request ${requestId}${SIGNED_IN_PANEL}`);
    case 'decided_before': {
      const by = outcome.decidedBy === null ? '' : ` by ${outcome.decidedBy}`;
      throw refused(`request ${requestId}: was ${outcome.status} before${by}`);
    }
    case 'same_person':
      throw refused(`request ${requestId}: was made by ${outcome.requestedBy}; another person must approve it (--as)`);
    case 'too_close':
      throw refused(
        `request ${requestId}: you or ${outcome.requestedBy} are new, and one made the other or both were made by one`,
      );
    case 'yourself':
      throw refused(`request ${requestId}: is about you; another person must approve it`);
    case 'requester_not_permitted':
      throw refused(`request ${requestId}: ${outcome.requestedBy} may not ask for this any more; reject it`);
    case 'overtaken':
      throw refused(`request ${requestId}: one that was requested later is in force; request this one again`);
    case 'networks_changed':
      throw refused(`request ${requestId}: the networks were changed after it was made; request it again`);
    case 'statement_changed':
      throw refused(`request ${requestId}: ${STATEMENT_CHANGED}; reject it`);
    case 'item_not_open':
      throw refused(`request ${requestId}: ${ITEM_NOT_OPEN}; reject it`);
    case 'not_returning':
    case 'return_too_recent':
      throw refused(`request ${requestId}: ${notConcludableText(outcome)}`);
    case 'account_taken':
      throw refused(`request ${requestId}: ${ACCOUNT_TAKEN}; reject it`);
    case 'too_many_keys':
      throw tooManyKeys(outcome.activeKeyIds);
    case 'not_covered':
    case 'not_in_suspense':
    case 'already_in_books':
    case 'account_in_use':
      throw refused(`request ${requestId}: ${cashRefusalText(outcome)}`);
    case 'key_in_use':
      throw refused(`request ${requestId}: the key cannot be retired: ${outcome.blocks.join(', ')}`);
    case 'unknown_key':
      throw refused(`request ${requestId}: the key is not in the vault`);
    case 'no_such_player':
    case 'payments_open':
      throw refused(`request ${requestId}: ${NOT_ERASED[outcome.kind]}`);
    case 'no_such_passkey':
      throw refused(`request ${requestId}: the passkey was removed; reject it`);
    case 'own_code':
      throw refused(
        `request ${requestId}: you gave the code that the passkey was made with; a third person confirms it`,
      );
  }
}

type Approval = Extract<RequestDecision, { kind: 'approved' }>;

/** What the approval did. */
function effectOf(approved: Approval): object {
  const operation_id = approved.operationId;
  switch (approved.requested) {
    case 'key': {
      const { keyId: key_id, secret, scopes } = approved.effect.key;
      return { key_id, secret, scopes };
    }
    case 'allowlist':
      return { operation_id, networks: approved.effect.networks };
    case 'webhook':
      return { operation_id, webhook_url: approved.effect.url };
    case 'provider':
      return { operation_id, provider: approved.effect.provider, money: approved.effect.money };
    case 'list_removal':
      return { operation_id, removed: approved.effect.isRemoved };
    case 'resume':
      return { operation_id, operation_status: 'active' };
    case 'automatic_resume':
      return { operation_id, automatic: 'on' };
    case 'provider_resume':
      return { provider: approved.effect.provider, provider_status: 'active' };
    case 'cash_movement':
      return { operation_id, movement_id: approved.effect.movementId };
    case 'certificate':
    case 'webhook_secret':
      return { operation_id };
    case 'person':
    case 'role':
    case 'sign_in_code':
    case 'passkey_reset':
    case 'account':
    case 'person_enable':
      return {};
    case 'sealing_key':
      return { retired: true };
    case 'statement_removal':
      return { lines_removed: approved.effect.lines };
    case 'statement_resolution':
      return { resolved: approved.effect.item };
    case 'item_return':
    case 'return_conclusion':
      return { operation_id, deposit_id: approved.effect.depositId };
    case 'passkey':
      return { confirmed: true };
    case 'player_erasure':
      return { operation_id, payments_erased: approved.effect.payments };
  }
}
