// `gateway review conclude`: writes off a lost payout. Two people confirm that the provider never accepted it.
import type { Command } from 'commander';
import type { WriteOffOutcome } from '../../../contract/temporal/withdrawal.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { readEvidence, readPerson, readReason } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { examples, personOption, reasonOption } from '../../options.js';
import { refused } from '../../problem.js';
import { reached } from '../../unreached.js';

interface Options {
  readonly evidence: string;
  readonly as?: string;
  readonly reason?: string;
  readonly operation?: string;
}

export function registerConclude(review: Command, run: Registrar): void {
  paymentArgument(review.command('conclude'), ['withdrawal'])
    .summary('Write off a withdrawal whose payout was lost')
    .description(
      'Write off a withdrawal whose payout was lost: the provider has stated in writing that it never accepted ' +
        'it.\n\n' +
        'The first person requests it, a second person confirms it with the same evidence. Then the payout is ' +
        'looked up once more. If there is still no trace, the withdrawal fails and its money is released. It is ' +
        'never sent again.\n\n' +
        'Possible after one day of look-ups without a trace.',
    )
    .requiredOption(
      '--evidence <reference>',
      'where the provider states it: a ticket or letter; no names, documents or addresses',
    )
    .addOption(personOption('who requests or confirms it'))
    .addOption(reasonOption())
    .addHelpText(
      'after',
      examples('review conclude wdr_0123456789abcdef0123456789abcdef --as ana --evidence "provider ticket 4711"'),
    )
    .action(run(conclude));
}

async function conclude(context: CommandContext, text: string, options: Options): Promise<Answer> {
  const writeOff = {
    person: readPerson(options.as),
    reason: readReason(options.reason),
    evidence: readEvidence(options.evidence),
  };
  const { id } = await namedPayment(context, { kinds: ['withdrawal'], text, operation: options.operation });
  await assertSent(context, id);
  const { writeOffPayout } = await import('../../staff/payment-decisions.js');
  return context.withTemporal(async (client) =>
    present(context, id, await reached(id, await writeOffPayout(client, await context.sealer(), id, writeOff))),
  );
}

/** The row is enough to refuse an unknown id and another status. */
async function assertSent(context: CommandContext, id: string): Promise<void> {
  const state = await stateOf(context, id);
  if (state === null) throw refused(`withdrawal ${id}: there is no such withdrawal`);
  if (state.status !== 'approved') throw refused(notLost(id, state.status));
}

async function stateOf(context: CommandContext, id: string) {
  const { readReviewState } = await import('../../../store/payments/reviews.js');
  return context.withDatabase((database) => readReviewState(database, 'withdrawal', id));
}

async function present(
  context: CommandContext,
  id: string,
  outcome: WriteOffOutcome | { kind: 'under_way' },
): Promise<Answer> {
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
        concluded_by: (await stateOf(context, id))?.concludedBy.slice(-2),
      });
    case 'lapsed':
      throw refused(`withdrawal ${id}: is ${status}; the provider has shown a trace of it, so the request has lapsed`);
    case 'provider_silent':
      throw refused(
        `withdrawal ${id}: the provider does not answer the last look; the request stays, confirm again when it does`,
      );
    case 'too_early': {
      const from = outcome.notBefore === null ? 'a day after the first' : `from ${outcome.notBefore} on`;
      throw refused(
        `withdrawal ${id}: ${outcome.lookUps} look-ups without a trace so far; ` +
          `it can be concluded ${from}, if none shows up`,
      );
    }
    case 'same_person': {
      const asker = (await stateOf(context, id))?.concludedBy.at(-1) ?? 'the same person';
      throw refused(`withdrawal ${id}: ${asker} has asked for it already; another person must confirm (--as)`);
    }
    case 'other_evidence':
      throw refused(`withdrawal ${id}: the request names other evidence; see "gateway withdrawal show ${id}"`);
    case 'invalid_state':
      throw refused(notLost(id, status));
  }
}

function notLost(id: string, status: string): string {
  const detail = status === 'approved' ? ', and its send has not left' : '';
  return `withdrawal ${id}: is ${status}${detail}; only a send that was lost can be concluded`;
}
