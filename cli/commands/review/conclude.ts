// `gateway review conclude`: two people say of a send that was lost that the provider never accepted it.
import type { Command } from 'commander';
import type { WithdrawalConclusionOutcome } from '../../../contract/temporal/withdrawal.js';
import { type Answer, answer } from '../../context.js';
import { readEvidence, readPerson, readReason } from '../../inputs/identifiers.js';
import { examples, personOption } from '../../options.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { refused } from '../../problem.js';
import type { Registrar } from '../../program.js';

interface Options {
  readonly evidence: string;
  readonly as?: string;
  readonly reason?: string;
  readonly operation?: string;
}

export function registerReviewConclude(parent: Command, run: Registrar): void {
  paymentArgument(parent.command('conclude'), ['withdrawal'])
    .description(
      'Ends a withdrawal whose one send was lost: the provider has put in writing that it never accepted it. The first person asks, a second\n' +
        'one confirms with the same evidence; then it is looked up once more, and only if there is still no trace it has failed and its money is\n' +
        'released. Possible after a day of look-ups without a trace. It is never sent again.',
    )
    .requiredOption(
      '--evidence <reference>',
      'where the provider says so: a ticket or letter; no names, documents or addresses',
    )
    .addOption(personOption('who says so'))
    .option('--reason <text>', 'why; kept in the history, so no names, documents or addresses')
    .addHelpText(
      'after',
      examples('review conclude wdr_0123456789abcdef0123456789abcdef --as ana --evidence "provider ticket 4711"'),
    )
    .action(
      run(async (context, text: string, options: Options) => {
        const word = {
          person: readPerson(options.as),
          reason: readReason(options.reason),
          evidence: readEvidence(options.evidence),
        };
        const { id } = await namedPayment(context, { kinds: ['withdrawal'], text, operation: options.operation });
        // The row tells at once what needs no workflow.
        const row = await context.withDatabase((database) =>
          database.withdrawal.findUnique({ where: { id }, select: { status: true } }),
        );
        if (row === null) throw refused(`withdrawal ${id}: there is no such withdrawal`);
        if (row.status !== 'approved') throw refused(notLost(id, row.status));
        const { concludeLostPayout } = await import('../../staff/payment-decisions.js');
        return context.withTemporal(async (client) => present(id, await concludeLostPayout(client, id, word)));
      }),
    );
}

function present(id: string, outcome: WithdrawalConclusionOutcome | { kind: 'under_way' }): Answer {
  if (outcome.kind === 'under_way') return answer({ id, status: 'approved', under_way: 'conclude' });
  const { status, version } = outcome.withdrawal;
  switch (outcome.kind) {
    case 'requested':
      return answer({ id, status, version, confirmation_missing: true, lapses_at: outcome.lapsesAt });
    case 'concluded':
      return answer({
        id,
        status,
        version,
        failure_code: outcome.withdrawal.failureCode,
        concluded_by: outcome.withdrawal.conclusions?.slice(-2).map(({ person }) => person),
      });
    case 'lapsed':
      throw refused(`withdrawal ${id}: is ${status}; the provider has shown a trace of it, so the request has lapsed`);
    case 'provider_silent':
      throw refused(
        `withdrawal ${id}: the provider does not answer the last look; the request stays, confirm again when it does`,
      );
    case 'too_early':
      throw refused(
        `withdrawal ${id}: ${outcome.lookUps} look-ups without a trace so far; it can be concluded ${outcome.notBefore === null ? 'a day after the first' : `from ${outcome.notBefore} on`}, if none shows up`,
      );
    case 'same_person':
      throw refused(
        `withdrawal ${id}: ${outcome.requestedBy} has asked for it already; another person must confirm (--as)`,
      );
    case 'other_evidence':
      throw refused(`withdrawal ${id}: the request names other evidence; see "gateway withdrawal show ${id}"`);
    case 'invalid_state':
      throw refused(notLost(id, status));
  }
}

function notLost(id: string, status: string): string {
  return `withdrawal ${id}: is ${status}${status === 'approved' ? ', and its send has not left' : ''}; only a send that was lost can be concluded`;
}
