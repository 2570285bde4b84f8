// `gateway request list|approve|reject`: the second person of production's keys and allowlists.
import type { Command } from 'commander';
import type { RequestDecision } from '../../store/operations/approval-requests.js';
import { type Answer, answer } from '../context.js';
import { isSamePerson, readId, readPerson } from '../inputs/identifiers.js';
import { assertOperation } from '../inputs/existing.js';
import { listed } from '../limits.js';
import { examples, limitOption, personOption } from '../options.js';
import { refused } from '../problem.js';
import type { Registrar } from '../program.js';
import { tooManyKeys } from './key.js';

export function registerRequestList(parent: Command, run: Registrar): void {
  parent
    .command('list')
    .description('Lists the requests that wait for a second person, newest first.')
    .option('--operation <id>', 'only this operation (op_…)')
    .option('--all', 'also those that were decided', false)
    .addOption(limitOption(200, 10_000))
    .addHelpText('after', examples('request list', 'request list --all'))
    .action(
      run(async (context, options: { operation?: string; all: boolean; limit: number }) => {
        const { all, limit } = options;
        const operationId =
          options.operation === undefined ? null : readId('operation', '--operation', options.operation);
        const { listRequests } = await import('../../store/operations/approval-requests.js');
        const requests = await context.withDatabase(async (database) => {
          await assertOperation(database, operationId);
          return listRequests(database, { operationId, all, limit: limit + 1 });
        });
        return answer({
          requests: listed(context, 'requests', requests, limit).map((request) => ({
            id: request.id,
            operation_id: request.operationId,
            kind: request.kind,
            asks_for: request.payload,
            status: request.status,
            requested_by: request.requestedBy,
            requested_at: request.requestedAt,
            decided_by: request.decidedBy,
            decided_at: request.decidedAt,
          })),
        });
      }),
    );
}

const DECISIONS = {
  approve:
    'Approves a request: the allowlist is in force, or the key is made and its secret printed this one time.\nWhoever asked cannot approve.',
  reject: 'Rejects a request; it grants nothing. Whoever asked may do so too.',
} as const;

export function registerRequestDecisions(parent: Command, run: Registrar): void {
  for (const [decision, description] of Object.entries(DECISIONS)) {
    parent
      .command(decision)
      .description(description)
      .argument('<id>', 'the request (apr_…)')
      .addOption(personOption('who decides'))
      .addHelpText('after', examples(`request ${decision} apr_0123456789abcdef0123456789abcdef --as ben`))
      .action(
        run(async (context, id: string, options: { as?: string }) => {
          const order = {
            requestId: readId('approvalRequest', 'ID', id),
            decision: decision as keyof typeof DECISIONS,
            person: readPerson(options.as),
            isSamePerson,
          };
          const sealer = await context.sealer();
          const { decideRequest } = await import('../../store/operations/approval-requests.js');
          return present(order, await context.withDatabase((database) => decideRequest(database, sealer, order)));
        }),
      );
  }
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
    case 'decided_before':
      throw refused(
        `request ${requestId}: was ${outcome.status} before${outcome.decidedBy === null ? '' : ` by ${outcome.decidedBy}`}`,
      );
    case 'same_person':
      throw refused(`request ${requestId}: was made by ${outcome.requestedBy}; another person must approve it (--as)`);
    case 'overtaken':
      throw refused(`request ${requestId}: an allowlist that was requested later is in force; request this one again`);
    case 'too_many_keys':
      throw refused(tooManyKeys(outcome.activeKeyIds));
  }
}
