// `gateway review conclude`: writes off a payout that the provider never accepted, or will never finish. Two people
// enter its written statement.
import type { Command } from 'commander';
import type { WriteOffOutcome } from '../../../contract/temporal/payment.js';
import type { NotAsked } from '../../../staff/acts/payments.js';
import type { Database } from '../../../store/database.js';
import { actorOf } from '../../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { readEvidence, readReason } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { examples, personOption, reasonOption } from '../../options.js';
import { type CommandProblem, refused } from '../../problem.js';
import { reached } from '../../unreached.js';
import { refusedAct } from './act-refusal.js';

interface Options {
  readonly evidence: string;
  readonly as?: string;
  readonly reason?: string;
  readonly operation?: string;
}

export function registerWriteOff(review: Command, run: Registrar): void {
  paymentArgument(review.command('conclude'), ['withdrawal'])
    .summary('Write off a withdrawal whose payout was lost, or stays processing')
    .description(
      'Write off a withdrawal whose payout was lost, or that the provider reports as processing for ever: the ' +
        'provider has stated in writing that it never accepted it, or that it did not pay and never will.\n\n' +
        'The first person requests it, a second person confirms it with the same evidence. Then the payout is ' +
        'looked up once more. If that shows nothing new, the withdrawal fails and its money is released. It is ' +
        'never sent again.\n\n' +
        'Possible after one day of look-ups without a trace, or one day after the send of one that is processing.',
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
    .action(run(writeOff));
}

async function writeOff(context: CommandContext, text: string, options: Options): Promise<Answer> {
  const grounds = { reason: readReason(options.reason), evidence: readEvidence(options.evidence) };
  const actor = await actorOf(context, options.as);
  const { id } = await namedPayment(context, { kinds: ['withdrawal'], text, operation: options.operation });
  const { writeOffPayout } = await import('../../../staff/acts/payments.js');
  return context.withDatabase(async (database) => {
    const services = { database, withTemporal: context.withTemporal };
    return present(database, id, reached(id, await writeOffPayout(services, actor, { id, ...grounds })));
  });
}

async function stored(database: Database, id: string) {
  const { readReviewState } = await import('../../../store/payments/reviews.js');
  return readReviewState(database, 'withdrawal', id);
}

async function writtenOffBy(database: Database, id: string): Promise<readonly string[]> {
  return (await stored(database, id))?.writtenOffBy ?? [];
}

async function present(
  database: Database,
  id: string,
  outcome: WriteOffOutcome | { kind: 'under_way' } | NotAsked,
): Promise<Answer> {
  if (outcome.kind === 'under_way')
    return answer({ id, status: (await stored(database, id))?.status, under_way: 'conclude' });
  if (!('snapshot' in outcome)) throw notAsked(id, outcome);
  const { status, version } = outcome.snapshot;
  switch (outcome.kind) {
    case 'requested':
      return answer({ id, status, version, confirmation_missing: true, lapses_at: outcome.lapsesAt });
    case 'written_off':
      return answer({
        id,
        status,
        version,
        failure_code: outcome.snapshot.failureCode,
        concluded_by: (await writtenOffBy(database, id)).slice(-2),
      });
    case 'lapsed':
      throw refused(`withdrawal ${id}: is ${status}; the provider has reported on it, so the request has lapsed`);
    case 'provider_silent':
      throw refused(
        `withdrawal ${id}: the provider does not answer the last look; the request stays, confirm again when it does`,
      );
    case 'too_early': {
      const from = outcome.notBefore === null ? 'a day after the first' : `from ${outcome.notBefore} on`;
      if (outcome.lookUps === null)
        throw refused(`withdrawal ${id}: it can be concluded ${from}, if the provider still reports it as processing`);
      throw refused(
        `withdrawal ${id}: ${outcome.lookUps} look-ups without a trace so far; ` +
          `it can be concluded ${from}, if none shows up`,
      );
    }
    case 'same_person': {
      const asker = (await writtenOffBy(database, id)).at(-1) ?? 'the same person';
      throw refused(`withdrawal ${id}: ${asker} has asked for it already; another person must confirm (--as)`);
    }
    case 'other_evidence':
      throw refused(`withdrawal ${id}: the request names other evidence; see "gateway withdrawal show ${id}"`);
    case 'invalid_state':
      throw refused(notLost(id, status));
    case 'unknown_act':
    case 'other_subject':
    case 'used_act':
    case 'expired_act':
    case 'subject_changed':
    case 'not_permitted':
    case 'never_second':
    case 'too_close':
      throw refusedAct({ kind: 'withdrawal', id }, outcome.kind);
  }
}

/** Why nothing was sent to the withdrawal's workflow. */
function notAsked(id: string, outcome: NotAsked): CommandProblem {
  switch (outcome.kind) {
    case 'unknown_payment':
      return refused(`withdrawal ${id}: there is no such withdrawal`);
    case 'other_state':
      return refused(notLost(id, outcome.status));
    case 'approved_already':
      return refused(`withdrawal ${id}: ${outcome.person} has decided already; another person must (--as)`);
    case 'not_permitted':
      return refusedAct({ kind: 'withdrawal', id }, 'not_permitted');
  }
}

function notLost(id: string, status: string): string {
  const detail = status === 'approved' ? ', and its send has not left' : '';
  return `withdrawal ${id}: is ${status}${detail}; only a send that was lost, or a payout that is processing, can be concluded`;
}
