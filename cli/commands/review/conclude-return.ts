// `gateway review conclude-return`: concludes a return to the payer that its provider never finishes, from the
// provider's written statement. In production two people do.
import { type Command, Option } from 'commander';
import type { NotConcludable } from '../../../store/payments/deposit/provider-requests.js';
import { changeOf } from '../../change.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../../context.js';
import { readEvidence, readGivenReason } from '../../inputs/identifiers.js';
import { namedPayment, paymentArgument } from '../../inputs/payment.js';
import { examples, personOption } from '../../options.js';
import { badInput, refused } from '../../problem.js';
import { isReturnId, RETURN_RESULTS, type StatedReturnResult } from '../../../domain/payments/returns.js';

interface Options {
  readonly result: StatedReturnResult;
  readonly returnId?: string;
  readonly evidence: string;
  readonly reason: string;
  readonly as?: string;
  readonly operation?: string;
}

export function registerConcludeReturn(review: Command, run: Registrar): void {
  const id = 'dep_0123456789abcdef0123456789abcdef';
  paymentArgument(review.command('conclude-return'), ['deposit'])
    .summary('Conclude a return that the provider never finishes')
    .description(
      'Conclude the return of a deposit that its provider never finishes: the provider has stated in writing that it ' +
        'is done, or that it was not made and never will be.\n\n' +
        'Done: the deposit is returned. Never: it is under review again, and can be approved, or returned under ' +
        'another id. First the provider is asked once more: its own conclusive answer counts before the statement.\n\n' +
        'Possible one day after the return was requested.',
    )
    .addOption(
      new Option('--result <result>', 'what the provider states').choices([...RETURN_RESULTS]).makeOptionMandatory(),
    )
    .option('--return-id <id>', 'with "done": the id of the return in PIX (D…), from the statement')
    .requiredOption(
      '--evidence <reference>',
      'where the provider states it: a ticket or letter; no names, documents or addresses',
    )
    .requiredOption('--reason <text>', 'why; no personal data')
    .addOption(personOption('who concludes it'))
    .addHelpText(
      'after',
      examples(`review conclude-return ${id} --result never --evidence "ticket 4711" --reason "stuck" --as ana`),
    )
    .action(run(conclude));
}

async function conclude(context: CommandContext, text: string, options: Options): Promise<Answer> {
  const evidence = readEvidence(options.evidence);
  const reason = readGivenReason(options.reason);
  const { result } = options;
  const returnId = readReturnId(result, options.returnId);
  const { id } = await namedPayment(context, { kinds: ['deposit'], text, operation: options.operation });
  const { returnUnderWay } = await import('../../../store/payments/deposit/provider-requests.js');
  const { operationOfPayment } = await import('../../../store/payments/payment-ids.js');
  const found = await context.withDatabase(async (database) => {
    const operationId = await operationOfPayment(database, { kind: 'deposit', id });
    if (operationId === null) throw refused(`deposit ${id}: there is no such deposit`);
    const underWay = await returnUnderWay(database, { operationId, depositId: id });
    return underWay === null ? null : { operationId, actId: underWay.actId };
  });
  if (found === null) throw refused(`deposit ${id}: ${notConcludableText({ kind: 'not_returning' })}`);
  const { operationId, actId } = found;
  const payload = { deposit: id, return: actId, result, return_id: returnId, evidence, reason };
  const changed = await changeOf(context, options.as, { kind: 'return_conclusion', operationId, payload });
  switch (changed.kind) {
    case 'requested':
      return answer({ id, result, concluded: false, requests: [changed.request] });
    case 'not_returning':
    case 'return_too_recent':
      throw refused(`deposit ${id}: ${notConcludableText(changed)}`);
    case 'done':
      return answer({ id, result, concluded: true });
  }
}

function readReturnId(result: StatedReturnResult, text: string | undefined): string | null {
  if (result === 'never') {
    if (text !== undefined) throw badInput('--return-id', 'a return that was not made has none');
    return null;
  }
  if (text === undefined || !isReturnId(text))
    throw badInput('--return-id', 'give the id of the return as the statement has it: D and 31 letters and digits');
  return text;
}

/** Why a return cannot be concluded, in words. */
export function notConcludableText(refusal: NotConcludable): string {
  switch (refusal.kind) {
    case 'not_returning':
      return 'no return of it waits for the provider, or it is concluded already';
    case 'return_too_recent':
      return `the provider may still finish the return; it can be concluded from ${refusal.notBefore} on`;
  }
}
