// `gateway request`: requests that a second person approves in production.
import type { Command } from 'commander';
import type { listRequests, RequestDecision } from '../../store/operations/approval-requests.js';
import { permittedPerson } from '../actor.js';
import { type Answer, answer, type Registrar } from '../context.js';
import { assertOperation } from '../inputs/existing.js';
import { isSamePerson, readId, readOperationFilter } from '../inputs/identifiers.js';
import { listed } from '../limits.js';
import { examples, limitOption, operationFilterOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import { tooManyKeys } from './key.js';

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
        const { listRequests } = await import('../../store/operations/approval-requests.js');
        const rows = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listRequests(database, { operationId, all, limit: limit + 1 });
        });
        return answer({ requests: listed(context, 'requests', rows, limit).map(presentRequest) });
      }),
    );
}

function presentRequest(request: Awaited<ReturnType<typeof listRequests>>[number]) {
  return {
    id: request.id,
    operation_id: request.operationId,
    kind: request.kind,
    asks_for: request.payload,
    status: request.status,
    requested_by: request.requestedBy,
    requested_at: request.requestedAt,
    decided_by: request.decidedBy,
    decided_at: request.decidedAt,
  };
}

const DECISIONS = {
  approve: {
    summary: 'Approve a request',
    description:
      'Approve a request: the allowlist takes effect, or the key is created and its secret printed (only once). ' +
      'The person who made the request cannot approve it.',
  },
  reject: {
    summary: 'Reject a request',
    description: 'Reject a request. It grants nothing. The person who made the request may reject it too.',
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
        const person = await permittedPerson(context, options.as, 'request.decide');
        const order = { requestId, decision, person, isSamePerson };
        const sealer = await context.sealer();
        const { decideRequest } = await import('../../store/operations/approval-requests.js');
        return present(order, await context.withDatabase((database) => decideRequest(database, sealer, order)));
      }),
    );
}

function present({ requestId }: { requestId: string }, outcome: RequestDecision): Answer {
  switch (outcome.kind) {
    case 'key_granted':
      return answer({
        id: requestId,
        status: 'approved',
        key_id: outcome.key.keyId,
        secret: outcome.key.secret,
        scopes: outcome.key.scopes,
      });
    case 'allowlist_set':
      return answer({
        id: requestId,
        status: 'approved',
        operation_id: outcome.operationId,
        networks: outcome.networks,
      });
    case 'rejected':
      return answer({ id: requestId, status: 'rejected', operation_id: outcome.operationId });
    case 'no_such_request':
      throw refused(`request ${requestId}: there is no such request`);
    case 'decided_before': {
      const by = outcome.decidedBy === null ? '' : ` by ${outcome.decidedBy}`;
      throw refused(`request ${requestId}: was ${outcome.status} before${by}`);
    }
    case 'same_person':
      throw refused(`request ${requestId}: was made by ${outcome.requestedBy}; another person must approve it (--as)`);
    case 'overtaken':
      throw refused(`request ${requestId}: an allowlist that was requested later is in force; request this one again`);
    case 'too_many_keys':
      throw tooManyKeys(outcome.activeKeyIds);
  }
}
